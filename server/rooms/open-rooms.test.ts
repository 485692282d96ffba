import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { StoreError } from '../store/store.ts'
import { noTracing } from '../tracing/tracing.ts'
import { FaultHistory } from './fault-history.ts'
import { refusalOf } from './fixtures/rooms-fixture.ts'
import { type KeptRoom, OpenRooms, type RoomLife } from './open-rooms.ts'

const LINGER_MS = 30_000

/** A room that says what is done with it. */
class FakeRoom implements KeptRoom {
  readonly life: RoomLife
  readonly closed = Promise.withResolvers<void>()
  isEmpty = true
  isClosing = false
  settled = Promise.resolve()

  constructor(life: RoomLife) {
    this.life = life
  }

  whenSettled = () => this.settled

  close(): Promise<void> {
    this.isClosing = true
    return this.closed.promise
  }
}

describe('the rooms in memory', () => {
  let loaded: FakeRoom[]
  let failure: Error | null
  let openRooms: OpenRooms<FakeRoom>
  let now: number
  const use = (document = 'd') => openRooms.use(document, 'body', (room) => room)
  const codeOf = async (using: Promise<unknown>) => (await refusalOf(using)).code
  /** Lets whatever is due happen, and the timers of so many ms. */
  const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

  beforeEach(() => {
    vi.useFakeTimers()
    loaded = []
    failure = null
    now = 0
    openRooms = new OpenRooms({
      faults: new FaultHistory(() => now),
      tracing: noTracing,
      log: silentLogger,
      async load(_document, _part, life) {
        if (failure) throw failure
        const room = new FakeRoom(life)
        loaded.push(room)
        return room
      },
    })
  })
  afterEach(() => vi.useRealTimers())

  test('a part is loaded once for all who use it, and another part by itself', async () => {
    const [one, two] = await Promise.all([use(), use()])
    const comments = await openRooms.use('d', 'comments', (room) => room)
    const other = await use('e')
    expect(one).toBe(two)
    expect(openRooms.of('d')).toEqual([one, comments])
    expect([openRooms.all, openRooms.size]).toEqual([[one, comments, other], 3])
  })

  test('an empty room is kept for the time of a reload', async () => {
    const room = await use()
    await pass(LINGER_MS - 1)
    expect([room.isClosing, await use()]).toEqual([false, room])
    await pass(LINGER_MS - 1)
    expect(room.isClosing).toBe(false)
    await pass(1)
    expect([room.isClosing, room.life.isRetired, openRooms.size]).toEqual([true, true, 0])
  })

  test('a room is kept while somebody is in it, and from when it is empty', async () => {
    const room = await use()
    room.isEmpty = false
    await pass(2 * LINGER_MS)
    expect(room.isClosing).toBe(false)
    room.isEmpty = true
    room.life.onEmpty()
    await pass(LINGER_MS)
    expect(room.isClosing).toBe(true)
  })

  test('a room is kept while a use of it is under way, though the last member leaves', async () => {
    const work = Promise.withResolvers<void>()
    const using = openRooms.use('d', 'body', () => work.promise)
    await pass()
    loaded[0]!.life.onEmpty()
    await pass(2 * LINGER_MS)
    expect(loaded[0]!.isClosing).toBe(false)
    work.resolve()
    await using
    await pass(LINGER_MS)
    expect(loaded[0]!.isClosing).toBe(true)
  })

  test('a room that somebody joins while its last edits are written is kept', async () => {
    const room = await use()
    const { promise, resolve } = Promise.withResolvers<void>()
    room.settled = promise
    await pass(LINGER_MS)
    room.isEmpty = false
    resolve()
    await pass()
    expect(room.isClosing).toBe(false)
  })

  test('whoever comes while a room is closed waits for the end of that, and gets another', async () => {
    const room = await use()
    await pass(LINGER_MS)
    const next = use()
    await pass()
    expect(loaded).toHaveLength(1)
    room.closed.resolve()
    expect(await next).toBe(loaded[1])
  })

  test('a room that is outdated is retired, and nobody is blamed', async () => {
    for (let n = 0; n < 5; n++) {
      const room = await use()
      room.life.onOutdated()
      room.life.onOutdated()
      room.closed.resolve()
    }
    expect(loaded).toHaveLength(5)
  })

  test('[A7] a part that fails three times is set aside for ten minutes', async () => {
    for (let n = 0; n < 3; n++) {
      const room = await use()
      room.life.onFault()
      expect(room.life.isRetired).toBe(true)
      room.closed.resolve()
    }
    const { code, retryAfterMs, detail } = await refusalOf(use())
    expect([code, retryAfterMs, detail]).toEqual(['set-aside', 30_000, expect.stringContaining('10')])
    await use('another document')
    now += 10 * 60_000
    await use()
  })

  test('[D4] what the store cannot read is refused and loaded again; only what it could read counts as a fault', async () => {
    failure = new StoreError('the disk is away')
    for (let n = 0; n < 5; n++) expect(await codeOf(use())).toBe('overloaded')
    failure = new Error('Yjs cannot read it')
    for (let n = 0; n < 3; n++) expect(await codeOf(use())).toBe('overloaded')
    expect(await codeOf(use())).toBe('set-aside')
    failure = null
    await use('another document')
  })

  test('what a use throws goes to its caller, and the room stays', async () => {
    const failing = openRooms.use('d', 'body', () => {
      throw new Error('forbidden')
    })
    await expect(failing).rejects.toThrow('forbidden')
    expect(await use()).toBe(loaded[0])
  })

  test('the end closes all rooms, waits for those that were closing already, and refuses whoever comes then', async () => {
    const [first, second] = [await use('d'), await use('e')]
    first.life.onOutdated()
    let isOver = false
    const closing = openRooms.close().then(() => (isOver = true))
    await pass()
    expect([first.isClosing, second.isClosing, openRooms.isClosed]).toEqual([true, true, true])
    expect(await codeOf(use('d'))).toBe('going-away')
    second.closed.resolve()
    await pass()
    expect(isOver).toBe(false)
    first.closed.resolve()
    await closing
  })
})
