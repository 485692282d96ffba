import { pino } from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { settle } from '../../lib/fixtures/wait.ts'
import type { PartSnapshot, StoredPart } from '../store/compaction.ts'
import type { DocumentMerger } from '../store/document-merger.ts'
import type { DocumentStore } from '../store/store.ts'
import { noTracing } from '../tracing/tracing.ts'
import { RoomCompactor } from './room-compactor.ts'
import type { Room } from './room.ts'

const snapshotOf = (sequence: number): PartSnapshot => ({
  state: Uint8Array.of(sequence),
  stateVector: Uint8Array.of(0),
  sequence,
})

/** A room whose log is due so many times, and what it was told. */
class FakeRoom {
  readonly document = 'd'
  readonly part = 'body'
  readonly told: string[] = []
  /** Null where encoding the text would take too long. */
  own: PartSnapshot | null = snapshotOf(1)
  /** Null where other nodes store, too. */
  stored: StoredPart | null = { updates: [Uint8Array.of(7)], sequence: 7, logLength: 1 }
  timesDue: number

  constructor(timesDue = 1) {
    this.timesDue = timesDue
  }

  get isCompactionDue(): boolean {
    return this.timesDue > 0
  }

  snapshot = () => this.own

  onCompacted({ sequence }: PartSnapshot): void {
    this.timesDue -= 1
    this.told.push(`compacted ${sequence}`)
  }

  onCompactionFailed(): void {
    this.told.push('failed')
  }
}

describe('[D5] the compaction of rooms', () => {
  const logged: { level: number; msg: string }[] = []
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void logged.push(JSON.parse(line) as (typeof logged)[number]) },
  )
  /** Ends the writing of one snapshot, with an error or without. */
  let writes: PromiseWithResolvers<void>[]
  const compact = vi.fn<DocumentStore['compact']>(() => {
    const write = Promise.withResolvers<void>()
    writes.push(write)
    return write.promise
  })
  const load = vi.fn(async () => ({ updates: [Uint8Array.of(8)], sequence: 8, logLength: 1 }))
  const store = {
    compact,
    claimCompaction: async () => async () => {},
    load,
  } as unknown as DocumentStore
  const merger = {
    runInTurn: (_document: string, work: () => Promise<unknown>) => work(),
    merge: async ({ sequence }: StoredPart) => snapshotOf(sequence),
  } as unknown as DocumentMerger
  const compactor = new RoomCompactor({ store, merger, tracing: noTracing, log })
  let isRetired: boolean
  const compactIfDue = async (room: FakeRoom) => {
    compactor.compactIfDue(room as unknown as Room, () => isRetired)
    await settle()
  }
  const endWrite = async (error?: Error) => {
    const write = writes.shift()!
    if (error) write.reject(error)
    else write.resolve()
    await settle()
  }

  beforeEach(() => {
    logged.length = 0
    writes = []
    compact.mockClear()
    load.mockClear()
    isRetired = false
  })

  test('a small text is written as its room encodes it, and the room is told once it is on disk', async () => {
    const room = new FakeRoom()
    await compactIfDue(room)
    expect(compact.mock.lastCall).toEqual(['d', 'body', Uint8Array.of(1), 1, Uint8Array.of(0)])
    expect(room.told).toEqual([])
    await endWrite()
    expect(room.told).toEqual(['compacted 1'])
  })

  test('[A6] a large text is merged from what its room has of it, and nothing is loaded for that', async () => {
    const room = new FakeRoom()
    room.own = null
    await compactIfDue(room)
    expect(load).not.toHaveBeenCalled()
    expect(compact.mock.lastCall).toEqual(['d', 'body', Uint8Array.of(7), 7, Uint8Array.of(0)])
    await endWrite()
    expect(room.told).toEqual(['compacted 7'])
  })

  test('a large text in which other nodes write is loaded', async () => {
    const room = new FakeRoom()
    room.own = room.stored = null
    await compactIfDue(room)
    expect(compact.mock.lastCall).toEqual(['d', 'body', Uint8Array.of(8), 8, Uint8Array.of(0)])
  })

  test('nothing is written for a log that is not due, and for a room that takes no more edits', async () => {
    await compactIfDue(new FakeRoom(0))
    isRetired = true
    await compactIfDue(new FakeRoom())
    expect(compact).not.toHaveBeenCalled()
  })

  test('a room has one compaction at a time, and another room its own', async () => {
    const room = new FakeRoom()
    await compactIfDue(room)
    await compactIfDue(room)
    await compactIfDue(new FakeRoom())
    expect(compact).toHaveBeenCalledTimes(2)
    await endWrite()
    room.timesDue = 1
    await compactIfDue(room)
    expect(compact).toHaveBeenCalledTimes(3)
  })

  test('what came meanwhile is compacted at once if it is due, and not once the room is retired', async () => {
    const room = new FakeRoom(3)
    await compactIfDue(room)
    await endWrite()
    expect(room.told).toEqual(['compacted 1'])
    isRetired = true
    await endWrite()
    expect([room.told, writes]).toEqual([['compacted 1', 'compacted 1'], []])
  })

  test('one that has nothing to do counts as failed, and is not repeated at once', async () => {
    const room = new FakeRoom(3)
    room.own = null
    vi.spyOn(store, 'claimCompaction').mockResolvedValueOnce(null)
    await compactIfDue(room)
    expect([room.told, compact.mock.calls]).toEqual([['failed'], []])
  })

  test.each([
    [false, 'error'],
    [true, 'debug'],
  ] as const)(
    'where the write fails and the room is retired: %s, it is logged as %s, and may be tried again',
    async (retired, level) => {
      const room = new FakeRoom()
      await compactIfDue(room)
      isRetired = retired
      await endWrite(new Error('a full disk'))
      expect(room.told).toEqual(['failed'])
      expect(logged.map((line) => line.level)).toEqual([pino.levels.values[level]])
      isRetired = false
      await compactIfDue(room)
      expect(compact).toHaveBeenCalledTimes(2)
    },
  )
})
