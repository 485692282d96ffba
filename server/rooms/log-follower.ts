/**
 * Brings a room what other nodes append to its log (D10). A message between nodes is a hint, and may be lost, repeated or late: the edits
 * are taken in by their sequence numbers, and where one stays away, the log is read. Knows numbers and bytes; does not know Yjs.
 */
import type { LogContinuation } from '../store/store.ts'
import { InterruptibleWait } from '../timeouts.ts'
import type { LogLength } from './log-length.ts'

/** How long an edit that another node has announced, or that lies before one's own, may take to arrive before the log is read. */
const GAP_MS = 30
const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2_000
/** What arrives ahead of a gap is kept up to this much; the rest is read from the log. */
const MAX_WAITING_BYTES = 1024 * 1024
const MAX_CALLBACKS = 1_000

export interface RemoteEdit {
  readonly sequence: number
  readonly update: Uint8Array
}

export interface LogFollowerOptions {
  readonly log: Pick<LogLength, 'sequence' | 'hasGap' | 'knows'>
  /** Null if a snapshot has replaced part of what follows. @throws {StoreError} */
  readSince(sequence: number): Promise<LogContinuation | null>
  /** True for an edit of this room that is on its way to the disk: its number is not known yet. */
  isOwn(update: Uint8Array): boolean
  /** Null if the text may be changed now; otherwise it is to be asked again when this resolves. */
  whenFree(): Promise<unknown> | null
  /** Receives edits that the room does not know, in the order of the log. When it resolves, the log knows them. */
  onEdits(edits: readonly RemoteEdit[]): Promise<void>
  onOwners(owners: ReadonlyMap<number, string>): void
  /** What follows cannot be read edit by edit: the room has to be loaded again. */
  onOutdated(): void
  onReadFailed(error: unknown): void
}

export class LogFollower {
  readonly #options: LogFollowerOptions
  readonly #waiting = new Map<number, Uint8Array>()
  #waitingBytes = 0
  /** The last entry that is known to exist. */
  #announced = 0
  #working: Promise<void> | null = null
  #mustRead = false
  #callbacks = 0
  #closed = false
  readonly #pause = new InterruptibleWait()

  constructor(options: LogFollowerOptions) {
    this.#options = options
  }

  receive(first: number, updates: readonly Uint8Array[], owners: ReadonlyMap<number, string>): void {
    if (owners.size > 0) this.#options.onOwners(owners)
    for (const [index, update] of updates.entries()) this.#keep({ sequence: first + index, update })
    this.announce(first + updates.length - 1)
  }

  /** The log has entries up to this one. */
  announce(sequence: number): void {
    this.#announced = Math.max(this.#announced, sequence)
    this.#pause.end()
    if (this.#isBehind) this.#start()
  }

  /** The room appended edits of its own: there may be others before them. */
  onOwnAppend(): void {
    if (this.#isBehind) this.#start()
  }

  /** Reads the log although nothing is known to be missing, since messages may have been lost. */
  readAgain(): void {
    this.#mustRead = true
    this.#pause.end()
    this.#start()
  }

  /** Resolves when the room has everything that was in the log when this was called, or is closed. */
  async catchUp(): Promise<void> {
    this.readAgain()
    await this.#working
  }

  /** Runs the callback behind the edits that have arrived; not at all where too many wait already, as while the log cannot be read. */
  runBehindEdits(run: () => void): void {
    if (!this.#working) return run()
    if (this.#callbacks >= MAX_CALLBACKS) return
    this.#callbacks += 1
    void this.#working.then(() => {
      this.#callbacks -= 1
      if (!this.#closed) run()
    })
  }

  /** Returns what the log has and the room does not know. Null if the room has to be loaded again. @throws {StoreError} */
  async #read(): Promise<readonly RemoteEdit[] | null> {
    const { log, readSince, onOwners, isOwn } = this.#options
    const from = log.sequence
    const continuation = await readSince(from)
    if (continuation === null) return null
    const { updates, owners } = continuation
    if (owners.size > 0) onOwners(owners)
    return updates
      .map((update, index) => ({ sequence: from + 1 + index, update }))
      .filter(({ sequence, update }) => !log.knows(sequence) && !isOwn(update))
  }

  close(): void {
    this.#closed = true
    this.#forgetWaiting()
    this.#pause.end()
  }

  get #isBehind(): boolean {
    const { log } = this.#options
    return log.hasGap || this.#announced > log.sequence
  }

  #start(): void {
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    await Promise.resolve() // the other messages of the same turn join
    for (let retryMs = FIRST_RETRY_MS; !this.#closed;) {
      if (this.#hasNext) await this.#takeWaiting()
      else if (this.#mustRead) {
        this.#mustRead = false
        if (await this.#readOrWait(retryMs)) retryMs = FIRST_RETRY_MS
        else retryMs = Math.min(LAST_RETRY_MS, 2 * retryMs)
      } else if (!this.#isBehind) {
        // In the turn of the last look, so that whatever comes from now on starts it again.
        this.#working = null
        return
      } else {
        await this.#pause.wait(GAP_MS)
        this.#mustRead ||= !this.#hasNext && this.#isBehind
      }
    }
  }

  get #hasNext(): boolean {
    return this.#waiting.has(this.#options.log.sequence + 1)
  }

  /** Returns false if the log could not be read; it is tried again. */
  async #readOrWait(retryMs: number): Promise<boolean> {
    const announcedBefore = this.#announced
    try {
      const edits = await this.#read()
      if (edits === null) {
        // What came meanwhile may be all that is missing.
        if (this.#hasNext) this.#mustRead = true
        if (this.#mustRead) return true
        this.close()
        this.#options.onOutdated()
        return true
      }
      for (const edit of edits) this.#keep(edit)
      // What was announced and is not in the log does not exist.
      if (this.#announced === announcedBefore)
        this.#announced = edits.at(-1)?.sequence ?? this.#options.log.sequence
      return true
    } catch (error) {
      this.#options.onReadFailed(error)
      this.#mustRead = true
      await this.#pause.wait(retryMs)
      return false
    }
  }

  async #takeWaiting(): Promise<void> {
    const { log, whenFree, onEdits } = this.#options
    // Not a function that waits: somebody else could begin before its caller goes on.
    for (let busy = whenFree(); busy; busy = whenFree()) await busy
    if (this.#closed) return
    const edits: RemoteEdit[] = []
    for (let sequence = log.sequence + 1; ; sequence++) {
      const update = this.#waiting.get(sequence)
      if (update) edits.push({ sequence, update })
      else if (!log.knows(sequence)) break
    }
    for (const { sequence, update } of edits) {
      this.#waiting.delete(sequence)
      this.#waitingBytes -= update.length
    }
    if (edits.length > 0) await onEdits(edits)
    this.#forgetKnown()
  }

  #keep({ sequence, update }: RemoteEdit): void {
    if (this.#options.log.knows(sequence) || this.#waiting.has(sequence)) return
    const isNext = sequence === this.#options.log.sequence + 1
    if (!isNext && this.#waitingBytes + update.length > MAX_WAITING_BYTES) return
    this.#waiting.set(sequence, update)
    this.#waitingBytes += update.length
  }

  #forgetKnown(): void {
    for (const [sequence, update] of this.#waiting) {
      if (!this.#options.log.knows(sequence)) continue
      this.#waiting.delete(sequence)
      this.#waitingBytes -= update.length
    }
  }

  #forgetWaiting(): void {
    this.#waiting.clear()
    this.#waitingBytes = 0
  }
}
