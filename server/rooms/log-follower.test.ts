import { afterEach, describe, expect, test } from 'vitest'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { LogLength } from './log-length.ts'
import { type RemoteEdit, LogFollower, type LogFollowerOptions } from './log-follower.ts'

const opened: LogFollower[] = []
afterEach(() => {
  for (const edits of opened.splice(0)) edits.close()
})

/** A room that has taken in nothing yet, and the log of its document: each entry is its own number. */
class TestRoom {
  readonly log = new LogLength({ sequence: 0, logLength: 0 })
  readonly taken: number[] = []
  readonly owners = new Map<number, string>()
  /** The entries after which the log was read. */
  readonly reads: number[] = []
  readonly failures: unknown[] = []
  outdated = 0
  /** How many entries the log has. */
  stored = 0
  readonly edits: LogFollower

  constructor(options: Partial<LogFollowerOptions> = {}) {
    this.edits = new LogFollower({
      log: this.log,
      readSince: async (sequence) => {
        this.reads.push(sequence)
        return { updates: entries(sequence + 1, this.stored), owners: new Map([[sequence, 'read']]) }
      },
      isOwn: () => false,
      whenFree: () => null,
      onEdits: async (edits) => this.take(edits),
      onOwners: (owners) => owners.forEach((owner, client) => this.owners.set(client, owner)),
      onOutdated: () => void (this.outdated += 1),
      onReadFailed: (error) => void this.failures.push(error),
      ...options,
    })
    opened.push(this.edits)
  }

  take(edits: readonly RemoteEdit[]): void {
    for (const { sequence, update } of edits) {
      expect(sequence).toBe(entryOf(update))
      this.log.record(sequence, 1)
      this.taken.push(sequence)
    }
  }

  /** Another node says that it has stored these. */
  receive(first: number, last = first): void {
    this.stored = Math.max(this.stored, last)
    this.edits.receive(first, entries(first, last), new Map())
  }

  /** The room has stored an edit of its own. */
  append(sequence: number): void {
    this.stored = Math.max(this.stored, sequence)
    this.log.record(sequence, 1)
    this.edits.onOwnAppend()
  }
}

const entry = (sequence: number): Uint8Array => new TextEncoder().encode(`${sequence}`)
const entryOf = (update: Uint8Array): number => parseInt(new TextDecoder().decode(update), 10)
const entries = (first: number, last: number): Uint8Array[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => entry(first + index))

