/**
 * The rooms in memory, one for each part of a document that is in use: loaded once for all who use it, kept for a while after the last
 * one left, and closed when all of it is on disk. One that failed is retired at once, and a part that fails again and again is set aside
 * (A7). Knows when a room is used; does not know what for.
 */
import type { Logger } from 'pino'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { type DocumentPart, StoreError } from '../store/store.ts'
import { startTimeout } from '../timeouts.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { type FaultHistory, SET_ASIDE_MS } from './fault-history.ts'
import { RoomRefusal } from './rooms.ts'

/** How long an empty room is kept, in case its window is only being reloaded. */
const LINGER_MS = 30_000

/** How often the window of a set-aside document tries again: a restart of the server may heal the document before its time. */
const RETRY_AFTER_MS = 30_000

export interface KeptRoom {
  readonly isEmpty: boolean
  /** Resolves when every accepted edit is on disk. */
  whenSettled(): Promise<void>
  /** Waits until the room is settled. Never rejects, because that would refuse the next to join for an earlier failure. */
  close(): Promise<void>
}

/** What a room says of itself. */
export interface RoomLife {
  /** True once the room takes no more edits. */
  readonly isRetired: boolean
  onEmpty(): void
  onFault(): void
  /** It has to be loaded again, and nobody is to blame. */
  onOutdated(): void
}

export interface OpenRoomsOptions<Kept extends KeptRoom> {
  readonly faults: FaultHistory
  readonly tracing: Tracing
  readonly log: Logger
  /** Returns true if no empty room is to be kept. */
  isMemoryShort?(): boolean
  /** @throws {StoreError} if the store cannot read the part; any other error is a fault of the document. */
  load(document: string, part: DocumentPart, life: RoomLife): Promise<Kept>
}

class RoomEntry<Kept extends KeptRoom> {
  readonly key: string
  loading!: Promise<Kept>
  room: Kept | null = null
  /** How many joins and server edits are under way. */
  activeUses = 0
  isRetired = false
  cancelLinger = (): void => {}

  constructor(key: string) {
    this.key = key
  }

  get isIdle(): boolean {
    return this.activeUses === 0 && !this.isRetired && this.room?.isEmpty === true
  }
}

export class OpenRooms<Kept extends KeptRoom> {
  readonly #options: OpenRoomsOptions<Kept>
  readonly #entries = new Map<string, RoomEntry<Kept>>()
  readonly #retiring = new Map<string, Promise<unknown>>()
  #isClosed = false

  constructor(options: OpenRoomsOptions<Kept>) {
    this.#options = options
  }

