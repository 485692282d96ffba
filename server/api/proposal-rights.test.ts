/** Rights x proposals: what each person may do to a proposal in each state, by roles, by the API, by lists and by the search. */
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { MAX_DECISIONS_AT_ONCE } from '../../lib/protocol/limits.ts'
import type { Principal, Role } from '../access/principal.ts'
import { MAX_DECISIONS } from '../proposals/proposal-rows.ts'
import type { StoredProposalState } from '../store/schema.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

type Person = Awaited<ReturnType<ApiFixture['createPerson']>>
const call = (who: Pick<Person, 'cookie'>, method: string, path: string, body?: unknown) =>
  fixture.call(method, path, { cookie: who.cookie, body })

const people = ['owner', 'editor', 'viewer', 'author', 'removed author', 'removed', 'stranger'] as const
type PersonName = (typeof people)[number]

/** A document of `owner` that viewers may propose to change; both authors came as viewers, and each has a proposal. */
async function createProposals() {
  const entries = await Promise.all(people.map(async (name) => [name, await fixture.createPerson()] as const))
  const persons = Object.fromEntries(entries) as Record<PersonName, Person>
  const { owner } = persons
  const created = await call(owner, 'POST', '/api/documents', { title: 'Budget secret' })
  const document: string = created.json['id']!
  const setting = await call(owner, 'PATCH', `/api/documents/${document}`, { proposals: 'viewers' })
  expect(setting.status).toBe(200)
  const links = { editor: await link('editor'), viewer: await link('viewer') }
  for (const [name, role] of [
    ['editor', 'editor'],
    ['viewer', 'viewer'],
    ['author', 'viewer'],
    ['removed author', 'viewer'],
    ['removed', 'editor'],
  ] as const)
    await fixture.access.redeemShareLink(persons[name].principal, document, links[role].token)
  const [byAuthor, byRemoved] = [await propose(persons.author), await propose(persons['removed author'])]
  for (const name of ['removed author', 'removed'] as const)
    await fixture.access.removePerson(document, persons[name].principal.id, owner.principal)
  return { persons, document, byAuthor, byRemoved, links }

  function link(role: 'editor' | 'viewer') {
    return fixture.access.createShareLink(document, role, owner.principal)
  }

  async function propose(author: Person): Promise<string> {
    const { status, json } = await call(author, 'POST', `/api/documents/${document}/proposals`, {
      title: 'Spend less',
    })
    expect([status, json]).toMatchObject([201, { original: document, title: 'Spend less', state: 'open' }])
    return json['id']!
  }
}

type Created = Awaited<ReturnType<typeof createProposals>>

const setState = (proposal: string, state: StoredProposalState) =>
  fixture.db.updateTable('proposals').set({ state }).where('document', '=', proposal).execute()

describe('the role in a proposal', () => {
  let created: Created
  beforeAll(async () => {
    created = await createProposals()
  })

  const closed = { owner: 'viewer', editor: 'viewer', viewer: 'viewer', author: 'viewer' } as const
  const nobody = { 'removed author': null, removed: null, stranger: null } as const
  const roles: Record<StoredProposalState, Record<PersonName, Role | null>> = {
    open: { ...nobody, owner: 'editor', editor: 'editor', viewer: 'viewer', author: 'editor' },
    accepting: { ...nobody, ...closed },
    accepted: { ...nobody, ...closed },
    rejected: { ...nobody, ...closed },
    withdrawn: { ...nobody, ...closed },
  }

  test.each(Object.entries(roles))('that is %s follows the original', async (state, expected) => {
    const { byAuthor, byRemoved, persons } = created
    await setState(byAuthor, state as StoredProposalState)
    await setState(byRemoved, state as StoredProposalState)
    const rolesIn = (proposal: string) =>
      Promise.all(people.map((name) => fixture.access.roleOf(persons[name].principal, proposal)))
    expect(await rolesIn(byAuthor)).toEqual(people.map((name) => expected[name]))
    // Of an author without access the editors keep what was proposed, and another viewer is no author.
    const others = { ...expected, author: 'viewer' as const }
    expect(await rolesIn(byRemoved)).toEqual(people.map((name) => others[name]))
  })

  test('of programs with a link’s token is what the link gives in the original, and closed links give none', async () => {
    const { byAuthor, links, persons } = created
    await setState(byAuthor, 'open')
    const roleOf = (who: Principal, token?: string) => fixture.access.roleOf(who, byAuthor, token)
    const [editor, viewer] = [
      await fixture.admitLinkToken(links.editor.token),
      await fixture.admitLinkToken(links.viewer.token),
    ]
    expect([await roleOf(editor), await roleOf(viewer)]).toEqual(['editor', 'viewer'])
    expect(await roleOf(persons.stranger.principal, links.viewer.token)).toBe('viewer')
    expect(await roleOf(persons.removed.principal, links.editor.token)).toBeNull()
  })

  test('ends in the trash with the original, and comes back with it', async () => {
    const { byAuthor, document, persons } = created
    const read = () => fixture.access.roleOf(persons.owner.principal, byAuthor)
    expect((await call(persons.owner, 'DELETE', `/api/documents/${document}`)).status).toBe(204)
    expect(await read()).toBeNull()
    expect((await call(persons.owner, 'GET', `/api/documents/${byAuthor}`)).status).toBe(404)
    expect((await call(persons.author, 'GET', '/api/trash')).json['documents']).toEqual([])
    expect((await call(persons.owner, 'POST', `/api/trash/${document}/restore`)).status).toBe(204)
    expect(await read()).toBe('editor')
  })
})

