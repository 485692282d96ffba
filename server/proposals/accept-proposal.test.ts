import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { amountIn } from '../../lib/yjs-internals/struct-store.ts'
import { openProposalFixture, type ProposalFixture } from './fixtures/proposal-fixture.ts'

let fixture: ProposalFixture
beforeAll(async () => {
  fixture = await openProposalFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const call = (...request: Parameters<ProposalFixture['callDocuments']>) => fixture.callDocuments(...request)
const open = (...window: Parameters<ProposalFixture['open']>) => fixture.open(...window)

describe('a proposal that is accepted', () => {
  test('comes into the original, whose windows see it like each edit, and its text keeps its authors', async () => {
    const { document, proposal, path, ownerWindow, editor, author } = await fixture.openProposal()
    const authorWindow = await open(proposal, author)
    await authorWindow.type('!', 16)
    await ownerWindow.type('Listen: ', 0)
    const before = await fixture.load(document)
    const { status, json } = await call(editor, 'POST', `${path}/accept`, {})
    expect([status, json]).toMatchObject([
      200,
      {
        state: 'accepted',
        decidedBy: { id: editor.principal.id, name: editor.principal.name },
        mayWrite: false,
      },
    ])
    await waitUntil(() => ownerWindow.text === 'Listen: Once upon a time!.')
    await ownerWindow.type(' The end.')
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe(
      'Listen: Once upon a time!. The end.',
    )

    const { owners } = await fixture.store.load(document, 'body')
    expect(owners?.get(authorWindow.doc.clientID)).toBe(author.principal.id)
    const entry = await fixture.db
      .selectFrom('log')
      .selectAll()
      .where('document', '=', document)
      .where('session', '=', `proposal ${proposal}`)
      .executeTakeFirstOrThrow()
    expect(entry.principal).toBe(editor.principal.id)
    const { json: history } = await call(editor, 'GET', `${document}/versions`)
    const versions = history['versions'] as unknown as { id: string }[]
    const state = await fixture.call('GET', `/api/documents/${document}/versions/${versions[0]!.id}/state`, {
      cookie: editor.cookie,
    })
    expect(state.bytes).toEqual(Y.encodeStateAsUpdate(before))

    // Nobody writes in it any more, and whoever reads the original reads it.
    await waitUntil(() => authorWindow.roles.at(-1) === 'viewer')
    await expect(authorWindow.type('more')).rejects.toThrow()
    expect(await fixture.access.roleOf(author.principal, proposal)).toBe('viewer')
  })

  test('and was written by two, of whom one came later, names both in the next version', async () => {
    const { document, proposal, path, owner, editor, author } = await fixture.openProposal()
    await (await open(proposal, author)).type('One. ')
    await (await open(proposal, editor)).type('Two. ')
    expect((await call(owner, 'POST', `${path}/accept`, {})).status).toBe(200)
    const { json } = await call(owner, 'POST', `${document}/versions`, { name: 'After' })
    const ids = (json['authors'] as unknown as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([author.principal.id, editor.principal.id]))
  })

  test('by two at once is accepted once', async () => {
    const { document, proposal, path, owner, editor, author } = await fixture.openProposal()
    await (await open(proposal, author)).type('more')
    const answers = await Promise.all(
      [owner, editor, owner].map((who) => call(who, 'POST', `${path}/accept`, {})),
    )
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409'])
    const refused = answers.find(({ status }) => status === 409)!
    expect(refused.json['error']).toMatchObject({ message: 'This proposal is accepted already.' })
    const rows = await fixture.db
      .selectFrom('log')
      .select('sequence')
      .where('document', '=', document)
      .where('session', '=', `proposal ${proposal}`)
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('without changes, changes nothing', async () => {
    const { document, path, owner } = await fixture.openProposal()
    const before = await fixture.stateOf(document)
    expect((await call(owner, 'POST', `${path}/accept`, {})).status).toBe(200)
    expect(await fixture.stateOf(document)).toEqual(before)
  })

  test('while its author writes has all that was saved, and nothing comes twice', async () => {
    const { document, proposal, path, owner, author } = await fixture.openProposal('')
    const window = await open(proposal, author)
    let saved = 0
    const typing = (async () => {
      for (let n = 0; n < 500; n++) {
        try {
          await window.type('x', 0)
        } catch {
          return
        }
        saved += 1
      }
    })()
    await waitUntil(() => saved > 5)
    expect((await call(owner, 'POST', `${path}/accept`, {})).status).toBe(200)
    await typing
    expect(saved).toBeLessThan(500)
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe('x'.repeat(saved))
  })

  test('with forty windows that write has all that was saved', async () => {
    const { document, proposal, path, owner, author } = await fixture.openProposal('')
    const windows = await Promise.all(Array.from({ length: 40 }, () => open(proposal, author)))
    let saved = 0
    const typing = windows.map(async (window) => {
      for (let n = 0; n < 100; n++) {
        try {
          await window.type('x', 0)
        } catch {
          return
        }
        saved += 1
        await setTimeout(60) // as people type: what all write at once in one place is too costly to merge
      }
    })
    await waitUntil(() => saved > 20)
    const answer = await call(owner, 'POST', `${path}/accept`, {})
    expect([answer.status, answer.json['error']]).toEqual([200, undefined])
    await Promise.all(typing)
    expect(saved).toBeLessThan(4_000)
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe('x'.repeat(saved))
  })

  test('was cut off by a crash: nobody can reject it, and whoever accepts it again finishes it', async () => {
    const { document, proposal, path, owner, editor, author } = await fixture.openProposal('')
    await (await open(proposal, author)).type('more')
    await fixture.db
      .updateTable('proposals')
      .set({ state: 'accepting' })
      .where('document', '=', proposal)
      .execute()
    expect((await call(owner, 'GET', path)).json).toMatchObject({ state: 'open', mayWrite: false })
    expect((await call(owner, 'POST', `${path}/reject`)).json['error']).toMatchObject({
      message: 'This proposal is being accepted. Look again in a moment.',
    })
    expect((await call(editor, 'POST', `${path}/accept`, {})).status).toBe(200)
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe('more')
  })

  test.each([true, false])(
    'was cut off while it was closed, its parts accepted: it is closed, or open again (by parts: %s)',
    async (byParts) => {
      const { document, proposal, path, owner, author } = await fixture.openProposal('')
      await (await open(proposal, author)).type('more')
      await call(owner, 'PATCH', `${path}/decisions`, { keys: ['some'], decision: 'accepted' })
      await fixture.db
        .updateTable('proposals')
        .set({ state: 'accepting', accepting_node: 'gone' })
        .where('document', '=', proposal)
        .execute()
      expect((await call(owner, 'POST', `${path}/accept`, { byParts })).status).toBe(byParts ? 200 : 409)
      expect((await call(owner, 'GET', path)).json).toMatchObject({
        state: byParts ? 'accepted' : 'open',
        mayWrite: !byParts,
      })
      expect((await fixture.load(document)).getText('trace').toJSON()).toBe('')
    },
  )

  test('is no other node’s to accept while one of them accepts it, until that is gone', async () => {
    const { document, proposal, path, owner, author } = await fixture.openProposal('')
    await (await open(proposal, author)).type('more')
    await fixture.db
      .updateTable('proposals')
      .set({ state: 'accepting', accepting_node: 'other' })
      .where('document', '=', proposal)
      .execute()
    fixture.otherNodes.add('other')
    for (const byParts of [false, true]) {
      const { status, json } = await call(owner, 'POST', `${path}/accept`, { byParts })
      expect([status, json['error']]).toMatchObject([
        409,
        { message: 'This proposal is being accepted. Look again in a moment.' },
      ])
    }
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe('')
    fixture.otherNodes.clear()
    expect((await call(owner, 'POST', `${path}/accept`, {})).status).toBe(200)
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe('more')
  })

  test('part by part is only closed, and is not merged a second time', async () => {
    const { document, path, proposal, owner, author } = await fixture.openProposal('')
    await (await open(proposal, author)).type('more')
    await call(owner, 'PATCH', `${path}/decisions`, { keys: ['a'], decision: 'accepted' })
    const before = await fixture.stateOf(document)
    const refused = await call(owner, 'POST', `${path}/accept`, {})
    expect([refused.status, refused.json['error']]).toMatchObject([
      409,
      { message: expect.stringContaining('have been decided already') },
    ])
    expect((await call(owner, 'POST', `${path}/accept`, { byParts: true })).json).toMatchObject({
      state: 'accepted',
    })
    expect(await fixture.stateOf(document)).toEqual(before)
  })

  test('brings the files that were added to it', async () => {
    const { document, proposal, path, owner, author } = await fixture.openProposal()
    const rows = ['f1', 'f2'].map((id) => ({
      document: proposal,
      id,
      sha256: '0'.repeat(64),
      bytes: 10,
      type: 'image/png',
      width: 1,
      height: 1,
      name: id,
      uploaded_by: author.principal.id,
      uploaded_at: 1,
    }))
    await fixture.db.insertInto('files').values(rows).execute()
    await fixture.db
      .insertInto('files')
      .values({ ...rows[0]!, document })
      .execute()
    expect((await call(owner, 'POST', `${path}/accept`, {})).status).toBe(200)
    const files = await fixture.db
      .selectFrom('files')
      .select(['id', 'uploaded_by'])
      .where('document', '=', document)
      .execute()
    expect(files).toEqual([
      { id: 'f1', uploaded_by: author.principal.id },
      { id: 'f2', uploaded_by: owner.principal.id },
    ])
  })
})

describe('of two reviewers', () => {
  type Reviewer = Awaited<ReturnType<ProposalFixture['openProposal']>>['owner']

  const decide = async (
    path: string,
    { cookie }: Reviewer,
    decision: string | null,
    { keys = ['k1'], of }: { keys?: string[]; of?: Reviewer } = {},
  ) => {
    const body = { keys, decision, ...(of && { of: of.principal.id }) }
    const { status, json } = await call({ cookie }, 'PATCH', `${path}/decisions`, body)
    expect(status).toBe(200)
    return json['decided'] as unknown as string[]
  }
  const decisionsIn = async (path: string, who: Reviewer) =>
    (await call(who, 'GET', path)).json['decisions'] as unknown as Record<string, unknown>

  test('one accepts a change, the other is left out', async () => {
    const { path, owner, editor } = await fixture.openProposal()
    const both = await Promise.all([decide(path, owner, 'accepted'), decide(path, editor, 'accepted')])
    expect(both.flat()).toEqual(['k1'])
    const winner = both[0].length > 0 ? owner : editor
    const { id, name } = winner.principal
    expect(await decisionsIn(path, owner)).toEqual({ k1: { decision: 'accepted', by: { id, name } } })
    // The same person in another window may have written it already.
    expect(await decide(path, winner, 'accepted')).toEqual([])
  })

  test('neither replaces nor takes back what the other decided, without naming whose it is', async () => {
    const { path, owner, editor } = await fixture.openProposal()
    await decide(path, owner, 'accepted')
    for (const decision of ['accepted', 'rejected', null])
      expect(await decide(path, editor, decision)).toEqual([])
    expect(await decide(path, editor, 'rejected', { keys: ['k1', 'k2'] })).toEqual(['k2'])
    expect(await decide(path, editor, null, { of: owner })).toEqual(['k1'])
    expect(await decide(path, editor, 'accepted')).toEqual(['k1'])
    // Whoever saw the owner's decision does not take back the one that came after it.
    expect(await decide(path, owner, null)).toEqual([])
    expect(await decisionsIn(path, owner)).toMatchObject({
      k1: { decision: 'accepted', by: { id: editor.principal.id } },
      k2: { decision: 'rejected', by: { id: editor.principal.id } },
    })
  })
})

describe('what whoever accepts has not seen', () => {
  const versionsOf = async (document: string, who: { cookie: string }) =>
    (await call(who, 'GET', `${document}/versions`)).json['versions'] as unknown as unknown[]

  test.each<[string, (window: Awaited<ReturnType<typeof open>>) => Promise<void>]>([
    ['letters', (window) => window.type('!', 5)],
    [
      'a deletion',
      async (window) => {
        const before = Y.encodeStateVector(window.doc)
        window.doc.getText('trace').delete(0, 2)
        await window.send(Y.encodeStateAsUpdate(window.doc, before))
      },
    ],
  ])('is not merged: %s', async (_what, writeOn) => {
    const { document, proposal, path, owner, author } = await fixture.openProposal()
    const window = await open(proposal, author)
    await window.type('More. ', 0)
    const seen = amountIn(window.doc)
    await writeOn(window)
    const [before, versions] = [await fixture.stateOf(document), await versionsOf(document, owner)]
    const { status, json } = await call(owner, 'POST', `${path}/accept`, { seen })
    expect([status, json['error']]).toMatchObject([
      409,
      { message: expect.stringContaining('since you looked. Look at what is new') },
    ])
    expect(await fixture.stateOf(document)).toEqual(before)
    expect(await versionsOf(document, owner)).toEqual(versions)
    await waitUntil(() => window.roles.at(-1) === 'editor')
    await window.type('Again. ', 0)
    expect((await call(owner, 'POST', `${path}/accept`, { seen: amountIn(window.doc) })).status).toBe(200)
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe(window.text)
  })

  test('keeps a proposal open that was accepted part by part', async () => {
    const { proposal, path, owner, author } = await fixture.openProposal()
    const window = await open(proposal, author)
    await window.type('More. ', 0)
    await call(owner, 'PATCH', `${path}/decisions`, { keys: ['a'], decision: 'accepted' })
    const seen = amountIn(window.doc)
    await window.type('Last. ', 0)
    const finish = (looked: object) => call(owner, 'POST', `${path}/accept`, { byParts: true, seen: looked })
    expect((await finish(seen)).json['error']).toMatchObject({
      message: expect.stringContaining('Look at what is new'),
    })
    expect((await call(owner, 'GET', path)).json).toMatchObject({ state: 'open', mayWrite: true })
    expect((await finish(amountIn(window.doc))).json).toMatchObject({ state: 'accepted' })
  })

  test('and comes in while the rest is merged, as from another node, stays in the proposal, which is open again', async () => {
    const { document, proposal, path, owner, author } = await fixture.openProposal()
    const window = await open(proposal, author)
    await window.type('Seen. ', 0)
    const late = new Y.Doc()
    Y.applyUpdate(late, Y.encodeStateAsUpdate(window.doc))
    const seen = amountIn(late)
    const before = Y.encodeStateVector(late)
    late.getText('trace').insert(0, 'Unseen. ')
    const update = Y.encodeStateAsUpdate(late, before)
    const edit = { document: proposal, part: 'body', principal: author.principal.id, session: 's' } as const
    const { addText } = fixture.liveRooms
    vi.spyOn(fixture.liveRooms, 'addText').mockImplementationOnce(async (...text) => {
      await fixture.store.append([{ ...edit, update, number: 1, clients: [late.clientID] }])
      await addText(...text)
    })
    const { json } = await call(owner, 'POST', `${path}/accept`, { seen })
    expect(json['error']).toMatchObject({
      message: expect.stringContaining('What you have seen is in the original.'),
    })
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe('Seen. Once upon a time.')
    expect((await call(owner, 'GET', path)).json).toMatchObject({ state: 'open', decidedBy: null })
    expect((await call(owner, 'POST', `${path}/accept`, { seen: amountIn(late) })).status).toBe(200)
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe('Unseen. Seen. Once upon a time.')
  })
})

test('no part is decided while the whole is accepted', async () => {
  const { path, owner, editor, document } = await fixture.openProposal('x'.repeat(200_000))
  const accepting = call(owner, 'POST', `${path}/accept`, {})
  const decided = await Promise.all(
    ['k1', 'k2', 'k3'].map((key) =>
      call(editor, 'PATCH', `${path}/decisions`, { keys: [key], decision: 'accepted' }),
    ),
  )
  const isAccepted = (await accepting).status === 200
  const { json } = await call(owner, 'GET', path)
  const kept = Object.keys(json['decisions'] as unknown as object)
  expect(kept.length).toBe(decided.filter(({ status }) => status === 200).length)
  expect([isAccepted, kept.length > 0]).not.toEqual([true, true])
  expect((await call(owner, 'GET', document)).status).toBe(200)
})

test('a proposal that is rejected leaves the original byte for byte', async () => {
  const { document, proposal, path, owner, editor, author } = await fixture.openProposal()
  await (await open(proposal, author)).type('more')
  const rows = () => fixture.db.selectFrom('log').selectAll().where('document', '=', document).execute()
  const before = await rows()
  expect((await call(editor, 'POST', `${path}/reject`)).status).toBe(200)
  expect(await rows()).toEqual(before)
  expect((await call(owner, 'POST', `${path}/accept`, {})).status).toBe(409)
  expect((await call(owner, 'POST', `${path}/reopen`)).status).toBe(200)
  await (await open(proposal, author)).type(' and more')
  expect((await call(owner, 'POST', `${path}/accept`, {})).status).toBe(200)
})

describe('what cannot be merged leaves the original as it is, and the proposal open', () => {
  const refusedSentence = async (
    path: string,
    who: { cookie: string },
    document: string,
  ): Promise<string> => {
    const versions = async () => (await call(who, 'GET', `${document}/versions`)).json
    const before = [await fixture.stateOf(document), await versions()]
    const { status, json } = await call(who, 'POST', `${path}/accept`, {})
    expect([await fixture.stateOf(document), await versions()]).toEqual(before)
    expect((await call(who, 'GET', path)).json).toMatchObject({
      state: 'open',
      mayWrite: true,
      decidedBy: null,
    })
    return `${status} ${(json['error'] as { message: string } | undefined)?.message}`
  }

  /** A proposal whose author writes under the client id of a window that the owner opened later. */
  async function openForged(write: (doc: Y.Doc) => void) {
    const opened = await fixture.openProposal('')
    const { document, proposal, owner, author } = opened
    const late = await open(document, owner)
    await late.type('owned')
    const forged = new Y.Doc()
    Y.applyUpdate(forged, Y.encodeStateAsUpdate(await fixture.load(proposal)))
    forged.clientID = late.doc.clientID
    const window = await open(proposal, author, forged)
    const before = Y.encodeStateVector(forged)
    write(forged)
    await window.send(Y.encodeStateAsUpdate(forged, before))
    return { ...opened, late }
  }

  test.each<[string, (doc: Y.Doc) => void]>([
    ['text behind it', (doc) => doc.getText('trace').insert(0, 'more than was there')],
    [
      'a deletion of as much',
      (doc) => {
        doc.getText('trace').insert(0, 'owned')
        doc.getText('trace').delete(0, 5)
      },
    ],
    ['the same text', (doc) => doc.getText('trace').insert(0, 'owned')],
  ])('[A5] under somebody else’s client id: %s', async (_what, write) => {
    const { path, owner, document, late } = await openForged(write)
    expect(await refusedSentence(path, owner, document)).toMatch(
      /^409 This proposal cannot be merged: .*one by one/,
    )
    await late.type('!')
    expect((await fixture.load(document)).getText('trace').toJSON()).toBe('owned!')
  })

  test('and who wrote in the original before is named in its next version', async () => {
    const { path, owner, editor, document } = await openForged((doc) =>
      doc.getText('trace').insert(0, 'more than was there'),
    )
    await (await open(document, editor)).type('By the editor.')
    expect(await refusedSentence(path, owner, document)).toMatch(/^409 /)
    const { json } = await call(owner, 'POST', `${document}/versions`, { name: 'After' })
    const ids = (json['authors'] as unknown as { id: string }[]).map(({ id }) => id)
    expect(ids).toContain(editor.principal.id)
  })

  test('where the version that it began with is damaged', async () => {
    const { path, proposal, owner, document } = await fixture.openProposal()
    const damaged = { state: new Uint8Array([1, 2, 3]) }
    await fixture.db.updateTable('versions').set(damaged).where('document', '=', proposal).execute()
    expect(await refusedSentence(path, owner, document)).toMatch(/^503 /)
  })

  test('where the owner’s space is full', async () => {
    await using small = await openProposalFixture({ LIMIT_STORAGE_OF_PERSON: '1' })
    const former = fixture
    fixture = small
    try {
      const { path, proposal, owner, author, document, ownerWindow } = await fixture.openProposal('')
      await ownerWindow.type('x'.repeat(700_000))
      await (await open(proposal, author)).type('y'.repeat(400_000))
      expect(await refusedSentence(path, owner, document)).toMatch(/^507 /)
    } finally {
      fixture = former
    }
  })
})
