/**
 * Decodes large texts in worker threads, so that nobody else's message waits: with a time limit, and with documents taking turns.
 * Merging has other threads (store/document-merger.ts), so that no load waits for it.
 */
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { FairQueue } from '../fair-queue.ts'
import { WorkerPool } from '../worker-pool.ts'
import { type PackedUpdates, packUpdates, unpackUpdates } from '../store/batch.ts'
import { type LoadedPart, StoreError } from '../store/store.ts'
import type { TextJob } from './text-jobs.ts'
import { decodeCount, type MemoryCount } from './memory-count.ts'

/** Cutting a text that was typed here and there into pieces takes some 0.5 s a MiB, and a document has at most 24 MiB. */
const JOB_LIMIT_MS = 60_000
const JOBS_AT_ONCE = 2

export class TextWorkerPool {
  readonly #queue = new FairQueue(JOBS_AT_ONCE)
  readonly #workers: WorkerPool<TextJob, PackedUpdates>

  constructor(clock: Clock = realClock) {
    const file = new URL('./text-worker.ts', import.meta.url)
    this.#workers = new WorkerPool({ file, name: 'texts', limitMs: JOB_LIMIT_MS, clock })
  }

  /** Computes the state vector of all that is stored. @throws {StoreError} as `RoomText.fromLoaded`, and at the time limit. */
  async stateVector(document: string, { updates, ...loaded }: LoadedPart): Promise<Uint8Array> {
    const createJob = (packed: PackedUpdates): TextJob => ({
      kind: 'state vector',
      loaded: { ...loaded, updates: packed },
    })
    return this.#runForOne(document, updates, createJob)
  }

  /** Computes the one update that is missing at this state vector. @throws {StoreError} */
  difference(document: string, updates: readonly Uint8Array[], stateVector: Uint8Array): Promise<Uint8Array> {
    return this.#runForOne(document, updates, (packed) => ({
      kind: 'difference',
      updates: packed,
      stateVector,
    }))
  }

  /** The same as `digestOf` for a Y.Doc of these updates. @throws {StoreError} */
  digest(document: string, updates: readonly Uint8Array[]): Promise<Uint8Array> {
    return this.#runForOne(document, updates, (packed) => ({ kind: 'digest', updates: packed }))
  }

  /** Counts all of the text as one update. @throws {StoreError} */
  async size(document: string, updates: readonly Uint8Array[]): Promise<MemoryCount> {
    return decodeCount(
      await this.#runForOne(document, updates, (packed) => ({ kind: 'size', updates: packed })),
    )
  }

  /** The same as `piecesOf`. @throws {StoreError} */
  pieces(document: string, updates: readonly Uint8Array[]): Promise<Uint8Array[]> {
    return this.#run(document, updates, (packed) => ({ kind: 'pieces', updates: packed }))
  }

  async #runForOne(
    document: string,
    updates: readonly Uint8Array[],
    createJob: (packed: PackedUpdates) => TextJob,
  ): Promise<Uint8Array> {
    const [only] = await this.#run(document, updates, createJob)
    return only as Uint8Array
  }

  /** Copies the updates only when the job starts, so that waiting jobs hold no memory of their own. */
  #run(
    document: string,
    updates: readonly Uint8Array[],
    createJob: (packed: PackedUpdates) => TextJob,
  ): Promise<Uint8Array[]> {
    return this.#queue.run(document, async () => {
      const packed = packUpdates(updates)
      try {
        return unpackUpdates(await this.#workers.run(createJob(packed), [packed.bytes.buffer]))
      } catch (cause) {
        throw new StoreError(`${document} cannot be read: ${(cause as Error).message}`, { cause })
      }
    })
  }
}
