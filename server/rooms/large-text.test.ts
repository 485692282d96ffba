/** Texts so large that the main thread decodes nothing of them in one go. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { digestOf } from '../../lib/protocol/digest.ts'
import type { Principal } from '../access/principal.ts'
import { createQuadraticUpdate } from '../store/fixtures/quadratic-update.ts'
import {
  type RoomsFixture,
  isPending,
  openRoomsFixture,
  refusalOf,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { hasSameState } from './fixtures/editing-session.ts'
import type { RoomSubscriber } from './rooms.ts'
import { TextWorkerPool } from './text-worker-pool.ts'
import { triesAll } from '../../lib/fixtures/runs.ts'

const LINE = 'A line of words that stands for many. '.repeat(12)

let fixture: RoomsFixture
let owner: Principal
let id: string

const setUp = async (parts: Parameters<typeof openRoomsFixture>[0] = {}): Promise<void> => {
  fixture = await openRoomsFixture(parts)
  ;({ id, owner } = await fixture.document())
}
beforeEach(() => setUp())
afterEach(async () => {
  vi.restoreAllMocks()
  await fixture[Symbol.asyncDispose]()
})

/** A text that was typed here and there, over 1 MiB. */
function largeDoc(): Y.Doc {
  const doc = new Y.Doc()
  const text = doc.getText('trace')
  doc.transact(() => {
    for (let index = 0; index < 3_000; index++) text.insert((index * 7919) % (text.length + 1), LINE)
    text.delete(100, 1_000)
  })
  return doc
}

const appendToStore = (update: Uint8Array) =>
  fixture.store.append([
    { document: id, part: 'body', update, principal: owner.id, session: 's', number: 1, clients: [1] },
  ])

const open = (doc?: Y.Doc): Promise<RoomWindow> => RoomWindow.open(fixture.rooms, id, owner, doc)

/** Counts the calls of a method of the worker pool, which still does its work. */
const spyOnWorkers = (method: 'stateVector' | 'difference' | 'digest' | 'size' | 'pieces') =>
  vi.spyOn(TextWorkerPool.prototype, method)

describe('a large text', () => {
  test('is loaded by a worker if its log has to be decoded, and sent as it is stored', async () => {
    const stateVector = spyOnWorkers('stateVector')
    const doc = largeDoc()
    await appendToStore(Y.encodeStateAsUpdate(doc))
    expect(hasSameState((await open()).doc, doc)).toBe(true)
    expect(stateVector).toHaveBeenCalledTimes(1)
  })

  test('is refused if it cannot be read', async () => {
    await appendToStore(new Uint8Array(2 * 1024 * 1024).fill(7))
    expect((await refusalOf(open())).code).toBe('overloaded')
  })

  test('takes its first edits in their order, while others get answers', async () => {
    const pieces = spyOnWorkers('pieces')
    const doc = largeDoc()
    await appendToStore(Y.encodeStateAsUpdate(doc))
    const [ada, bob] = await Promise.all([open(), open()])
    const other = await fixture.documentWithWindows(1)
    const typed = Promise.all(Array.from({ length: 20 }, (_, index) => ada.type(`${index} `, index)))
    const written = bob.type('Bob was here. ', 500_000)
    const first = await Promise.race([
      typed.then(() => 'the large one'),
      other.windows[0]!.type('quick').then(() => 'the other one'),
    ])
    expect(first).toBe('the other one')
    await Promise.all([typed, written])
    await ada.type('and one more', 0)
    await waitUntil(() => bob.text === ada.text)
    expect(hasSameState(await fixture.read(id), ada.doc)).toBe(true)
    expect(hasSameState((await open()).doc, ada.doc)).toBe(true)
    expect(pieces).toHaveBeenCalledTimes(1)
  })

  test.runIf(triesAll)('is one of many items, too, however short it is', async () => {
    const pieces = spyOnWorkers('pieces')
    const typed = new Y.Doc()
    const text = typed.getText('trace')
    typed.transact(() => {
      for (let index = 0; index < 30_000; index++) text.insert(0, 'a')
    })
    await appendToStore(Y.encodeStateAsUpdate(typed))
    const ada = await open()
    await ada.type('!')
    expect(hasSameState(await fixture.read(id), ada.doc)).toBe(true)
    expect(pieces).toHaveBeenCalledTimes(1)
  })

  test('takes a long edit before the short ones that were sent behind it', async () => {
    await appendToStore(Y.encodeStateAsUpdate(largeDoc()))
    const ada = await open()
    const typed = ['first', 'a long paste '.repeat(10_000), 'behind it', 'last'].map((text) => ada.type(text))
    await Promise.all(typed)
    expect((await fixture.read(id)).getText('trace').toJSON()).toBe(ada.text)
  })

  test('stores an edit of a member that leaves at once', async () => {
    await appendToStore(Y.encodeStateAsUpdate(largeDoc()))
    const ada = await open()
    const saved = ada.type('the last word')
    ada.membership.leave()
    await saved
    expect((await fixture.read(id)).getText('trace').toJSON()).toBe(ada.text)
  })

  test.runIf(triesAll)('makes the close wait for an edit that waits for the text', async () => {
    await appendToStore(Y.encodeStateAsUpdate(largeDoc()))
    const ada = await open()
    const saved = ada.type('the last word')
    await fixture.rooms.close()
    await saved
    expect((await fixture.read(id)).getText('trace').toJSON()).toBe(ada.text)
  })

  test('is sent in part to a client that has the rest, with what is written meanwhile, before and after the first edit', async () => {
    const difference = spyOnWorkers('difference')
    const doc = largeDoc()
    const part = new Y.Doc()
    part.getText('trace').insert(0, 'typed offline ')
    await appendToStore(Y.encodeStateAsUpdate(doc))
    const ada = await open(part)
    expect(difference).toHaveBeenCalled()
    difference.mockClear()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(part))
    expect(hasSameState(ada.doc, doc)).toBe(true)
    await ada.send(Y.encodeStateAsUpdate(part))
    const other = new Y.Doc()
    other.getText('trace').insert(0, 'something else ')
    const joining = open(other)
    const saved = Promise.all(Array.from({ length: 50 }, (_, index) => ada.type(`${index} `)))
    const bob = await joining
    await saved
    await waitUntil(() => bob.text.includes('49 '))
    await bob.send(Y.encodeStateAsUpdate(bob.doc))
    await waitUntil(() => ada.text === bob.text)
    expect(hasSameState(ada.doc, bob.doc)).toBe(true)
    expect(difference).toHaveBeenCalled()
  })

  test.runIf(triesAll)('is sent at once to a client that lacks little of it', async () => {
    await appendToStore(Y.encodeStateAsUpdate(largeDoc()))
    const ada = await open()
    await ada.type('made ')
    const difference = spyOnWorkers('difference')
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(ada.doc))
    await ada.type('little')
    expect((await open(copy)).text).toBe(ada.text)
    expect(difference).not.toHaveBeenCalled()
  })

  test('lets a member that lagged far behind catch up, with what is written meanwhile', async () => {
    const ada = await open()
    const bob = await open()
    bob.refusesChanges = true
    const difference = spyOnWorkers('difference')
    for (let part = 0; part < 4; part++) await ada.type(LINE.repeat(1_000))
    await waitUntil(() => bob.membership.lagBytes() > 1024 * 1024)
    bob.refusesChanges = false
    bob.membership.catchUp()
    await Promise.all(Array.from({ length: 50 }, (_, index) => ada.type(`${index} `)))
    await waitUntil(() => bob.text === ada.text)
    expect(difference).toHaveBeenCalled()
    expect(bob.receivedKinds).toContain('caught up')
    await ada.type('and more')
    await waitUntil(() => bob.text === ada.text)
  })

  test('[D7] has the digest of its text, before and after its first edit', async () => {
    const digest = spyOnWorkers('digest')
    const doc = largeDoc()
    await appendToStore(Y.encodeStateAsUpdate(doc))
    const ada = await open()
    expect(await ada.membership.computeDigest()).toEqual(await digestOf(doc))
    expect(digest).toHaveBeenCalledTimes(1)
    await ada.type('!')
    await expect.poll(() => ada.membership.computeDigest()).toEqual(await digestOf(ada.doc))
    expect(digest).toHaveBeenCalledTimes(1)
  })
})

