/**
 * Merging a whole document, in a thread of its own (D5): neither the event loop nor the store's commits wait for it. Documents take
 * turns. One that takes too long is given up, and left alone until it has changed: merging it again would take as long again.
 */
import { availableParallelism } from 'node:os'
import { FairQueue } from '../fair-queue.ts'
import { JobThreads, JobTimeout } from '../job-threads.ts'
import { type PackedUpdates, packUpdates } from './batch.ts'
import { type Loaded, type Part, StoreError } from './store.ts'

export interface MergeJob {
  readonly updates: PackedUpdates
  readonly gzip: boolean
}

export interface Merged {
  /** One Yjs update that stands for all; compressed where that was asked for. */
  readonly state: Uint8Array<ArrayBuffer>
  readonly stateVector: Uint8Array<ArrayBuffer>
}

export interface StoredText extends Pick<Loaded, 'updates' | 'sequence'> {
  readonly document: string
  readonly part: Part
}

/** To merge takes some 0.1 s a MiB where it was typed here and there, and a document has 24 MiB at most. */
const LIMIT_MS = 30_000
/** Each takes a core, and the memory of a whole document; one core is for everybody else. */
const MERGES_AT_ONCE = availableParallelism() > 2 ? 2 : 1
/** How many documents that were given up are remembered. */
const MAX_GIVEN_UP = 10_000

/** One a process: its documents share the cores. */
export class Merging {
  readonly #queue = new FairQueue(MERGES_AT_ONCE)
  readonly #threads: JobThreads<MergeJob, Merged | null>
  /** Of each part that was given up, the sequence number of its last edit then; the latest last. */
  readonly #givenUp = new Map<string, number>()

  constructor({ limitMs = LIMIT_MS } = {}) {
    const file = new URL('./merging-worker.ts', import.meta.url)
    this.#threads = new JobThreads({ file, name: 'merging', limitMs })
  }

  /** Loading and writing around a merge belong into the turn: waiting outside would hold as many documents in memory. */
  inTurn<Answer>(document: string, work: () => Promise<Answer>): Promise<Answer> {
    return this.#queue.run(document, work)
  }

  /**
   * To be called in turn. Null: something waits for edits that are not there.
   * @throws {StoreError} for what Yjs cannot read, and for what takes too long, now or when it was tried last.
   */
  async merge(text: StoredText, { gzip = false } = {}): Promise<Merged | null> {
    const { document, part, sequence, updates } = text
    const key = `${document}/${part}`
    if (this.#givenUp.get(key) === sequence)
      throw cannotBeMerged(text, new Error('it took too long before, and has not changed since'))
    const packed = packUpdates(updates)
    try {
      return await this.#threads.ask({ updates: packed, gzip }, [packed.bytes.buffer])
    } catch (error) {
      if (error instanceof JobTimeout) this.#giveUp(key, sequence)
      throw cannotBeMerged(text, error as Error)
    }
  }

  #giveUp(key: string, sequence: number): void {
    this.#givenUp.delete(key)
    this.#givenUp.set(key, sequence)
    const [oldest] = this.#givenUp.keys()
    if (this.#givenUp.size > MAX_GIVEN_UP && oldest !== undefined) this.#givenUp.delete(oldest)
  }
}

const cannotBeMerged = ({ document, part }: StoredText, cause: Error) =>
  new StoreError(`${part} of ${document} cannot be merged: ${cause.message}`, { cause })
