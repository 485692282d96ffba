/**
 * Group commit: one transaction runs at a time, and what comes meanwhile shares the next. So a single edit waits for one fsync, and many at
 * once share one. While commits run back to back, each begins 1 ms after the last at the earliest, and takes along what other rooms have by
 * then; at rest a commit begins with the turn. It knows calls and order; it does not know how they are written.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SerializedError } from './worker-messages.ts'
import { AppendConflict, type DocumentEdit, StoreError } from './store.ts'

type AppendCalls = readonly (readonly DocumentEdit[])[]
/** For each call its sequence numbers, or why nothing of it was written. */
export type AppendOutcomes = readonly (readonly number[] | SerializedError)[]

/**
 * Writes the calls in one transaction.
 * @param mayBeStored True when an answer was lost before: edits that the log has are not written again.
 * @throws {ReplyLostError} when the calls may be written or not; another error when nothing was written.
 */
export type WriteCalls = (calls: AppendCalls, mayBeStored: boolean) => Promise<AppendOutcomes>

/** The database was lost before it answered: the request may be carried out or not. */
export class ReplyLostError extends Error {
  override readonly name = 'ReplyLostError'
}

interface AppendCall {
  readonly edits: readonly DocumentEdit[]
  resolve(sequences: readonly number[]): void
  reject(error: StoreError): void
}

interface GroupCommitOptions {
  readonly write: WriteCalls
  onCommitted(outcomes: AppendOutcomes): void
  onFailed(error: Error): void
  /** For tests that have timers of their own. */
  pause?(): Promise<void>
}

/** A single edit waits for no more than this in one transaction: it takes some 20 ms, 8 MiB take 80. */
export const MAX_GROUP_BYTES = 2 * 1024 * 1024
/** What belongs to an edit beside its bytes is encoded on the main thread: this many take some 5 ms. */
const MAX_GROUP_EDITS = 2_000
/** A commit takes as long, and costs as much as ten edits. */
const PAUSE_MS = 1

export class GroupCommit {
  readonly #options: GroupCommitOptions
  readonly #pause: () => Promise<void>
  /** Calls of which a lost answer may have left something in the log, also while the caller waits to offer them again. */
  readonly #possiblyStored = new WeakSet<readonly DocumentEdit[]>()
  #waiting: AppendCall[] = []
  #running: Promise<void> | null = null
  #lastEndedAt = -Infinity
  #isDraining = false

  constructor(options: GroupCommitOptions) {
    this.#options = options
    this.#pause = () => options.pause?.() ?? sleep(PAUSE_MS)
  }

  append(edits: readonly DocumentEdit[]): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ edits, resolve, reject })
      this.#running ??= this.#commitWaiting()
    })
  }

  /** Resolves once no call is waiting, whatever the outcomes. */
  async whenDrained(): Promise<void> {
    this.#isDraining = true
    while (this.#running) await this.#running
  }

  async #commitWaiting(): Promise<void> {
    await Promise.resolve() // the calls of this turn of the event loop join
    while (this.#waiting.length > 0) {
      if (performance.now() - this.#lastEndedAt < PAUSE_MS && !this.#isDraining) await this.#pause()
      await this.#commit(this.#takeGroup())
    }
    this.#running = null
  }

  #takeGroup(): AppendCall[] {
    let bytes = 0
    let edits = 0
    const end = this.#waiting.findIndex((call) => {
      for (const { update } of call.edits) bytes += update.length
      edits += call.edits.length
      return bytes > MAX_GROUP_BYTES || edits > MAX_GROUP_EDITS
    })
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(end, 1))
  }

  async #commit(group: readonly AppendCall[]): Promise<void> {
    const { onCommitted, onFailed } = this.#options
    try {
      const outcomes = await this.#write(group.map(({ edits }) => edits))
      this.#lastEndedAt = performance.now()
      onCommitted(outcomes)
      for (const [index, call] of group.entries()) settleCall(call, outcomes[index]!)
    } catch (error) {
      onFailed(error as Error)
      for (const { reject } of group) reject(writeError(error as Error))
    }
  }

  /** After a lost answer the calls are looked for before they are repeated, so that nothing is stored twice. */
  async #write(calls: AppendCalls): Promise<AppendOutcomes> {
    const mayBeStored = calls.some((call) => this.#possiblyStored.has(call))
    try {
      return await this.#options.write(calls, mayBeStored)
    } catch (error) {
      if (!(error instanceof ReplyLostError)) throw error
      for (const call of calls) this.#possiblyStored.add(call)
      if (mayBeStored) throw error
      return this.#write(calls)
    }
  }
}

function settleCall({ resolve, reject }: AppendCall, outcome: readonly number[] | SerializedError): void {
  if ('message' in outcome) reject(writeError(outcome))
  else resolve(outcome)
}

const writeError = (cause: SerializedError): StoreError =>
  cause.conflictingClients
    ? new AppendConflict(cause.conflictingClients)
    : new StoreError(`Nothing was written: ${cause.message}`, { cause })