  /** Counts those that are being loaded as well. */
  get size(): number {
    return this.#entries.size
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Those that are loaded. */
  get all(): Kept[] {
    return [...this.#entries.values()].flatMap(({ room }) => room ?? [])
  }

  /** The loaded parts of one document. */
  of(document: string): Kept[] {
    const entries = [...this.#entries].filter(([key]) => key.startsWith(`${document}/`))
    return entries.flatMap(([, { room }]) => room ?? [])
  }

  /**
   * Loads the room if need be, and keeps it at least until `run` is done.
   * @throws {RoomRefusal} `going-away`, `set-aside`, or `overloaded` if it cannot be loaded; and what `run` throws.
   */
  async use<Answer>(
    document: string,
    part: DocumentPart,
    run: (room: Kept) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    if (this.#isClosed) throw new RoomRefusal({ code: 'going-away' })
    const key = `${document}/${part}`
    this.#refuseSetAside(key)
    if (this.#options.isMemoryShort?.()) this.#closeEmptyRooms()
    const entry = this.#entries.get(key) ?? this.#open(key, document, part)
    entry.activeUses += 1
    entry.cancelLinger()
    try {
      return await run(await entry.loading)
    } finally {
      entry.activeUses -= 1
      this.#lingerIfIdle(entry)
    }
  }

  /** Closes all rooms, and waits for those that are closing already. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const entry of this.#entries.values()) this.#retire(entry)
    await Promise.all(this.#retiring.values())
  }

  /** Closes the rooms that nobody is in, once they are settled. */
  #closeEmptyRooms(): void {
    for (const entry of this.#entries.values()) if (entry.isIdle) void this.#retireWhenSettled(entry)
  }

  #refuseSetAside(key: string): void {
    const leftMs = this.#options.faults.setAsideMs(key)
    if (leftMs === 0) return
    const detail = serverRefusalsStrings.room.setAside(Math.ceil(leftMs / 60_000))
    throw new RoomRefusal({ code: 'set-aside', detail, retryAfterMs: Math.min(leftMs, RETRY_AFTER_MS) })
  }

  #open(key: string, document: string, part: DocumentPart): RoomEntry<Kept> {
    const entry = new RoomEntry<Kept>(key)
    entry.loading = this.#options.tracing
      .span('room open', { 'diptych.part': part }, () => this.#load(entry, document, part))
      .catch((error: unknown) => this.#refuseFailedLoad(entry, error))
    this.#entries.set(key, entry)
    return entry
  }

  /** Loads only when the last edits of the previous room are on disk. */
  async #load(entry: RoomEntry<Kept>, document: string, part: DocumentPart): Promise<Kept> {
    await this.#retiring.get(entry.key)
    return (entry.room = await this.#options.load(document, part, this.#lifeOf(entry)))
  }

  #lifeOf(entry: RoomEntry<Kept>): RoomLife {
    const retire = (): void => {
      if (!entry.isRetired) this.#retire(entry)
    }
    return {
      get isRetired() {
        return entry.isRetired
      },
      onEmpty: () => this.#lingerIfIdle(entry),
      // Whoever joins from now on gets another room, also while earlier joins into this one are still under way.
      onFault: () => {
        this.#addFault(entry)
        retire()
      },
      onOutdated: retire,
    }
  }

  #refuseFailedLoad(entry: RoomEntry<Kept>, error: unknown): never {
    this.#forget(entry)
    this.#options.log.error({ place: entry.key, err: error }, 'document cannot be loaded')
    if (!(error instanceof StoreError)) this.#addFault(entry) // the store could read it, so the document itself is at fault
    throw new RoomRefusal({
      code: 'overloaded',
      detail: serverRefusalsStrings.room.notLoaded,
      retryAfterMs: 1_000,
    })
  }

  #addFault({ key }: RoomEntry<Kept>): void {
    const { faults, log } = this.#options
    if (faults.recordFault(key))
      log.error({ place: key, ms: SET_ASIDE_MS }, 'document set aside: it failed again and again')
  }

  #lingerIfIdle(entry: RoomEntry<Kept>): void {
    if (!entry.isIdle) return
    entry.cancelLinger()
    const lingerMs = this.#options.isMemoryShort?.() ? 0 : LINGER_MS
    entry.cancelLinger = startTimeout(lingerMs, () => void this.#retireWhenSettled(entry))
  }

  /** Somebody may join while the last edits are still being written, so it checks again afterwards. */
  async #retireWhenSettled(entry: RoomEntry<Kept>): Promise<void> {
    await entry.room?.whenSettled()
    if (entry.isIdle) this.#retire(entry)
  }

  #retire(entry: RoomEntry<Kept>): void {
    const { key } = entry
    this.#forget(entry)
    const earlierRetirement = this.#retiring.get(key)
    const done = Promise.all([earlierRetirement, closeEntry(entry)]).finally(() => {
      if (this.#retiring.get(key) === done) this.#retiring.delete(key)
    })
    this.#retiring.set(key, done)
  }

  #forget(entry: RoomEntry<Kept>): void {
    entry.isRetired = true
    entry.cancelLinger()
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key)
  }
}

async function closeEntry<Kept extends KeptRoom>({ loading }: RoomEntry<Kept>): Promise<void> {
  const room = await loading.catch(() => null)
  await room?.close()
}