describe('the API', () => {
  let created: Created
  beforeAll(async () => {
    created = await createProposals()
  })

  /** The status that each person gets: whoever may not read the original learns nothing. */
  const statuses = (allowed: number, refused: number, who: readonly PersonName[]) =>
    Object.fromEntries(
      people.map((name) => {
        const isReader = ['owner', 'editor', 'viewer', 'author'].includes(name)
        return [name, who.includes(name) ? allowed : isReader ? refused : 404]
      }),
    )

  const readers = ['owner', 'editor', 'viewer', 'author'] as const
  test.each<[string, string, (ids: Created) => string, unknown, Record<string, number>]>([
    ['the list', 'GET', (ids) => `${ids.document}/proposals`, undefined, statuses(200, 0, readers)],
    [
      'one',
      'GET',
      (ids) => `${ids.document}/proposals/${ids.byAuthor}`,
      undefined,
      statuses(200, 0, readers),
    ],
    ['its document', 'GET', (ids) => ids.byAuthor, undefined, statuses(200, 0, readers)],
    ['its versions', 'GET', (ids) => `${ids.byAuthor}/versions`, undefined, statuses(200, 0, readers)],
    ['its people', 'GET', (ids) => `${ids.byAuthor}/people`, undefined, statuses(200, 0, readers)],
    [
      'its readers',
      'GET',
      (ids) => `${ids.byAuthor}/readers`,
      undefined,
      statuses(200, 403, ['owner', 'editor', 'author']),
    ],
    ['a link to it', 'POST', (ids) => `${ids.byAuthor}/links`, { role: 'viewer' }, statuses(0, 403, [])],
    ['its links', 'GET', (ids) => `${ids.byAuthor}/links`, undefined, statuses(0, 403, [])],
    ['its access', 'GET', (ids) => `${ids.byAuthor}/access`, undefined, statuses(0, 403, [])],
    ['its trash', 'DELETE', (ids) => ids.byAuthor, undefined, statuses(0, 403, [])],
    ['its proposers', 'PATCH', (ids) => ids.byAuthor, { proposals: 'viewers' }, statuses(0, 403, [])],
    ['a proposal to it', 'POST', (ids) => `${ids.byAuthor}/proposals`, {}, statuses(0, 409, [])],
    [
      'its title',
      'PATCH',
      (ids) => ids.byAuthor,
      { title: 'Budget secret' },
      statuses(200, 403, ['owner', 'editor', 'author']),
    ],
    [
      'a decision',
      'PATCH',
      (ids) => `${ids.document}/proposals/${ids.byAuthor}/decisions`,
      { keys: ['ä/1'], decision: 'rejected' },
      statuses(200, 403, ['owner', 'editor']),
    ],
  ])('gives %s by %s to those who may have it', async (_what, method, path, body, expected) => {
    const answers: Record<string, number> = {}
    for (const name of people) {
      const { status } = await call(created.persons[name], method, `/api/documents/${path(created)}`, body)
      answers[name] = status
    }
    expect(answers).toEqual(expected)
  })

  test('changes a state by whom it may be changed, from the states that it may be changed from', async () => {
    const { persons, document, byRemoved: byAuthor } = await createProposals()
    const actions = ['reject', 'withdraw', 'reopen'] as const
    const author = 'removed author'
    await fixture.db.deleteFrom('grants').where('principal', '=', persons[author].principal.id).execute()
    const { token } = await fixture.access.createShareLink(document, 'viewer', persons.owner.principal)
    await fixture.access.redeemShareLink(persons[author].principal, document, token)
    const allowed: string[] = []
    for (const state of ['open', 'accepting', 'accepted', 'rejected', 'withdrawn'] as const)
      for (const action of actions)
        for (const name of people) {
          await setState(byAuthor, state)
          const path = `/api/documents/${document}/proposals/${byAuthor}/${action}`
          const { status, json } = await call(persons[name], 'POST', path)
          if (status === 200) allowed.push(`${state}: ${name} ${action}`)
          else expect([403, 404, 409]).toContain(status)
          const row = await fixture.db
            .selectFrom('proposals')
            .select(['state', 'decided_by'])
            .where('document', '=', byAuthor)
            .executeTakeFirstOrThrow()
          if (status === 200) expect(json['state']).toBe(row.state)
          else expect(row.state).toBe(state)
        }
    expect(allowed).toEqual([
      'open: owner reject',
      'open: editor reject',
      'open: removed author withdraw',
      'rejected: owner reopen',
      'rejected: editor reopen',
      'withdrawn: removed author reopen',
    ])
  })

  test('of two who decide at once one wins, and the other is told', async () => {
    const { persons, document, byAuthor } = await createProposals()
    const path = `/api/documents/${document}/proposals/${byAuthor}`
    const answers = await Promise.all([
      call(persons.editor, 'POST', `${path}/reject`),
      call(persons.author, 'POST', `${path}/withdraw`),
      call(persons.owner, 'POST', `${path}/reject`),
    ])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409'])
    const { json } = answers.find(({ status }) => status === 409)!
    expect(json['error']).toMatchObject({
      message: expect.stringMatching(/^This proposal is \w+ already\.$/),
    })
  })

  test('[A6] notes decisions with short keys, at most 2,000 at once and 20,000 in all, and takes them back', async () => {
    const { persons, document, byAuthor } = await createProposals()
    const path = `/api/documents/${document}/proposals/${byAuthor}`
    const decide = async (keys: readonly string[], decision: string | null) => {
      const { status, json } = await call(persons.editor, 'PATCH', `${path}/decisions`, { keys, decision })
      return [status, (json['decided'] as unknown as string[] | undefined)?.length]
    }
    const keysOf = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `k${from + index}`)
    expect(await decide(['é'.repeat(32)], 'accepted')).toEqual([200, 1])
    expect(await decide(['é'.repeat(33)], 'accepted')).toEqual([400, undefined])
    expect(await decide(['x'], 'maybe')).toEqual([400, undefined])
    expect(await decide([], 'accepted')).toEqual([200, 0])
    expect(await decide(keysOf(0, MAX_DECISIONS_AT_ONCE + 1), 'rejected')).toEqual([400, undefined])
    expect(await decide([...keysOf(0, MAX_DECISIONS_AT_ONCE - 1), 'k7'], 'rejected')).toEqual([200, 1999])
    for (let from = 0; from < MAX_DECISIONS; from += MAX_DECISIONS_AT_ONCE)
      await decide(keysOf(from, Math.min(from + MAX_DECISIONS_AT_ONCE, MAX_DECISIONS - 1)), 'rejected')
    const full = await call(persons.editor, 'PATCH', `${path}/decisions`, {
      keys: ['more'],
      decision: 'accepted',
    })
    expect([full.status, full.json['error']]).toMatchObject([
      409,
      { message: expect.stringMatching(/^A proposal keeps at most 20,000 decisions\./) },
    ])
    expect([await decide(['k7', 'more'], 'accepted'), await decide(['k7'], 'accepted')]).toEqual([
      [409, undefined],
      [200, 1],
    ])
    expect(await decide(['k8'], null)).toEqual([200, 1])
    const { json } = await call(persons.viewer, 'GET', path)
    const decisions = json['decisions'] as unknown as Record<string, unknown>
    expect(Object.keys(decisions)).toHaveLength(MAX_DECISIONS - 1)
    const { id, name } = persons.editor.principal
    expect([decisions['k7'], decisions['k8'], decisions['k9']]).toEqual([
      { decision: 'accepted', by: { id, name } },
      undefined,
      { decision: 'rejected', by: { id, name } },
    ])
  })

  test('says nothing of another document’s proposal, also to its owner', async () => {
    const { persons, byAuthor } = created
    const own: string = (await call(persons.stranger, 'POST', '/api/documents', {})).json['id']!
    const { status, json } = await call(
      persons.stranger,
      'GET',
      `/api/documents/${own}/proposals/${byAuthor}`,
    )
    expect([status, json]).toMatchObject([404, { error: { message: 'The document has no such proposal.' } }])
  })

  test('tells each person what they may do', async () => {
    const { persons, document, byAuthor } = created
    const seen = Object.fromEntries(
      await Promise.all(
        readers.map(async (name) => {
          const { json } = await call(
            persons[name],
            'GET',
            `/api/documents/${document}/proposals/${byAuthor}`,
          )
          return [name, [json['mayDecide'], json['mayWrite']]]
        }),
      ),
    )
    expect(seen).toEqual({
      owner: [true, true],
      editor: [true, true],
      viewer: [false, false],
      author: [false, true],
    })
    const { json } = await call(persons.author, 'GET', `/api/documents/${byAuthor}`)
    expect(json).toMatchObject({
      title: 'Budget secret',
      role: 'editor',
      mayPropose: false,
      proposal: {
        original: document,
        originalTitle: 'Budget secret',
        state: 'open',
        isAuthor: true,
        mayDecide: false,
      },
    })
    const asEditor = await call(persons.editor, 'GET', `/api/documents/${byAuthor}`)
    expect(asEditor.json['proposal']).toMatchObject({ isAuthor: false, mayDecide: true })
    expect((await call(persons.viewer, 'GET', `/api/documents/${document}`)).json).toMatchObject({
      proposals: 'viewers',
      mayPropose: true,
      openProposals: 2,
      proposal: null,
    })
  })

  test('proposals are in no list of documents, and no search finds them', async () => {
    const { persons, document, byAuthor } = created
    const search = await fixture.search()
    for (const id of [document, byAuthor]) search.indexer.onChanged(id)
    await search.indexer.whenIdle()
    for (const name of people) {
      const lists = await Promise.all(
        ['', '?filter=owned', '?filter=shared', '?query=budget', `?ids=${byAuthor}`].map((query) =>
          call(persons[name], 'GET', `/api/documents${query}`),
        ),
      )
      const found = await call(persons[name], 'GET', '/api/search?q=budget')
      if (name === 'owner') expect(found.text).toContain(document)
      const texts = [...lists, found].map(({ text }) => text)
      expect(texts.filter((text) => text.includes(byAuthor))).toEqual([])
    }
  })

  test('proposing is for editors until the owner lets viewers propose', async () => {
    const { persons, document } = await createProposals()
    const propose = async (name: PersonName) => {
      const { status, json } = await call(persons[name], 'POST', `/api/documents/${document}/proposals`, {})
      return [status, (json['error'] as { message: string } | undefined)?.message]
    }
    const set = (proposals: string) =>
      call(persons.owner, 'PATCH', `/api/documents/${document}`, { proposals })
    await set('editors')
    expect(await propose('viewer')).toEqual([
      403,
      'Only people who may edit this document may propose changes to it.',
    ])
    expect([await propose('editor'), await propose('owner')]).toEqual([
      [201, undefined],
      [201, undefined],
    ])
    await set('viewers')
    expect(await propose('viewer')).toEqual([201, undefined])
    for (const name of ['removed', 'stranger'] as const) expect((await propose(name))[0]).toBe(404)
  })
})