describe('[D10] edits of other nodes', () => {
  test('are taken in by their numbers, once each, in whatever order and however often they come', async () => {
    const room = new TestRoom()
    room.receive(5, 6)
    room.receive(2)
    room.receive(2)
    room.receive(3, 5)
    room.receive(1)
    await waitUntil(() => room.taken.length === 6)
    room.receive(4, 6)
    await settle(2)
    expect(room.taken).toEqual([1, 2, 3, 4, 5, 6])
    expect(room.reads).toEqual([])
  })

  test('that stay away are read from the log, with the owners of what they were written under', async () => {
    const room = new TestRoom()
    room.receive(1)
    room.receive(4)
    await waitUntil(() => room.taken.length === 4)
    expect([room.taken, room.reads]).toEqual([[1, 2, 3, 4], [1]])
    expect([...room.owners]).toEqual([[1, 'read']])
  })

  test('that are only announced are read from the log', async () => {
    const room = new TestRoom()
    room.stored = 3
    room.edits.announce(3)
    await waitUntil(() => room.taken.length === 3)
    expect(room.reads).toEqual([0])
  })

  test('that are announced and do not exist are looked for once', async () => {
    const room = new TestRoom()
    room.edits.announce(1_000)
    await waitUntil(() => room.reads.length === 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([room.reads, room.taken]).toEqual([[0], []])
    room.receive(1)
    await waitUntil(() => room.taken.length === 1)
  })

  test('that lie before one of the room’s own are read from the log', async () => {
    const room = new TestRoom()
    room.append(3)
    await waitUntil(() => room.taken.length === 2)
    expect([room.taken, room.log.sequence]).toEqual([[1, 2], 3])
  })

  test('are not the room’s own, which the log may have before the room knows it', async () => {
    let isOnItsWay = true
    const room = new TestRoom({ isOwn: (update) => isOnItsWay && entryOf(update) === 1 })
    room.stored = 2
    room.edits.readAgain()
    await waitUntil(() => room.reads.length === 1)
    await settle(2)
    expect(room.taken).toEqual([])
    isOnItsWay = false
    room.append(1)
    await waitUntil(() => room.log.sequence === 2)
    expect(room.taken).toEqual([2])
  })

  test('ahead of a gap are kept up to a limit, and the rest is read', async () => {
    const long = (sequence: number): Uint8Array =>
      new TextEncoder().encode(`${sequence} ${'x'.repeat(400_000)}`)
    const room = new TestRoom({
      readSince: async (sequence) => {
        room.reads.push(sequence)
        return { updates: [2, 3, 4, 5, 6].filter((n) => n > sequence).map(long), owners: new Map() }
      },
    })
    room.edits.receive(3, [3, 4, 5, 6].map(long), new Map())
    room.edits.receive(1, [entry(1)], new Map())
    await waitUntil(() => room.taken.length === 6)
    expect(room.taken).toEqual([1, 2, 3, 4, 5, 6])
    expect(room.reads.length).toBeGreaterThan(0)
  })

  test('wait while the text may not be changed', async () => {
    const { promise: free, resolve } = Promise.withResolvers<void>()
    let isFree = false
    const room = new TestRoom({ whenFree: () => (isFree ? null : free) })
    room.receive(1)
    await settle(3)
    expect(room.taken).toEqual([])
    isFree = true
    resolve()
    await waitUntil(() => room.taken.length === 1)
  })

  test('are read again where the log could not be, and nothing is given up', async () => {
    let isFailing = true
    const room = new TestRoom({
      readSince: async (sequence) => {
        if (isFailing) throw new Error('the store is away')
        return { updates: entries(sequence + 1, 2), owners: new Map() }
      },
    })
    room.edits.announce(2)
    await waitUntil(() => room.failures.length === 2)
    isFailing = false
    await waitUntil(() => room.taken.length === 2)
  })

  test('that a snapshot has replaced have the room loaded again, once, and nothing more is taken in', async () => {
    const room = new TestRoom({ readSince: async () => null })
    room.edits.announce(7)
    await waitUntil(() => room.outdated === 1)
    room.receive(1)
    room.edits.readAgain()
    await settle(3)
    expect([room.outdated, room.taken]).toEqual([1, []])
  })

  test('that arrive while a snapshot replaces them in the log are taken in, and nothing is loaded again', async () => {
    const room = new TestRoom({
      readSince: async (sequence) => {
        if (room.log.sequence < 2) room.receive(1, 2)
        return sequence < 2 ? null : { updates: [], owners: new Map() }
      },
    })
    room.edits.readAgain()
    await waitUntil(() => room.taken.length === 2)
    await settle(3)
    expect(room.outdated).toBe(0)
  })
})

describe('[D10] who asks a room of several nodes', () => {
  test('to catch up waits until it has all that the log had', async () => {
    const room = new TestRoom()
    room.stored = 3
    await room.edits.catchUp()
    expect(room.taken).toEqual([1, 2, 3])
  })

  test('for something behind the edits gets it after those on their way, and at once where there are none', async () => {
    const room = new TestRoom()
    const seen: number[] = []
    room.receive(1, 2)
    room.edits.runBehindEdits(() => seen.push(room.taken.length))
    await waitUntil(() => seen.length === 1)
    room.edits.runBehindEdits(() => seen.push(room.taken.length))
    expect(seen).toEqual([2, 2])
  })

  test('for something behind edits that cannot be read gets it a thousand times at most, and never once it is closed', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<null>()
    const room = new TestRoom({ readSince: () => answer })
    room.edits.readAgain()
    let runs = 0
    for (let n = 0; n < 1_500; n++) room.edits.runBehindEdits(() => (runs += 1))
    room.edits.close()
    resolve(null)
    await settle(3)
    expect(runs).toBe(0)
  })
})
