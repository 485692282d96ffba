/** Shows a note on a file that others do not see yet, or that cannot be shown, and what a person can do about that. */
import { toast } from '@/components/ui/toast.ts'
import { browserUploads } from '@/lib/files/browser-files.ts'
import type { UploadKey, UploadStatus } from '@/lib/files/file-uploads.ts'
import { uploadsStrings } from '@/lib/strings/uploads.ts'

export interface FileNoteContent {
  readonly text: string
  readonly look: 'quiet' | 'failed'
  readonly action?: { readonly label: string; run(): void }
}

export class FileNote {
  readonly element = document.createElement('div')
  readonly #text = document.createElement('span')
  readonly #button = document.createElement('button')
  readonly #onLeave: () => void
  #run = (): void => {}

  /** @param onLeave Is called when the note goes that has the focus. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave
    this.element.className = 'file-note'
    this.element.contentEditable = 'false'
    this.#button.type = 'button'
    // The text keeps the focus and the selection.
    this.#button.addEventListener('mousedown', (event) => event.preventDefault())
    this.#button.addEventListener('click', () => this.#run())
    this.element.append(this.#text, this.#button)
    this.element.hidden = true
  }

  /**
   * The words are no part of the text: the style sheet writes them.
   *
   * @param file The name of the file: a text may have several that are on their way.
   */
  show(content: FileNoteContent | null, file: string): void {
    if (!content && this.element.contains(document.activeElement)) this.#onLeave()
    this.element.hidden = content === null
    if (!content) return
    const { text, look, action } = content
    this.element.dataset.look = look
    this.#text.dataset.text = text
    this.#button.hidden = !action
    this.#run = action?.run ?? (() => {})
    if (!action) return
    this.#button.dataset.label = action.label
    this.#button.ariaLabel = uploadsStrings.ofFile(action.label, file)
  }
}

/** The browser may have no room, or may have closed its database. */
export const reportFailure = (action: Promise<void>): Promise<void> =>
  action.catch(() => toast.error(uploadsStrings.deviceFailed, { id: 'upload' }))

/** Calls the listener with what is to be said of a file that this device sends; null once there is nothing. Returns a function that stops. */
export function watchUploadNote(
  key: UploadKey,
  listener: (content: FileNoteContent | null) => void,
): () => void {
  const uploads = key.file === '' || key.document === '' ? null : browserUploads()
  if (!uploads) return () => {}
  const cancel = { label: uploadsStrings.cancel, run: () => void reportFailure(uploads.cancel(key)) }
  const retry = (label: string) => ({ label, run: () => void reportFailure(uploads.retry(key)) })
  let former: UploadStatus | null = null
  return uploads.watch(key, (status) => {
    if (status?.state === 'failed' && former?.state === 'uploading' && document.hasFocus())
      toast.error(uploadsStrings.failed(status.reason), { id: 'upload' })
    former = status
    listener(status && contentOf(status, cancel, retry))
  })
}

type NoteAction = NonNullable<FileNoteContent['action']>

function contentOf(
  status: UploadStatus,
  cancel: NoteAction,
  retry: (label: string) => NoteAction,
): FileNoteContent {
  switch (status.state) {
    case 'waiting':
      return {
        text: status.isCut ? uploadsStrings.cut : uploadsStrings.waiting,
        look: 'quiet',
        action: cancel,
      }
    case 'uploading': {
      const percent = Math.floor((100 * status.received) / Math.max(1, status.bytes))
      return { text: uploadsStrings.uploading(percent), look: 'quiet', action: cancel }
    }
    case 'failed':
      return {
        text: uploadsStrings.failed(status.reason),
        look: 'failed',
        action: retry(uploadsStrings.retry),
      }
    case 'cancelled':
      return { text: uploadsStrings.cancelled, look: 'quiet', action: retry(uploadsStrings.upload) }
  }
}
