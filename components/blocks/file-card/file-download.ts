import { browserFiles } from '@/lib/files/browser-files.ts'
import { toast } from '@/components/ui/toast.ts'
import { strings } from '@/lib/strings/file-card.ts'

interface DownloadedFile {
  readonly file: string
  readonly name: string
  /** The document whose text shows it; '' for an earlier version. */
  readonly document: string
}

/** A button that gives the bytes of a file. Hidden where they are not on this device. */
export class FileDownload {
  readonly button = document.createElement('button')
  readonly #file: DownloadedFile
  readonly #onFound: (isHere: boolean) => void
  readonly #unsubscribe: (() => void) | undefined
  #isDestroyed = false

  constructor(file: DownloadedFile, onFound: (isHere: boolean) => void) {
    this.#file = file
    this.#onFound = onFound
    const { button } = this
    button.type = 'button'
    button.className = 'file-card-download'
    button.contentEditable = 'false'
    button.dataset.label = strings.download
    button.ariaLabel = strings.downloadNamed(file.name)
    button.hidden = true
    // The text keeps the focus and the selection.
    button.addEventListener('mousedown', (event) => event.preventDefault())
    button.addEventListener('click', () => void this.#download().catch(() => toast.error(strings.unreadable)))
    this.#unsubscribe = browserFiles()?.onAdded(file.file, () => void this.#look())
    void this.#look()
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#unsubscribe?.()
  }

  async #look(): Promise<void> {
    const found = await this.#read().catch(() => undefined) // without a database nothing is on this device
    if (this.#isDestroyed) return
    this.button.hidden = !found
    this.#onFound(found !== undefined)
  }

  #read() {
    const { file, document } = this.#file
    return Promise.resolve(file === '' ? undefined : browserFiles()?.read(file, document))
  }

  /** As bytes of no type: a page among them must not open under this address. */
  async #download(): Promise<void> {
    const found = await this.#read()
    if (!found) throw new Error('The file is not on this device any more.')
    const url = URL.createObjectURL(new Blob([found.bytes], { type: 'application/octet-stream' }))
    const link = document.createElement('a')
    link.href = url
    link.download = this.#file.name || 'file'
    link.click()
    // The browser has the bytes once it has begun the download, of which it does not tell.
    setTimeout(() => URL.revokeObjectURL(url), REVOKED_AFTER_MS)
  }
}

const REVOKED_AFTER_MS = 60_000
