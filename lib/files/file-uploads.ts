/**
 * Sends the files of this device that their documents' server lacks: one window of a browser does, one file after the other, until nothing
 * is left. The others hear how far it is, and may cancel and retry. What an upload is like stands here alone, and in no document.
 *
 *   waiting ──▶ uploading ──▶ (there)
 *      ▲ ▲──────────┘ │
 *      │   no network ├──▶ failed ──retry──▶ waiting
 *      └──── retry ───┴──▶ cancelled
 */
import type { BroadcastChannelLike } from '../broadcast-channel.ts'
import type { LocksLike } from '../locks.ts'
import { notifyAll } from '../notify-all.ts'
import type { Clock } from '../session/clock.ts'
import { retryDelayMs } from '../session/retry-delay.ts'
import { type LocalFiles, type UnsentFile, unsentOf } from './local-files.ts'
import { PieceSize } from './piece-size.ts'
import { filePath, type UploadAttempt, uploadFile, UploadFailed, UploadInterrupted } from './upload-file.ts'

export type UploadStatus =
  | { readonly state: 'waiting'; readonly isCut: boolean }
  | { readonly state: 'uploading'; readonly received: number; readonly bytes: number }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'cancelled' }

/** Null for a file that its document has, or that is not on this device. */
type UploadListener = (status: UploadStatus | null) => void

/** One file of one document. */
export interface UploadKey {
  readonly file: string
  readonly document: string
}

/** What windows of one browser tell each other. */
type UploadMessage =
  (UploadKey & { readonly type: 'upload'; readonly status: UploadStatus | null }) | { readonly type: 'ask' }

export interface UploadsPlatform {
  readonly files: LocalFiles
  readonly channel: BroadcastChannelLike
  readonly locks: LocksLike
  readonly clock: Clock
  readonly request: UploadAttempt['request']
  /** The principal that this browser acts for. */
  principal(): string
}

const uploadLock = 'diptych:uploads'

export class FileUploads {
  readonly #platform: UploadsPlatform
  readonly #pieceSize: PieceSize
  /** Each file's status as a window told it last. */
  readonly #statuses = new Map<string, UploadStatus>()
  readonly #listeners = new Map<string, Set<UploadListener>>()
  /** Files that nobody has begun to send: the server need not be asked how much it has. */
  readonly #new = new Set<string>()
  #isRunning = false
  #isWanted = false
  #sending: { readonly key: string; readonly abort: AbortController } | null = null
  #endPause = (): void => {}

  constructor(platform: UploadsPlatform) {
    this.#platform = platform
    this.#pieceSize = new PieceSize(() => platform.clock.now())
    platform.channel.addEventListener('message', ({ data }) => this.#receive(data as UploadMessage | string))
    this.#post({ type: 'ask' })
  }

  /** Sends what waits, now: after a file was added, or when the network is back. */
  start(): void {
    this.#isWanted = true
    this.#endPause()
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  /** The file is on this device and was put into this document. */
  async want({ file, document }: UploadKey): Promise<void> {
    await this.#platform.files.setUnsent(file, document, 'wanted')
    this.added({ file, document })
  }

  added(key: UploadKey): void {
    this.#new.add(textOf(key))
    this.#set(key, { state: 'waiting', isCut: false })
    this.start()
  }

  async retry(key: UploadKey): Promise<void> {
    await this.#platform.files.setUnsent(key.file, key.document, 'wanted')
    this.#set(key, { state: 'waiting', isCut: false })
    this.start()
  }

  async cancel(key: UploadKey): Promise<void> {
    const { files, request } = this.#platform
    await files.setUnsent(key.file, key.document, 'cancelled')
    this.#set(key, { state: 'cancelled' })
    this.#abort(key)
    const headers = { 'tus-resumable': '1.0.0' }
    const init = { method: 'DELETE', headers, signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) }
    const response = await request(filePath(key.document, key.file), init).catch(() => null)
    // All of it had arrived.
    if (response?.status === 409) await this.#finish(key)
  }

  /** Calls the listener with what is known, and whenever it changes. Returns a function that unsubscribes. */
  watch(key: UploadKey, listener: UploadListener): () => void {
    const text = textOf(key)
    const listeners = this.#listeners.get(text) ?? new Set()
    this.#listeners.set(text, listeners.add(listener))
    void this.#find(key).then((status) => listeners.has(listener) && listener(status))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(text) === listeners) this.#listeners.delete(text)
    }
  }

