/**
 * Large texts are decoded in threads of their own, so that nobody else's message waits for it: with a time limit, and by document in
 * turn. Merging has other threads (store/merging.ts): no load waits for it.
 */
import { FairQueue } from '../fair-queue.ts'
import { WorkerPool } from '../worker-pool.ts'
import { type PackedUpdates, packUpdates, unpackUpdates } from '../store/batch.ts'
import { type LoadedPart, StoreError } from '../store/store.ts'
import type { TextJob } from './text-jobs.ts'

/** To cut a text into pieces takes some 0.5 s a MiB where it was typed here and there, and a document has 24 MiB at most. */
const JOB_LIMIT_MS = 60_000
const JOBS_AT_ONCE = 2

export class TextWorkerPool {
  readonly #queue = new FairQueue(JOBS_AT_ONCE)
  readonly #workers: WorkerPool<TextJob, PackedUpdates>

  constructor({ limitMs = JOB_LIMIT_MS } = {}) {
    const file = new URL('./text-worker.ts', import.meta.url)
    this.#workers = new WorkerPool({ file, name: 'texts', limitMs })
  }

  /** What is known with all that is stored. @throws {StoreError} as `RoomText.of`, and where it takes too long. */
  async stateVector(document: string, { updates, ...loaded }: LoadedPart): Promise<Uint8Array> {
    const createJob = (packed: PackedUpdates): TextJob => ({
      kind: 'state vector',
      loaded: { ...loaded, updates: packed },
    })
    return this.#one(document, updates, createJob)
  }

  /** An update that brings whoever has this state vector all of these. @throws {StoreError} */
  difference(document: string, updates: readonly Uint8Array[], stateVector: Uint8Array): Promise<Uint8Array> {
    return this.#one(document, updates, (packed) => ({ kind: 'difference', updates: packed, stateVector }))
  }

  /** As `digestOf` a Y.Doc of these. @throws {StoreError} */
  digest(document: string, updates: readonly Uint8Array[]): Promise<Uint8Array> {
    return this.#one(document, updates, (packed) => ({ kind: 'digest', updates: packed }))
  }

  /** As `piecesOf`. @throws {StoreError} */
  pieces(document: string, updates: readonly Uint8Array[]): Promise<Uint8Array[]> {
    return this.#ask(document, updates, (packed) => ({ kind: 'pieces', updates: packed }))
  }

  async #one(
    document: string,
    updates: readonly Uint8Array[],
    createJob: (packed: PackedUpdates) => TextJob,
  ): Promise<Uint8Array> {
    const [only] = await this.#ask(document, updates, createJob)
    return only as Uint8Array
  }

  /** Copied when its turn has come: what waits holds no memory of its own. */
  #ask(
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
