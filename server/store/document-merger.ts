/**
 * Merges a whole document in a worker thread (D5), so that neither the event loop nor the store's commits wait for it. Documents
 * take turns. A merge that takes too long is given up, and not repeated until the document has changed, because it would take as
 * long again.
 */
import { availableParallelism } from 'node:os'
import { realClock } from '../../lib/session/clock.ts'
import { FairQueue } from '../fair-queue.ts'
import { WorkerPool, JobTimeout } from '../worker-pool.ts'
import type { TextAmount } from '../../lib/yjs-internals/struct-store.ts'
import { type PackedUpdates, packUpdates } from './batch.ts'
import { type LoadedPart, type DocumentPart, StoreError } from './store.ts'

export interface MergeJob {
  readonly updates: PackedUpdates
  readonly gzip: boolean
  /** The title that a copy gets; null leaves the text as it is. */
  readonly title: string | null
  /** A Yjs update, gzip, whose structs are left out; null leaves nothing out. */
  readonly since: Uint8Array<ArrayBuffer> | null
}

type MergeOptions = Partial<Pick<MergeJob, 'gzip' | 'title' | 'since'>>

export interface MergedState {
  /** One Yjs update that contains all; compressed on request. */
  readonly state: Uint8Array<ArrayBuffer>
  readonly stateVector: Uint8Array<ArrayBuffer>
}

export interface MergedText extends MergedState {
  /** Of the whole text, also where its state leaves something out. */
  readonly amount: TextAmount
}

export interface MergeSource extends Pick<LoadedPart, 'updates' | 'sequence'> {
  readonly document: string
  readonly part: DocumentPart
}

/** A merge takes some 0.1 s a MiB where text was typed in many places, and a document has 24 MiB at most. */
const MERGE_TIMEOUT_MS = 30_000
/** Each merge takes a core and the memory of a whole document; one core stays free for everything else. */
const MAX_CONCURRENT_MERGES = availableParallelism() > 2 ? 2 : 1
/** How many documents whose merge was given up are remembered. */
const MAX_REMEMBERED_TIMEOUTS = 10_000

/** Exists once in a process, because all documents share the cores. */
export class DocumentMerger {
  readonly #queue = new FairQueue(MAX_CONCURRENT_MERGES)
  readonly #threads: WorkerPool<MergeJob, MergedText | null>
  /** The sequence number that each part had when its merge was given up; the latest comes last. */
  readonly #timedOut = new Map<string, number>()

  /** @param clock Of the limit. */
  constructor(clock = realClock) {
    const file = new URL('./document-merger-worker.ts', import.meta.url)
    this.#threads = new WorkerPool({ file, name: 'merging', limitMs: MERGE_TIMEOUT_MS, clock })
  }

  /**
   * Runs work in the document's turn. Loading and writing around a merge belong into the turn, because waiting outside would hold
   * as many documents in memory.
   */
  runInTurn<Answer>(document: string, work: () => Promise<Answer>): Promise<Answer> {
    return this.#queue.run(document, work)
  }

  /**
   * Must be called in turn. Returns null when something waits for missing edits.
   * @throws {StoreError} for what Yjs cannot read, and for a merge that takes too long, now or at the last attempt.
   */
  async merge(text: MergeSource, options: MergeOptions = {}): Promise<MergedText | null> {
    const { document, part, sequence, updates } = text
    const { gzip = false, title = null, since = null } = options
    const key = `${document}/${part}`
    if (this.#timedOut.get(key) === sequence)
      throw mergeError(text, new Error('it took too long before, and has not changed since'))
    const packed = packUpdates(updates)
    try {
      return await this.#threads.run({ updates: packed, gzip, title, since }, [packed.bytes.buffer])
    } catch (error) {
      if (error instanceof JobTimeout) this.#rememberTimeout(key, sequence)
      throw mergeError(text, error as Error)
    }
  }

  #rememberTimeout(key: string, sequence: number): void {
    this.#timedOut.delete(key)
    this.#timedOut.set(key, sequence)
    const [oldest] = this.#timedOut.keys()
    if (this.#timedOut.size > MAX_REMEMBERED_TIMEOUTS && oldest !== undefined) this.#timedOut.delete(oldest)
  }
}

const mergeError = ({ document, part }: MergeSource, cause: Error) =>
  new StoreError(`${part} of ${document} cannot be merged: ${cause.message}`, { cause })
