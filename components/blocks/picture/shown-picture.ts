/**
 * Shows a file in an image: from this device, else from the server, as soon as either has it.
 *
 *   device ── not there ──▶ server ── error ──▶ what the server has: arriving, missing, unknown ── there ──▶ server, once more
 */
import { browserFiles } from '@/lib/files/browser-files.ts'
import type { FileUrl } from '@/lib/files/file-urls.ts'
import { filePath } from '@/lib/files/upload-file.ts'
import { runLater } from '@/lib/run-later.ts'
import { type ServerFile, watchServerFile } from '../stored-file/server-files.ts'

interface PictureFile {
  readonly file: string
  /** The document whose text or version shows it; '' where that is not known. */
  readonly document: string
}

/** In ms. A server that refuses pictures is busy, and the longer it is, the less often it is asked. */
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 5 * 60_000

/** `unreadable`: the bytes are here, and the browser cannot draw them. */
export type PictureState =
  Exclude<ServerFile, { state: 'there' }> | { readonly state: 'loading' | 'shown' | 'unreadable' }

export class ShownPicture {
  readonly #image: HTMLImageElement
  readonly #file: PictureFile
  readonly #onState: (state: PictureState) => void
  readonly #placeholder: string | null
  readonly #stop = new AbortController()
  readonly #unsubscribe: (() => void) | undefined
  #opened: FileUrl | null = null
  #stopWaiting = (): void => {}
  /** The server said that it has the file, and the image was loaded again after that. */
  #isLoadedAgain = false
  #retryMs = FIRST_RETRY_MS

  constructor(image: HTMLImageElement, file: PictureFile, onState: (state: PictureState) => void) {
    this.#image = image
    this.#file = file
    this.#onState = onState
    this.#placeholder = image.getAttribute('src')
    const { signal } = this.#stop
    image.addEventListener('load', () => this.#onLoad(), { signal })
    image.addEventListener('error', () => this.#onError(), { signal })
    this.#unsubscribe = file.file === '' ? undefined : browserFiles()?.onAdded(file.file, () => this.retry())
    this.retry()
  }

  retry(): void {
    this.#retryMs = FIRST_RETRY_MS
    this.#showAgain()
  }

  #showAgain(): void {
    this.#isLoadedAgain = false
    void this.#show()
  }

  /** Gives the image's address back. */
  destroy(): void {
    this.#stop.abort()
    this.#unsubscribe?.()
    this.#stopWaiting()
    this.#opened?.release()
    this.#showPlaceholder()
  }

  async #show(): Promise<void> {
    const { file, document } = this.#file
    const found = (await (file === '' ? null : browserFiles()?.open(file, document))) ?? null
    if (this.#stop.signal.aborted || this.#opened) return found?.release()
    this.#opened = found
    if (found) this.#load(found.url)
    else if (file === '' || document === '') this.#onState({ state: 'missing' })
    else this.#load(filePath(document, file))
  }

  #load(url: string): void {
    this.#stopWaiting()
    this.#onState({ state: 'loading' })
    this.#image.src = url
  }

  #onLoad(): void {
    if (this.#image.getAttribute('src') !== this.#placeholder) this.#onState({ state: 'shown' })
  }

  #onError(): void {
    if (this.#image.getAttribute('src') === this.#placeholder) return
    this.#showPlaceholder()
    if (this.#opened) return this.#onState({ state: 'unreadable' })
    const { file, document } = this.#file
    this.#stopWaiting()
    this.#stopWaiting = watchServerFile(document, file, (found) => {
      if (found.state !== 'there') return this.#onState(found)
      if (!this.#isLoadedAgain) {
        this.#isLoadedAgain = true
        return this.#load(filePath(document, file))
      }
      this.#stopWaiting()
      void this.#explainError(filePath(document, file))
    })
  }

  /** The server has it, and it was not drawn: the server may have been busy, or the browser cannot draw it. */
  async #explainError(path: string): Promise<void> {
    const { signal } = this.#stop
    const response = await fetch(path, { method: 'HEAD', signal }).catch(() => null)
    if (signal.aborted) return
    if (response?.ok) return this.#onState({ state: 'unreadable' })
    this.#onState({ state: 'unknown' })
    // Many pictures that were refused together are not asked for together.
    this.#stopWaiting = runLater(this.#retryMs * (1 + Math.random()), () => this.#showAgain())
    this.#retryMs = Math.min(LAST_RETRY_MS, 2 * this.#retryMs)
  }

  #showPlaceholder(): void {
    if (this.#placeholder === null) this.#image.removeAttribute('src')
    else this.#image.src = this.#placeholder
  }
}
