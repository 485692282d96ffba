/** Texts so large that the main thread decodes nothing of them in one go. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { digestOf } from '../../lib/protocol/digest.ts'
import type { Principal } from '../access/principal.ts'
import { quadratic } from '../store/fixtures/quadratic.ts'
import { type House, isPending, openHouse, refusalOf, until, Window } from './fixtures/house.ts'
import { same } from './fixtures/typing.ts'
import type { Member } from './rooms.ts'
import { TextThreads } from './text-threads.ts'

const WORDS = 'A line of words that stands for many. '.repeat(12)

let house: House
let owner: Principal
let id: string

const opened = async (parts: Parameters<typeof openHouse>[0] = {}): Promise<void> => {
  house = await openHouse(parts)
  ;({ id, owner } = await house.document())
}
beforeEach(() => opened())
afterEach(async () => {
  vi.restoreAllMocks()
  await house[Symbol.asyncDispose]()
})

/** Typed here and there, over 1 MiB. */
function largeDoc(): Y.Doc {
  const doc = new Y.Doc()
  const text = doc.getText('trace')
  doc.transact(() => {
    for (let index = 0; index < 3_000; index++) text.insert((index * 7919) % (text.length + 1), WORDS)
    text.delete(100, 1_000)
  })
  return doc
}

const store = (update: Uint8Array) =>
  house.store.append([
    { document: id, part: 'body', update, principal: owner.id, session: 's', number: 1, clients: [1] },
  ])

const open = (doc?: Y.Doc): Promise<Window> => Window.open(house.rooms, id, owner, doc)

/** Calls of a method of the threads, which do their work all the same. */
const watched = (method: 'stateVector' | 'difference' | 'digest' | 'pieces') =>
  vi.spyOn(TextThreads.prototype, method)

describe('a large text', () => {
  test('is loaded by a thread where its log has to be decoded, and read as it is stored', async () => {
    const stateVector = watched('stateVector')
    const doc = largeDoc()
    await store(Y.encodeStateAsUpdate(doc))
    expect(same((await open()).doc, doc)).toBe(true)
    expect(stateVector).toHaveBeenCalledTimes(1)
  })

  test('that cannot be read is refused', async () => {
    await store(new Uint8Array(2 * 1024 * 1024).fill(7))
    expect((await refusalOf(open())).code).toBe('overloaded')
  })

  test('takes its first edits in the order of their coming, and others are answered meanwhile', async () => {
    const pieces = watched('pieces')
    const doc = largeDoc()
    await store(Y.encodeStateAsUpdate(doc))
    const [ada, bob] = await Promise.all([open(), open()])
    const other = await house.shared(1)
    const typed = Promise.all(Array.from({ length: 20 }, (_, index) => ada.type(`${index} `, index)))
    const written = bob.type('Bob was here. ', 500_000)
    const first = await Promise.race([
      typed.then(() => 'the large one'),
      other.windows[0]!.type('quick').then(() => 'the other one'),
    ])
    expect(first).toBe('the other one')
    await Promise.all([typed, written])
    await ada.type('and one more', 0)
    await until(() => bob.text === ada.text)
    expect(same(await house.read(id), ada.doc)).toBe(true)
    expect(same((await open()).doc, ada.doc)).toBe(true)
    expect(pieces).toHaveBeenCalledTimes(1)
  })

  test('an edit of who leaves at once is stored', async () => {
    await store(Y.encodeStateAsUpdate(largeDoc()))
    const ada = await open()
    const saved = ada.type('the last word')
    ada.room.leave()
    await saved
    expect((await house.read(id)).getText('trace').toJSON()).toBe(ada.text)
  })

  test('the end waits for an edit that waits for its text', async () => {
    await store(Y.encodeStateAsUpdate(largeDoc()))
    const ada = await open()
    const saved = ada.type('the last word')
    await house.rooms.close()
    await saved
    expect((await house.read(id)).getText('trace').toJSON()).toBe(ada.text)
  })

  test('who has a part of it is told the rest, and what is written meanwhile, before and after the first edit', async () => {
    const difference = watched('difference')
    const doc = largeDoc()
    const part = new Y.Doc()
    part.getText('trace').insert(0, 'typed offline ')
    await store(Y.encodeStateAsUpdate(doc))
    const ada = await open(part)
    expect(difference).toHaveBeenCalled()
    difference.mockClear()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(part))
    expect(same(ada.doc, doc)).toBe(true)
    await ada.send(Y.encodeStateAsUpdate(part))
    const other = new Y.Doc()
    other.getText('trace').insert(0, 'something else ')
    const joining = open(other)
    const saved = Promise.all(Array.from({ length: 50 }, (_, index) => ada.type(`${index} `)))
    const bob = await joining
    await saved
    await until(() => bob.text.includes('49 '))
    await bob.send(Y.encodeStateAsUpdate(bob.doc))
    await until(() => ada.text === bob.text)
    expect(same(ada.doc, bob.doc)).toBe(true)
    expect(difference).toHaveBeenCalled()
  })

  test('who lacks little of it is told that at once', async () => {
    await store(Y.encodeStateAsUpdate(largeDoc()))
    const ada = await open()
    await ada.type('made ')
    const difference = watched('difference')
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(ada.doc))
    await ada.type('little')
    expect((await open(copy)).text).toBe(ada.text)
    expect(difference).not.toHaveBeenCalled()
  })

  test('who lagged behind much of it catches up, with what is written meanwhile', async () => {
    const ada = await open()
    const bob = await open()
    bob.lags = true
    const difference = watched('difference')
    for (let part = 0; part < 4; part++) await ada.type(WORDS.repeat(1_000))
    await until(() => bob.room.owes() > 1024 * 1024)
    bob.lags = false
    bob.room.catchUp()
    await Promise.all(Array.from({ length: 50 }, (_, index) => ada.type(`${index} `)))
    await until(() => bob.text === ada.text)
    expect(difference).toHaveBeenCalled()
    expect(bob.heard).toContain('caught up')
    await ada.type('and more')
    await until(() => bob.text === ada.text)
  })

  test('[D7] its digest is that of the text, before and after its first edit', async () => {
    const digest = watched('digest')
    const doc = largeDoc()
    await store(Y.encodeStateAsUpdate(doc))
    const ada = await open()
    expect(await ada.room.digest()).toEqual(await digestOf(doc))
    expect(digest).toHaveBeenCalledTimes(1)
    await ada.type('!')
    await expect.poll(() => ada.room.digest()).toEqual(await digestOf(ada.doc))
    expect(digest).toHaveBeenCalledTimes(1)
  })
})