  async #find(key: UploadKey): Promise<UploadStatus | null> {
    const file = await this.#platform.files.get(key.file, '').catch(() => undefined)
    const state = file && unsentOf(file)[key.document]
    if (state === undefined) return null
    if (state === 'cancelled') return { state }
    return this.#statuses.get(textOf(key)) ?? { state: 'waiting', isCut: false }
  }

  /** Without a database or a lock nothing is sent, until something is added next. */
  async #run(): Promise<void> {
    const { locks } = this.#platform
    while (this.#isWanted) {
      this.#isWanted = false
      await locks.request(uploadLock, {}, () => this.#sendAll()).catch(() => {})
    }
    this.#isRunning = false
  }

  /** A file that was cut off is tried again after the others: what stops one of them stops no other. */
  async #sendAll(): Promise<void> {
    const cutOff = new Set<string>()
    for (let attempt = 0; ;) {
      const unsent = await this.#platform.files.listUnsent(this.#platform.principal())
      this.#forgetOthers(unsent)
      const due = unsent.filter((one) => this.#isDue(one))
      let next = due.find((one) => !cutOff.has(textOf(keyOfUnsent(one))))
      if (!next) cutOff.clear()
      next ??= due[0]
      if (!next) return
      const cut = await this.#send(next)
      attempt = cut ? attempt + 1 : 0
      if (!cut) continue
      cutOff.add(textOf(keyOfUnsent(next)))
      await this.#pause(cut, attempt)
    }
  }

  /** A window may have been closed before it could say that a file is there, and a document may have left this device. */
  #forgetOthers(unsent: readonly UnsentFile[]): void {
    const left = new Set(unsent.map((one) => textOf(keyOfUnsent(one))))
    for (const text of this.#statuses.keys()) if (!left.has(text)) this.#set(keyOf(text), null)
  }

  #isDue(unsent: UnsentFile): boolean {
    const status = this.#statuses.get(textOf(keyOfUnsent(unsent)))
    return unsent.state === 'wanted' && status?.state !== 'failed'
  }

  /** Returns why it was cut off; null if another attempt would not help, or is not needed. */
  async #send(unsent: UnsentFile): Promise<UploadInterrupted | null> {
    const { file, document } = unsent
    const key = keyOfUnsent(unsent)
    const text = textOf(key)
    const abort = new AbortController()
    this.#sending = { key: text, abort }
    const { request } = this.#platform
    const { size } = file.bytes
    const onProgress = (received: number): void =>
      this.#set(key, { state: 'uploading', received, bytes: size })
    try {
      const isNew = this.#new.delete(text)
      const pieceSize = this.#pieceSize
      onProgress(0)
      await uploadFile({ document, file, isNew, pieceSize, request, signal: abort.signal, onProgress })
      await this.#finish(key)
      return null
    } catch (error) {
      if (abort.signal.aborted) return null
      if (error instanceof UploadInterrupted) {
        this.#set(key, { state: 'waiting', isCut: true })
        return error
      }
      if (!(error instanceof UploadFailed)) throw error
      this.#set(key, { state: 'failed', reason: error.message })
      return null
    } finally {
      this.#sending = null
    }
  }

  async #finish(key: UploadKey): Promise<void> {
    await this.#platform.files.setUnsent(key.file, key.document, null)
    this.#set(key, null)
  }

  /** Until it is time for another attempt, or somebody thinks that it is. */
  async #pause({ retryAfterMs }: UploadInterrupted, attempt: number): Promise<void> {
    const { clock } = this.#platform
    const reason = { code: 'lost', retryAfterMs } as const
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = clock.after(retryDelayMs({ attempt, reason, random: clock.random() }), resolve)
    this.#endPause = resolve
    await promise
    stop()
  }

  #abort(key: UploadKey): void {
    if (this.#sending?.key === textOf(key)) this.#sending.abort.abort()
  }

  #set(key: UploadKey, status: UploadStatus | null): void {
    this.#note(key, status)
    this.#post({ type: 'upload', ...key, status })
  }

  #note(key: UploadKey, status: UploadStatus | null): void {
    const text = textOf(key)
    if (status) this.#statuses.set(text, status)
    else this.#statuses.delete(text)
    notifyAll(this.#listeners.get(text) ?? [], status)
  }

  #receive(message: UploadMessage | string): void {
    if (typeof message === 'string') return // a file was added, which file-urls.ts hears
    if (message.type === 'ask') {
      for (const [text, status] of this.#statuses) this.#post({ type: 'upload', ...keyOf(text), status })
      return
    }
    const { status } = message
    this.#note(message, status)
    if (status?.state === 'cancelled') this.#abort(message)
    // Waits for the lock: the window that sends may be closed or crash.
    if (status?.state === 'waiting') this.start()
  }

  #post(message: UploadMessage): void {
    this.#platform.channel.postMessage(message)
  }
}

/** In ms. */
const CANCEL_TIMEOUT_MS = 30_000

const keyOfUnsent = ({ file, document }: UnsentFile): UploadKey => ({ file: file.id, document })

const textOf = ({ file, document }: UploadKey): string => `${file} ${document}`

function keyOf(text: string): UploadKey {
  const [file = '', document = ''] = text.split(' ')
  return { file, document }
}
