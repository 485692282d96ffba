import { afterEach, expect, describe, test, vi } from 'vitest'
import * as Y from 'yjs'
import { MAX_TYPE_DEPTH } from '../../lib/protocol/limits.ts'
import type { Principal } from '../access/principal.ts'
import { FaultHistory, SET_ASIDE_MS } from './fault-history.ts'
import {
  docOf,
  type RoomsFixture,
  openRoomsFixtureForFile,
  isPending,
  openRoomsFixture,
  refusalOf,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { embedUpdateOf, nestedArrays } from './fixtures/update-writer.ts'
import type { RoomSubscriber } from './rooms.ts'
import { RoomDoc } from './integrate-update.ts'
import { LogTail } from './log-tail.ts'

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

const POISON = 'poison'

/** An edit of a client that has nothing yet. */
const poisonUpdate = (): Uint8Array => Y.encodeStateAsUpdate(docOf(POISON))

/** Yjs integrates the first letters and breaks on the later ones: the Y.Doc then holds half of the edit. */
function halfPoisonUpdate(): Uint8Array {
  const doc = docOf('half')
  doc.getText('trace').insert(0, POISON)
  return Y.encodeStateAsUpdate(doc)
}

const isPoison = (content: unknown): boolean =>
  content instanceof Y.ContentString && content.str.includes(POISON)

/** Stands for an edit that passes the check and breaks Yjs. */
function breakIntegration(): void {
  const { integrate } = Y.Item.prototype
  vi.spyOn(Y.Item.prototype, 'integrate').mockImplementation(function (this: Y.Item, ...parameters) {
    if (isPoison(this.content)) throw new Error('Yjs broke')
    integrate.apply(this, parameters)
  })
}

/** Stands for a value that is too deep: it is read, and overflows the stack when it is written. */
function breakEncoding(): void {
  const { write } = Y.ContentString.prototype
  vi.spyOn(Y.ContentString.prototype, 'write').mockImplementation(function (
    this: Y.ContentString,
    ...parameters
  ) {
    if (isPoison(this)) throw new RangeError('Maximum call stack size exceeded')
    write.apply(this, parameters)
  })
}

const storedText = async (id: string): Promise<string> => (await fixture.read(id)).getText('trace').toJSON()

/** Whatever happens to a room, the members of the room beside it are neither evicted nor slowed down. */
let controlDocument: { id: string; windows: RoomWindow[] } | null = null
afterEach(async () => {
  vi.restoreAllMocks()
  fixture.store.release()
  controlDocument ??= await fixture.documentWithWindows()
  const [one, other] = controlDocument.windows as [RoomWindow, RoomWindow]
  const text = `${one.text}.`
  await one.type('.')
  await waitUntil(() => other.text === text)
  expect([one.evictionReason, other.evictionReason, await storedText(controlDocument.id)]).toEqual([
    null,
    null,
    text,
  ])
})

describe('[A7] an edit that breaks Yjs', () => {
  test('is refused, and nothing of it stays; earlier accepted edits are there, and nobody is evicted', async () => {
    const { windows, id, owner } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    await ada.type('kept ')
    fixture.store.hold()
    const saved = bob.type('queued ')
    const bad = halfPoisonUpdate()
    breakIntegration()
    expect((await refusalOf(ada.send(bad))).code).toBe('bad-update')
    vi.restoreAllMocks()
    expect(await isPending(saved)).toBe(true)
    fixture.store.release()
    await saved
    await bob.type('and more')
    await waitUntil(() => ada.text === 'kept queued and more')
    expect([ada.evictionReason, bob.evictionReason, await storedText(id)]).toEqual([
      null,
      null,
      'kept queued and more',
    ])
    // A client that has something already is sent what the room's document holds.
    const late = await RoomWindow.open(fixture.rooms, id, owner, docOf('mine '))
    expect(late.text.replace('mine ', '')).toBe('kept queued and more')
  })

  test('affects its author alone in a busy room: others in the same batch are saved', async () => {
    const { windows, id, owner } = await fixture.documentWithWindows(25)
    const [ada] = windows as [RoomWindow]
    await Promise.all(windows.map((window) => window.type('.')))
    const link = await fixture.linkPrincipalTo(id, 'editor', owner)
    const [mallory, again] = [
      await RoomWindow.open(fixture.rooms, id, link.principal),
      await RoomWindow.open(fixture.rooms, id, link.principal),
    ]
    const bad = poisonUpdate()
    breakIntegration()
    const outcomes = Promise.all([
      ada.type('before ').then(() => 'saved'),
      refusalOf(mallory.send(bad)).then(({ code }) => code),
      refusalOf(again.type('by the same')).then(({ code }) => code),
      windows[1]!.type('behind ').then(() => 'saved'),
    ])
    expect(await outcomes).toEqual(['saved', 'bad-update', 'behind', 'saved'])
    vi.restoreAllMocks()
    expect(windows.every(({ evictionReason }) => evictionReason === null)).toBe(true)
    const text = await storedText(id)
    expect([text.includes('before '), text.includes('behind '), text.length]).toEqual([true, true, 25 + 14])
    await waitUntil(() => windows.every(({ text: seen }) => seen === text))
  })

  test('does not make an edit on top of it in the same batch bad: that one is only early', async () => {
    const { windows, owner, id } = await fixture.documentWithWindows(25)
    const [ada] = windows as [RoomWindow]
    await Promise.all(windows.map((window) => window.type('.')))
    const link = await fixture.linkPrincipalTo(id, 'editor', owner)
    const mallory = await RoomWindow.open(fixture.rooms, id, link.principal)
    const author = docOf(POISON)
    const bad = Y.encodeStateAsUpdate(author)
    const reader = new Y.Doc()
    Y.applyUpdate(reader, bad)
    const before = Y.encodeStateVector(reader)
    reader.getText('trace').insert(0, 'on top of it')
    const early = Y.encodeStateAsUpdate(reader, before)
    breakIntegration()
    const codes = await Promise.all([mallory.send(bad), ada.send(early)].map((sent) => refusalOf(sent)))
    expect(codes.map(({ code }) => code)).toEqual(['bad-update', 'behind'])
  })

  test('may hold a type that is nested too deep', async () => {
    const { windows } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    let around: Y.Map<unknown> = ada.doc.getMap('map')
    ada.doc.transact(() => {
      for (let depth = 0; depth < MAX_TYPE_DEPTH; depth++) around = around.set('in', new Y.Map<unknown>())
    })
    await ada.send(Y.encodeStateAsUpdate(ada.doc))
    around.set('in', new Y.Map())
    expect(await refusalOf(ada.send(Y.encodeStateAsUpdate(ada.doc)))).toMatchObject({ code: 'bad-update' })
    await bob.type('on')
  })
})

test('[A6] sixteen embeds of 9,000 nested brackets in one turn are refused, and cost nobody anything', async () => {
  const { windows, id } = await fixture.documentWithWindows()
  const [ada, bob] = windows as [RoomWindow, RoomWindow]
  const sent = Array.from({ length: 16 }, (_, index) =>
    ada.send(embedUpdateOf(nestedArrays(9_000), 1_000 + index)),
  )
  const reasons = await Promise.all(sent.map((one) => refusalOf(one)))
  expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['bad-update']))
  await bob.type('on')
  await waitUntil(() => ada.text === 'on')
  expect([await storedText(id), bob.evictionReason]).toEqual(['on', null])
})