describe('a text that takes too long', () => {
  beforeEach(async () => {
    await house[Symbol.asyncDispose]()
    await opened({ texts: new TextThreads({ limitMs: 3_000 }) })
  })

  /** In it without reading it: a window would be as busy with it as the server. */
  async function enter() {
    const states: (readonly Uint8Array[])[] = []
    const evicted = Promise.withResolvers<CloseReason>()
    const member: Member = {
      onState: ({ updates }) => void states.push(updates),
      onChange: () => true,
      onCaughtUp: () => {},
      onPresence: () => {},
      onWholePresence: () => {},
      onRole: () => {},
      onStore: () => {},
      onEvicted: evicted.resolve,
    }
    const request = { document: id, part: 'body', principal: owner, session: 's', token: '' } as const
    const membership = await house.rooms.join({ ...request, stateVector: Uint8Array.of(0) }, member)
    return { membership, states, evicted: evicted.promise }
  }

  test('is read as it is stored, refuses what is written, and stops nobody else', async () => {
    const update = quadratic(150_000)
    await store(update)
    const { membership, states, evicted } = await enter()
    await until(() => states.length === 1)
    expect(states[0]).toEqual([update])
    const refused = refusalOf(membership.edit(Y.encodeStateAsUpdate(new Y.Doc()), 1))
    const other = await house.shared(2)
    await other.windows[0]!.type('nobody waits')
    await until(() => other.windows[1]!.text === 'nobody waits')
    expect(await isPending(refused)).toBe(true)
    expect((await refused).code).toBe('overloaded')
    expect((await evicted).code).toBe('overloaded')
  })
})

test('a large text is read for 60 s at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const ended = expect(new TextThreads().pieces('d', [quadratic(150_000)])).rejects.toThrow(
      'longer than 60 s',
    )
    vi.advanceTimersByTime(59_999)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    await ended
  } finally {
    vi.useRealTimers()
  }
})
