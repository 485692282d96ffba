/**
 * Writes documents in other formats in worker threads, each person's in their turn. What was written is held until its reader has it, so
 * the turn goes on until there is room for that (StateDownloads). It knows principals and bytes; it does not know formats or requests.
 */
import { availableParallelism } from 'node:os'
import { FairQueue } from '../fair-queue.ts'
import { type Download, StateDownloads } from '../versions/state-downloads.ts'
import { JobTimeout, WorkerPool } from '../worker-pool.ts'
import { bytesIn, type ExportAnswer, type ExportJob, type WrittenEntry } from './export-job.ts'

/** A text at its limit takes some 3 s. */
const EXPORT_TIMEOUT_MS = 30_000
/** Each takes a core and the memory of a whole document; one core stays free for everything else. */
const MAX_CONCURRENT_EXPORTS = availableParallelism() > 2 ? 2 : 1
const MAX_HEAP_MB = 1_024

/** The document is too large for the format. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused'
}

export interface WrittenExport {
  readonly entries: readonly WrittenEntry[]
  readonly missingPictures: number
  /** By which the reader takes it. */
  readonly download: Download
}

export class Exports {
  readonly #queue = new FairQueue(MAX_CONCURRENT_EXPORTS)
  readonly #downloads = new StateDownloads()
  readonly #threads = new WorkerPool<ExportJob, ExportAnswer>({
    file: new URL('./export-worker.ts', import.meta.url),
    name: 'exporting',
    limitMs: EXPORT_TIMEOUT_MS,
    maxHeapMb: MAX_HEAP_MB,
  })

  /**
   * @param loadJob Runs in the principal's turn: waiting outside would hold a document in memory.
   * @param signal Aborted when the reader goes away. @throws {ExportRefused} @throws {DownloadRefused}
   */
  write(principal: string, loadJob: () => Promise<ExportJob>, signal: AbortSignal): Promise<WrittenExport> {
    return this.#queue.run(principal, async () => {
      const { entries, missingPictures } = await this.#run(await loadJob())
      const parts = entries.flatMap((entry) => entry.parts)
      const bytes = parts.reduce((sum, part) => sum + (bytesIn(part)?.length ?? 0), 0)
      return { entries, missingPictures, download: await this.#downloads.admit(principal, bytes, signal) }
    })
  }

  async #run(job: ExportJob): Promise<Omit<WrittenExport, 'download'>> {
    const bytes = [job.body.bytes, job.comments?.bytes]
    const transferred = bytes.flatMap((one) => one?.buffer ?? [])
    try {
      const answer = await this.#threads.run(job, transferred)
      if (answer.entries) return { ...answer, entries: answer.entries }
    } catch (error) {
      if (!(error instanceof JobTimeout)) throw error
    }
    throw new ExportRefused(`${job.context.document} is too large for ${job.format}`)
  }
}