describe('[A7] an error', () => {
  test('while edits are merged for the others: they are sent one by one', async () => {
    const { windows } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    const edits = Array.from({ length: 16 }, () => poisonUpdate())
    breakEncoding()
    await Promise.all(edits.map((update) => ada.send(update)))
    await waitUntil(() => bob.text === POISON.repeat(16))
    expect([ada.evictionReason, bob.evictionReason]).toEqual([null, null])
  })

  test('while one member is sent something evicts that member, and the others receive it', async () => {
    const { windows } = await fixture.documentWithWindows(3)
    const [ada, bob, eve] = windows as [RoomWindow, RoomWindow, RoomWindow]
    const fail = vi.fn<() => boolean>(() => {
      throw new Error('a member broke')
    })
    Object.defineProperty(bob, 'refusesChanges', { get: fail })
    await ada.type('one')
    await ada.type(' two')
    await waitUntil(() => eve.text === 'one two' && bob.evictionReason !== null)
    expect([
      bob.evictionReason?.code,
      ada.evictionReason,
      eve.evictionReason,
      fail.mock.calls.length,
    ]).toEqual(['overloaded', null, null, 1])
  })

  test('after a commit closes the room: nobody receives saved, what is on disk is there, and all join again', async () => {
    const { windows, id, open } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    await ada.type('acknowledged ')
    vi.spyOn(LogTail.prototype, 'add').mockImplementationOnce(() => {
      throw new Error('no memory')
    })
    expect((await refusalOf(bob.type('on disk '))).code).toBe('overloaded')
    expect([ada.evictionReason?.code, bob.evictionReason?.code]).toEqual(['overloaded', 'overloaded'])
    expect((await refusalOf(ada.type('unsaved'))).code).toBe('overloaded')
    const [again, other] = [await open(), await open()]
    expect([again.text, await storedText(id)]).toEqual(['acknowledged on disk ', 'acknowledged on disk '])
    await again.type('and on')
    await waitUntil(() => other.text === 'acknowledged on disk and on')
    ada.membership.leave() // former members do not make the next room fail too
    await other.type('!')
    await waitUntil(() => again.text === 'acknowledged on disk and on!')
  })

  test('closes a room while somebody joins it: whoever joins next gets another one', async () => {
    const { windows, id, owner, open } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    await ada.type('acknowledged')
    const [turn, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const admit = (): Promise<void> => {
      arrived.resolve()
      return turn.promise
    }
    const stateVector = Uint8Array.of(0)
    const request = {
      document: id,
      part: 'body',
      principal: owner,
      session: 'test',
      token: '',
      stateVector,
    } as const
    const late = refusalOf(fixture.rooms.join({ ...request, admit }, {} as RoomSubscriber))
    await arrived.promise
    vi.spyOn(LogTail.prototype, 'add').mockImplementationOnce(() => {
      throw new Error('no memory')
    })
    expect((await refusalOf(bob.type(' and on disk'))).code).toBe('overloaded')
    expect((await open()).text).toBe('acknowledged and on disk')
    turn.resolve()
    expect((await late).code).toBe('overloaded')
  })

  test('while a batch waits for the disk loses nothing that the disk then takes', async () => {
    const { windows, id, owner } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    await ada.send(poisonUpdate())
    fixture.store.hold()
    const saved = bob.type(' queued')
    breakEncoding()
    const someText = Y.encodeStateVector(docOf('other'))
    const late = new RoomWindow()
    expect((await refusalOf(late.join(fixture.rooms, id, owner, someText))).code).toBe('overloaded')
    vi.restoreAllMocks()
    const again = RoomWindow.open(fixture.rooms, id, owner)
    expect(await isPending(again)).toBe(true) // the next room waits for what the last one still has to write
    fixture.store.release()
    await saved
    expect((await again).text).toContain(' queued')
  })

  test('while a lagging reader catches up closes the room', async () => {
    const { windows, open } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    bob.refusesChanges = true
    await ada.send(poisonUpdate())
    breakEncoding()
    bob.membership.catchUp()
    expect([ada.evictionReason?.code, bob.evictionReason?.code]).toEqual(['overloaded', 'overloaded'])
    vi.restoreAllMocks()
    expect((await open()).text).toBe(POISON)
  })

  test('while the digest is computed closes the room', async () => {
    const { windows } = await fixture.documentWithWindows()
    const [ada] = windows as [RoomWindow]
    await ada.type('text')
    vi.spyOn(crypto.subtle, 'digest').mockRejectedValueOnce(new Error('no digest'))
    expect(await ada.membership.computeDigest()).toBeNull()
    expect(ada.evictionReason?.code).toBe('overloaded')
  })

  test('while the room is compacted leaves the log as it is, and the room open', async () => {
    const { windows, id } = await fixture.documentWithWindows()
    const [ada] = windows as [RoomWindow]
    await ada.send(poisonUpdate())
    const compact = vi.spyOn(fixture.store, 'compact')
    breakEncoding()
    await Promise.all(Array.from({ length: 600 }, () => ada.type('.')))
    vi.restoreAllMocks()
    await ada.type('!')
    expect([compact.mock.calls.length, ada.evictionReason]).toEqual([0, null])
    expect(await storedText(id)).toHaveLength(POISON.length + 601)
  })

  test('while a timer reads the title only leaves the list without it', async () => {
    const { windows, id } = await fixture.documentWithWindows()
    const [ada] = windows as [RoomWindow]
    const { getText } = Y.Doc.prototype
    const read = vi.spyOn(Y.Doc.prototype, 'getText').mockImplementation(function (this: Y.Doc, name) {
      if (this instanceof RoomDoc && name === 'title') throw new Error('no title')
      return getText.call(this, name)
    })
    await ada.type('text')
    await waitUntil(() => read.mock.results.some(({ type }) => type === 'throw'))
    vi.restoreAllMocks()
    ada.doc.getText('title').insert(0, 'Title')
    await ada.send(Y.encodeStateAsUpdate(ada.doc))
    const title = () =>
      fixture.db.selectFrom('documents').select('title').where('id', '=', id).executeTakeFirst()
    await waitUntil(async () => (await title())?.title === 'Title')
  })

  test('while versions are notified leaves the room open', async () => {
    const edited = vi.fn<(document: string) => void>(() => {
      throw new Error('no version')
    })
    await using fixture = await openRoomsFixture({ versions: { onEdited: edited, onLeft: () => {} } })
    const { windows } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    await ada.type('one')
    await bob.type(' two')
    expect([ada.evictionReason, edited.mock.calls.length]).toEqual([null, 2])
  })
})

describe('[A7] a document that fails again and again', () => {
  async function openFailingDocument() {
    const clock = { now: 0 }
    const fixture = await openRoomsFixture({ faults: new FaultHistory(() => clock.now) })
    const shared = await fixture.documentWithWindows()
    const { id, owner, open } = shared
    const [ada] = shared.windows as [RoomWindow]
    await ada.send(poisonUpdate())
    const someText = Y.encodeStateVector(docOf('other'))
    const joinAndCompare = () => refusalOf(new RoomWindow().join(fixture.rooms, id, owner, someText))
    return {
      ...shared,
      open,
      fixture,
      clock,
      joinAndCompare,
      [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
    }
  }

  test('is set aside with that reason; others are not, and it is whole when it comes back after a while', async () => {
    await using failingDocument = await openFailingDocument()
    const { fixture, clock, joinAndCompare, open } = failingDocument
    breakEncoding()
    for (let left = 3; left > 0; left--) expect((await joinAndCompare()).code).toBe('overloaded')
    const reason = await refusalOf(open())
    expect(reason).toEqual({
      code: 'set-aside',
      detail: 'The server tries again in 10 minutes.',
      retryAfterMs: 30_000,
    })
    const { id, owner }: { id: string; owner: Principal } = await fixture.document()
    await (await RoomWindow.open(fixture.rooms, id, owner)).type('beside it')
    await expect(
      fixture.rooms.edit(failingDocument.id, 'body', failingDocument.owner, () => {}),
    ).rejects.toThrow('10 minutes')
    vi.restoreAllMocks()
    clock.now += SET_ASIDE_MS
    expect((await open()).text).toBe(POISON)
  })

  test('is set aside too if its stored text breaks Yjs while it is loaded', async () => {
    await using fixture = await openRoomsFixture({ faults: new FaultHistory(() => 0) })
    const { id, owner } = await fixture.document()
    const edit = {
      document: id,
      part: 'body',
      principal: owner.id,
      session: 'test',
      number: 1,
      clients: [1],
    } as const
    await fixture.store.append([{ ...edit, update: Uint8Array.of(1, 2, 3) }])
    const codes: string[] = []
    for (let left = 4; left > 0; left--)
      codes.push((await refusalOf(RoomWindow.open(fixture.rooms, id, owner))).code)
    expect(codes).toEqual(['overloaded', 'overloaded', 'overloaded', 'set-aside'])
  })
})