test('a proposal begins with the original’s structs, and how it began is kept as a version', async () => {
  const { persons, document, byAuthor } = await createProposals()
  const [original, proposal] = [await fixture.loadDocument(document), await fixture.loadDocument(byAuthor)]
  expect(Y.encodeStateAsUpdate(proposal)).toEqual(Y.encodeStateAsUpdate(original))
  const { json } = await call(persons.viewer, 'GET', `/api/documents/${document}/proposals/${byAuthor}`)
  const path = `/api/documents/${byAuthor}/versions/${json['base']}`
  const { bytes, headers } = await fixture.call('GET', `${path}/state`, {
    cookie: persons.viewer.cookie,
    acceptEncoding: 'gzip',
  })
  expect(headers.get('content-encoding')).toBe('gzip')
  expect(new Uint8Array(gunzipSync(bytes))).toEqual(Y.encodeStateAsUpdate(original))
  // Without its name it would be thinned out in time.
  expect((await call(persons.editor, 'PATCH', path, { name: null })).status).toBe(404)
  expect((await call(persons.editor, 'DELETE', path)).status).toBe(403)
})

test('[A6] an author has at most 20 open proposals for a document', async () => {
  const { persons, document } = await createProposals()
  const propose = () => call(persons.editor, 'POST', `/api/documents/${document}/proposals`, {})
  const answers = await Promise.all(Array.from({ length: 22 }, propose))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(answers.find(({ status }) => status === 409)?.json['error']).toMatchObject({
    code: 'full',
    message: 'At most 20 proposals of one author are open for a document. Withdraw one first.',
  })
  const listed: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor && `&cursor=${cursor}`
    const { json } = await call(
      persons.viewer,
      'GET',
      `/api/documents/${document}/proposals?state=open&limit=7${query}`,
    )
    listed.push(...(json['proposals'] as unknown as { id: string }[]).map(({ id }) => id))
    cursor = json['next'] as unknown as string | null
  }
  expect([listed.length, new Set(listed).size]).toEqual([22, 22])
})

test('a proposal to change a document that is gone is refused in a sentence', async () => {
  const { persons, document } = await createProposals()
  await call(persons.owner, 'DELETE', `/api/documents/${document}`)
  const { status, json } = await call(persons.author, 'POST', `/api/documents/${document}/proposals`, {})
  expect([status, json]).toMatchObject([404, { error: { code: 'not-found' } }])
})
