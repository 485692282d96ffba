import { followDownload, saveFile } from '@/components/save-file.ts'
import { browserFiles } from '@/lib/files/browser-files.ts'
import type { LocalFile } from '@/lib/files/local-files.ts'
import { filePath } from '@/lib/files/upload-file.ts'
import { fileCardStrings } from '@/lib/strings/file-card.ts'
import { type ServerFile, watchServerFile } from '../stored-file/server-files.ts'

interface DownloadedFile {
  readonly file: string
  readonly name: string
  /** The document whose text shows it; '' for an earlier version. */
  readonly document: string
}

/** `device` and `there`: the bytes can be had. */
export type CardState = ServerFile | { readonly state: 'device' }

/** A button that gives the bytes of a file, from this device or else from the server. Hidden where neither has them. */
export class FileDownload {
  readonly button = document.createElement('button')
  readonly #file: DownloadedFile
  readonly #onState: (state: CardState) => void
  readonly #unsubscribe: (() => void) | undefined
  #stopWaiting = (): void => {}
  #isDestroyed = false

  constructor(file: DownloadedFile, onState: (state: CardState) => void) {
    this.#file = file
    this.#onState = onState
    const { button } = this
    button.type = 'button'
    button.className = 'file-card-download'
    button.contentEditable = 'false'
    button.dataset.label = fileCardStrings.download
    button.ariaLabel = fileCardStrings.downloadNamed(file.name)
    button.hidden = true
    // The text keeps the focus and the selection.
    button.addEventListener('mousedown', (event) => event.preventDefault())
    button.addEventListener('click', () => void this.#download())
    this.#unsubscribe = browserFiles()?.onAdded(file.file, () => void this.#look())
    void this.#look()
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#unsubscribe?.()
    this.#stopWaiting()
  }

  async #look(): Promise<void> {
    const found = await this.#read()
    if (this.#isDestroyed) return
    this.#stopWaiting()
    const { file, document } = this.#file
    if (found) this.#show({ state: 'device' })
    else if (file === '' || document === '') this.#show({ state: 'missing' })
    else this.#stopWaiting = watchServerFile(document, file, (state) => this.#show(state))
  }

  #show(state: CardState): void {
    if (state.state === 'there') this.#stopWaiting()
    this.button.hidden = state.state !== 'device' && state.state !== 'there'
    this.#onState(state)
  }

  /** Without a database nothing is on this device. */
  async #read(): Promise<LocalFile | undefined> {
    const { file, document } = this.#file
    return file === ''
      ? undefined
      : browserFiles()
          ?.read(file, document)
          .catch(() => undefined)
  }

  async #download(): Promise<void> {
    const { file, document, name } = this.#file
    const found = await this.#read()
    if (!found) return followDownload(`${filePath(document, file)}?download`, name)
    saveFile(name, found.bytes)
  }
}
