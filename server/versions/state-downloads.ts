/**
 * Lets the texts of versions be read a few at a time. Each is read from the store whole, and held as it is stored, deflated, until its
 * reader has all of it; it is inflated as it is read. So the limits are in bytes, and whoever exceeds them waits:
 *
 *   admit ─▶ fits? ─▶ open ─▶ the reader takes chunk after chunk ─▶ taken whole, or given up: the next one is admitted
 *              └─▶ waits for its turn ─▶ DownloadRefused after a while
 *
 * While others wait, a reader who takes nothing is cut. A few chunks begin in each turn of the event loop. Knows bytes and principals; does not know documents or requests.
 */
import { createGunzip } from 'node:zlib'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { MAX_DOWNLOADED_BYTES, MAX_DOWNLOADED_BYTES_PER_PRINCIPAL } from '../listener-limits.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'

/** How many downloads of one principal, and of all, wait for their turn, and how long. */
const MAX_WAITING_PER_PRINCIPAL = 32
const MAX_WAITING = 1_000
const MAX_WAIT_MS = 15_000
/** A reader who has taken nothing for so long is cut if others wait. Otherwise the listener's limit alone holds. */
const STALLED_MS = 5_000
const CHECK_MS = 1_000
/** What one download costs beside its state: zlib, and the chunks on their way. */
const DOWNLOAD_BYTES = 128 * 1024
const CHUNK_BYTES = 64 * 1024
/** Of all downloads, in one turn of the event loop: as many as Node's pool has threads. What begins at once ends at once, some 0.3 ms each. */
export const MAX_CHUNKS_A_TURN = 4
/** A text that is longer could not be opened as a document. */
const MAX_INFLATED_BYTES = MAX_MESSAGE_BYTES

/** Too many downloads are open or wait. */
export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused'
  readonly retryAfterS = 5
}

/** Ends the answer of a reader who has taken nothing while others waited. */
export class DownloadStalled extends Error {
  override readonly name = 'DownloadStalled'
}

interface WaitingDownload {
  readonly principal: string
  readonly bytes: number
  start(): void
}

export interface DownloadLimits {
  readonly bytes?: number
  readonly principalBytes?: number
  readonly clock?: Pick<Clock, 'now' | 'after'>
}

export class StateDownloads {
  readonly #limits: Required<DownloadLimits>
  readonly #open = new Set<Download>()
  readonly #waiting = new Set<WaitingDownload>()
  readonly #chunkTurns = new ChunkTurns()
  #isCheckScheduled = false

  constructor({
    bytes = MAX_DOWNLOADED_BYTES,
    principalBytes = MAX_DOWNLOADED_BYTES_PER_PRINCIPAL,
    clock = realClock,
  }: DownloadLimits = {}) {
    this.#limits = { bytes, principalBytes, clock }
  }

  get openCount(): number {
    return this.#open.size
  }

  get waitingCount(): number {
    return this.#waiting.size
  }

  /**
   * Resolves when so many stored bytes may be read. Whoever gets it calls `send` or `close`.
   * @param signal Aborted when the client goes away. @throws {DownloadRefused}
   */
  admit(principal: string, storedBytes: number, signal: AbortSignal): Promise<Download> {
    const bytes = storedBytes + DOWNLOAD_BYTES
    return new Promise((resolve, reject) => {
      if (this.#isFull(principal)) return reject(new DownloadRefused())
      const end = (): void => {
        cancel()
        signal.removeEventListener('abort', refuse)
        this.#waiting.delete(download)
      }
      const refuse = (): void => {
        end()
        reject(new DownloadRefused())
      }
      const start = (): void => {
        end()
        resolve(this.#begin(principal, bytes))
      }
      const cancel = this.#limits.clock.after(MAX_WAIT_MS, refuse)
      const download: WaitingDownload = { principal, bytes, start }
      signal.addEventListener('abort', refuse)
      this.#waiting.add(download)
      this.#startNext()
    })
  }

  #isFull(principal: string): boolean {
    if (this.#waiting.size >= MAX_WAITING) return true
    const own = [...this.#waiting].filter((waiting) => waiting.principal === principal)
    return own.length >= MAX_WAITING_PER_PRINCIPAL
  }

  #begin(principal: string, bytes: number): Download {
    const { clock } = this.#limits
    const download = new Download(principal, bytes, clock, this.#chunkTurns, () => {
      this.#open.delete(download)
      this.#startNext()
    })
    this.#open.add(download)
    return download
  }

  /** The order is that of the calls, but for those whose principal has its share: these wait for each other. */
  #startNext(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes, this.#limits.bytes, [...this.#open])) break
      const own = [...this.#open].filter(({ principal }) => principal === waiting.principal)
      if (this.#fits(waiting.bytes, this.#limits.principalBytes, own)) waiting.start()
    }
    if (this.#waiting.size > 0) this.#scheduleCheck()
  }

  /** One that is larger than the whole limit is read alone. */
  #fits(bytes: number, limit: number, open: readonly Download[]): boolean {
    return open.length === 0 || open.reduce((sum, download) => sum + download.bytes, bytes) <= limit
  }

  #scheduleCheck(): void {
    if (this.#isCheckScheduled) return
    this.#isCheckScheduled = true
    this.#limits.clock.after(CHECK_MS, () => {
      this.#isCheckScheduled = false
      if (this.#waiting.size === 0) return
      const takenBefore = this.#limits.clock.now() - STALLED_MS
      for (const download of this.#open) if (download.takenAt <= takenBefore) download.cut()
      this.#startNext()
    })
  }
}

/** Divides the chunks of all downloads among turns of the event loop, in the order in which they are asked for. */
class ChunkTurns {
  readonly #waiting: (() => void)[] = []

