/**
 * What a room receives from the rooms of the same part on other nodes: their edits in the order of the log, their members behind these
 * edits, and their snapshots in place of its own log. Knows the log and the members; does not know the text.
 */
import timers from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ServerCounts } from '../metrics/server-counts.ts'
import type { DocumentPart, DocumentStore } from '../store/store.ts'
import type { LogLength } from './log-length.ts'
import { LogFollower, type LogFollowerOptions } from './log-follower.ts'
import type { RoomFanout, RoomFanoutHandlers } from './room-fanout.ts'
import type { RemoteMember } from './room-messages.ts'
import type { RoomMembers } from './room-members.ts'

/** While the log cannot be read, a member joins with what is there. */
const MAX_CATCH_UP_MS = 1_000

export interface RemoteRoomsOptions {
  readonly document: string
  readonly part: DocumentPart
  readonly store: Pick<DocumentStore, 'load' | 'readSince'>
  readonly log: Logger
  readonly counts: ServerCounts
  /** Null on the only node. */
  readonly fanout: RoomFanout | null
  readonly logLength: LogLength
  readonly members: RoomMembers
}

export interface RemoteRoomsHandlers extends Pick<
  LogFollowerOptions,
  'isOwn' | 'whenFree' | 'onEdits' | 'onOwners' | 'onOutdated'
> {
  /** True if the room's log is so long that another node's snapshot is worth reading. */
  wantsSnapshot(): boolean
  /** @param sequence The last edit that the snapshot holds. */
  onSnapshot(state: Uint8Array, sequence: number): void
  /** Runs the callback; the room is at fault if it throws. */
  run(callback: () => void): void
  /** The same behind the edits that wait for the disk; not at all if too much waits already. */
  runBehindQueue(callback: () => void): void
}

export class RemoteRooms {
  readonly #options: RemoteRoomsOptions
  readonly #handlers: RemoteRoomsHandlers
  readonly #logFollower: LogFollower
  /** Their presence may still wait behind edits. */
  readonly #left = new WeakSet<RemoteMember>()

  constructor(options: RemoteRoomsOptions, handlers: RemoteRoomsHandlers) {
    const { document, part, store, log, logLength } = options
    this.#options = options
    this.#handlers = handlers
    this.#logFollower = new LogFollower({
      ...handlers,
      log: logLength,
      readSince: (sequence) => store.readSince(document, part, sequence),
      onReadFailed: (error) =>
        log.warn({ document, part, err: error }, 'what other nodes wrote was not read'),
    })
  }

  /** The room is loaded, and takes in what arrives. */
  connect(): void {
    this.#options.fanout?.connect(this.#fanoutHandlers)
  }

  /** The room appended edits of its own. */
  onOwnAppend(): void {
    this.#logFollower.onOwnAppend()
  }

  /** Resolves when the room has what other nodes stored, or when reading it takes too long. */
  async catchUp(): Promise<void> {
    await Promise.race([this.#logFollower.catchUp(), timers.setTimeout(MAX_CATCH_UP_MS)])
  }

  close(): void {
    this.#logFollower.close()
  }

  get #fanoutHandlers(): RoomFanoutHandlers {
    const { document, log, counts, members } = this.#options
    const logFollower = this.#logFollower
    /** A caret comes behind the letters it was typed with. */
    const runBehindEdits = (callback: () => void): void =>
      logFollower.runBehindEdits(() => this.#handlers.runBehindQueue(callback))
    return {
      onLag: (ms) => counts.fanoutLag.record(ms / 1_000),
      onEdits: (first, updates, owners) => logFollower.receive(first, updates, owners),
      onHead: (sequence) => logFollower.announce(sequence),
      onCompacted: (sequence) => void this.#adoptSnapshot(sequence),
      onPresence: (member, update) =>
        runBehindEdits(() => {
          if (!this.#left.has(member)) members.showRemote(member, update)
        }),
      onLeft: (member) => {
        this.#left.add(member)
        this.#handlers.run(() => members.hideRemote(member))
      },
      onTrace: (from, to, bytes) => runBehindEdits(() => members.sendRemoteTrace(from, to, bytes)),
      onHello: () => members.shown,
      onInterrupted: () => logFollower.readAgain(),
      onFailed: (error) => log.warn({ document, err: error }, 'a node sent what cannot be read'),
    }
  }

  /** A snapshot of another node takes the place of this room's log, too. Never rejects. */
  async #adoptSnapshot(sequence: number): Promise<void> {
    const { document, part, store, log, logLength } = this.#options
    if (!this.#handlers.wantsSnapshot() || logLength.sequence < sequence) return
    try {
      const loaded = await store.load(document, part)
      const snapshotEnd = loaded.sequence - loaded.logLength
      const state = loaded.updates[0]
      if (state && snapshotEnd > 0 && logLength.sequence >= snapshotEnd)
        this.#handlers.onSnapshot(state, snapshotEnd)
    } catch (error) {
      log.warn({ document, err: error }, 'a snapshot was not read')
    }
  }
}
