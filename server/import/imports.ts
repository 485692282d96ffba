/**
 * Takes files to import onto the disk, and reads them in a worker thread, each person's in their turn. It knows principals, bytes and
 * threads; it does not know formats or requests.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MAX_INFLATED_BYTES } from '../../lib/import/import-limits.ts'
import { ImportRefused, type ImportSource } from '../../lib/import/imported-document.ts'
import { randomId } from '../../lib/protocol/ids.ts'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { importStrings } from '../../lib/strings/import.ts'
import { FairQueue } from '../fair-queue.ts'
import { storageError } from '../files/folder-storage.ts'
import { requireBodyRate } from '../body-rate.ts'
import { BODY_TIMEOUT_MS } from '../listener-limits.ts'
import { apiUnits } from '../metering/prices.ts'
import { JobTimeout, WorkerPool } from '../worker-pool.ts'
import type { ImportAnswer, ImportJob } from './import-job.ts'

/** The limits that count stop a file much earlier. */
const IMPORT_TIMEOUT_MS = 30_000
/** In MiB, so that a thread takes less than 256 with its young objects, buffers and code. A text of a million letters takes some 120. */
const MAX_HEAP_MB = 176
const MAX_YOUNG_HEAP_MB = 32
/** Files on the disk and on their way. */
const MAX_OF_PRINCIPAL = 4
const MAX_OF_ALL = 40

/** Too many files arrive or wait. */
export class TooManyImports extends Error {
  override readonly name = 'TooManyImports'
}

/** The file is larger than the limit. */
export class ImportTooLarge extends Error {
  override readonly name = 'ImportTooLarge'
}

interface IncomingFile {
  readonly principal: string
  readonly body: Readable
  readonly limitBytes: number
}

interface OpenImport {
  readonly principal: string
  readonly body: Readable
  readonly startedAt: number
  /** So many bytes have arrived. */
  bytes: number
  isWhole: boolean
}

export class Imports {
  /** One at a time: each takes a core and hundreds of MiB. */
  readonly #queue = new FairQueue(1)
  readonly #threads = new WorkerPool<ImportJob, ImportAnswer>({
    file: new URL('./import-worker.ts', import.meta.url),
    name: 'importing',
    limitMs: IMPORT_TIMEOUT_MS,
    maxHeapMb: MAX_HEAP_MB,
    maxYoungHeapMb: MAX_YOUNG_HEAP_MB,
  })
  readonly #folder: string
  readonly #clock: Clock
  readonly #open = new Set<OpenImport>()
  #isReady: Promise<unknown> | undefined

  /** @param folder Of this process alone: what an earlier one has left there is removed. */
  constructor(folder: string, clock = realClock) {
    this.#folder = folder
    this.#clock = clock
  }

  /**
   * Takes the file whole, and has it read, after which it is gone.
   * @throws {TooManyImports} @throws {ImportTooLarge} @throws {ImportRefused} where it was cut off.
   */
  async receive<Answer>(
    { principal, body, limitBytes }: IncomingFile,
    read: (path: string, bytes: number) => Promise<Answer>,
  ): Promise<Answer> {
    const own = [...this.#open].filter((one) => one.principal === principal).length
    if (own >= MAX_OF_PRINCIPAL) throw new TooManyImports()
    if (this.#open.size >= MAX_OF_ALL) this.#endSlowest()
    const file: OpenImport = { principal, body, startedAt: this.#clock.now(), bytes: 0, isWhole: false }
    this.#open.add(file)
    const path = join(this.#folder, randomId())
    try {
      await (this.#isReady ??= this.#emptyFolder().catch((error: unknown) => {
        this.#isReady = undefined // the next file tries again
        throw error
      }))
      await this.#writeBody(file, path, limitBytes)
      file.isWhole = true
      return await read(path, file.bytes)
    } finally {
      this.#open.delete(file)
      await rm(path, { force: true })
    }
  }

  /** Of those that have had their time to arrive, the one that came slowest gives its place to the next. @throws {TooManyImports} for none. */
  #endSlowest(): void {
    const now = this.#clock.now()
    const late = [...this.#open].filter(
      ({ isWhole, startedAt }) => !isWhole && now - startedAt >= BODY_TIMEOUT_MS,
    )
    const rateOf = ({ bytes, startedAt }: OpenImport): number => bytes / (now - startedAt)
    const [slowest] = late.toSorted((one, other) => rateOf(one) - rateOf(other))
    if (!slowest) throw new TooManyImports()
    this.#open.delete(slowest)
    slowest.body.destroy(new ImportRefused(importStrings.refused.tooSlow))
  }

  async #emptyFolder(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** @param charge Takes the units of work beside the bytes of the file. @throws {ImportRefused} with a sentence. */
  read(
    principal: string,
    path: string,
    { name, type }: Pick<ImportSource, 'name' | 'type'>,
    charge: (units: number) => void,
  ): Promise<Exclude<ImportAnswer, { refusal: string }>> {
    return this.#queue.run(principal, async () => {
      const bytes = new Uint8Array(await readFile(path))
      // A thread that ended by its limits of time or memory leaves nothing else to say.
      const answer = await this.#threads
        .run({ name, type, bytes }, [bytes.buffer])
        .catch((error: unknown): ImportAnswer => {
          if (error instanceof JobTimeout) charge(IMPORT_TIMEOUT_MS * 1_000)
          return { refusal: importStrings.refused.tooHard(name), inflatedBytes: MAX_INFLATED_BYTES }
        })
      charge(apiUnits.inflated(answer.inflatedBytes))
      if ('refusal' in answer) throw new ImportRefused(answer.refusal)
      return answer
    })
  }

  async #writeBody(file: OpenImport, path: string, limitBytes: number): Promise<void> {
    const { body } = file
    const rate = requireBodyRate(body, () => new ImportRefused(importStrings.refused.tooSlow), this.#clock)
    try {
      await pipeline(
        async function* () {
          // The stream stays open for the answer to a file that is refused.
          for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
            rate.count(chunk.length)
            file.bytes += chunk.length
            if (file.bytes > limitBytes) throw new ImportTooLarge()
            yield chunk
          }
        },
        createWriteStream(path, { mode: 0o600 }),
      )
    } catch (error) {
      if (error instanceof ImportTooLarge || error instanceof ImportRefused) throw error
      if (body.destroyed) throw new ImportRefused(importStrings.refused.cut, { cause: error })
      throw storageError(error as NodeJS.ErrnoException)
    } finally {
      rate.stop()
    }
  }
}