  /** Resolves when the next chunk may begin. */
  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    if (this.#waiting.length === 1) setImmediate(this.#beginNext)
    return promise
  }

  readonly #beginNext = (): void => {
    for (const begin of this.#waiting.splice(0, MAX_CHUNKS_A_TURN)) begin()
    if (this.#waiting.length > 0) setImmediate(this.#beginNext)
  }
}

/** One text that is being read. */
export class Download {
  readonly principal: string
  readonly bytes: number
  readonly #clock: Pick<Clock, 'now'>
  readonly #chunkTurns: ChunkTurns
  readonly #onEnded: () => void
  readonly #ended = Promise.withResolvers<void>()
  #endStream: ((error: DownloadStalled) => void) | null = null
  #isEnded = false
  /** When the reader last took something. */
  takenAt: number

  constructor(
    principal: string,
    bytes: number,
    clock: Pick<Clock, 'now'>,
    chunkTurns: ChunkTurns,
    onEnded: () => void,
  ) {
    this.principal = principal
    this.bytes = bytes
    this.#clock = clock
    this.#chunkTurns = chunkTurns
    this.#onEnded = onEnded
    this.takenAt = clock.now()
  }

  /** Resolves once all is taken, or nothing more will be. */
  get whenEnded(): Promise<void> {
    return this.#ended.promise
  }

  /** @param state Gzip. @param inflates False for a reader who inflates it. */
  send(state: Uint8Array<ArrayBuffer>, inflates: boolean): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.stream(inflates ? inflate(state) : splitChunks(state))
  }

  stream(chunks: Chunks): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream(
      {
        start: (controller) => this.joinStream((error) => controller.error(error)),
        pull: async (controller) => {
          this.markTaken()
          await this.#chunkTurns.wait()
          const { value, done } = await this.#closeOnError(chunks.next())
          if (this.#isEnded) return void chunks.return()
          if (!done) return controller.enqueue(value)
          controller.close()
          this.close()
        },
        cancel: () => {
          this.close()
          void chunks.return()
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** @param endStream Ends the stream by which this is read, once this is cut, or at once if it was. */
  joinStream(endStream: (error: DownloadStalled) => void): void {
    this.#endStream = endStream
    if (this.#isEnded) this.cut()
  }

  markTaken(): void {
    this.takenAt = this.#clock.now()
  }

  /** Ends the answer without its rest. */
  cut(): void {
    this.#endStream?.(new DownloadStalled('A reader took nothing while others waited'))
    this.close()
  }

  close(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#ended.resolve()
    this.#onEnded()
  }

  async #closeOnError<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.close()
      throw error
    }
  }
}

export type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>, void>

export async function* splitChunks(state: Uint8Array<ArrayBuffer>): Chunks {
  for (let offset = 0; offset < state.length; offset += CHUNK_BYTES)
    yield state.subarray(offset, offset + CHUNK_BYTES)
}

/** Inflates no further than the reader reads, in threads of Node's pool. */
async function* inflate(state: Uint8Array): Chunks {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  gunzip.end(state)
  let bytes = 0
  for await (const chunk of gunzip as AsyncIterable<Buffer<ArrayBuffer>>) {
    bytes += chunk.length
    if (bytes > MAX_INFLATED_BYTES) throw new Error(`A version is longer than ${MAX_INFLATED_BYTES} bytes`)
    yield chunk
  }
}