describe('a text that takes too long', () => {
  let clock: ManualClock
  beforeEach(async () => {
    await fixture[Symbol.asyncDispose]()
    clock = new ManualClock()
    await setUp({ textWorkers: new TextWorkerPool(clock) })
  })

  /** Put into the log without reading it: a window would need as long for it as the server. */
  async function joinWithoutReading() {
    const states: (readonly Uint8Array[])[] = []
    const evicted = Promise.withResolvers<CloseReason>()
    const member: RoomSubscriber = {
      onState: ({ updates }) => void states.push(updates),
      onChange: () => true,
      onMissedEdits: () => {},
      onPresence: () => {},
      onWholePresence: () => {},
      onRole: () => {},
      onStoreStatus: () => {},
      onEvicted: evicted.resolve,
    }
    const request = { document: id, part: 'body', principal: owner, session: 's', token: '' } as const
    const membership = await fixture.rooms.join({ ...request, stateVector: Uint8Array.of(0) }, member)
    return { membership, states, evicted: evicted.promise }
  }

  test('is sent as it is stored, refuses edits, and blocks nobody else', async () => {
    const update = createQuadraticUpdate(150_000)
    await appendToStore(update)
    const { membership, states, evicted } = await joinWithoutReading()
    await waitUntil(() => states.length === 1)
    expect(states[0]).toEqual([update])
    const refused = refusalOf(membership.sendEdit(Y.encodeStateAsUpdate(new Y.Doc()), 1))
    const other = await fixture.documentWithWindows(2)
    await other.windows[0]!.type('nobody waits')
    await waitUntil(() => other.windows[1]!.text === 'nobody waits')
    await waitUntil(() => clock.timers === 1)
    expect(await isPending(refused)).toBe(true)
    await clock.pass(60_000)
    expect((await refused).code).toBe('overloaded')
    expect((await evicted).code).toBe('overloaded')
  })
})

test.runIf(triesAll)('a large text is decoded for 60 s at most', async () => {
  const clock = new ManualClock()
  const ended = expect(
    new TextWorkerPool(clock).pieces('d', [createQuadraticUpdate(150_000)]),
  ).rejects.toThrow('longer than 60 s')
  await clock.pass(59_999)
  expect(clock.timers).toBe(1)
  await clock.pass(1)
  await ended
})
