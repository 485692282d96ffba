import { browserFiles } from '@/lib/files/browser-files.ts'
import type { FileUrl } from '@/lib/files/file-urls.ts'

interface ShownFile {
  readonly file: string
  /** The document whose text shows it; '' for an earlier version. */
  readonly document: string
}

/** Whether the bytes are on this device, and the browser can draw them. */
export type PictureState = 'yes' | 'no' | 'broken'

/**
 * Shows a file of this device in an image, also when another window adds it later. Returns a function that stops, and gives the image's
 * address back.
 */
export function showLocalPicture(
  image: HTMLImageElement,
  { file, document }: ShownFile,
  onState: (state: PictureState) => void,
): () => void {
  const files = file === '' ? null : browserFiles()
  const stop = new AbortController()
  const placeholder = image.getAttribute('src')
  let opened: FileUrl | null = null
  const load = async (): Promise<void> => {
    const found = (await files?.open(file, document)) ?? null
    if (stop.signal.aborted || opened) return found?.release()
    opened = found
    if (found) image.src = found.url
    onState(found ? 'yes' : 'no')
  }
  const unsubscribe = files?.onAdded(file, () => void load())
  image.addEventListener('error', () => opened && onState('broken'), { signal: stop.signal })
  void load()
  return () => {
    stop.abort()
    unsubscribe?.()
    opened?.release()
    if (placeholder === null) image.removeAttribute('src')
    else image.src = placeholder
  }
}
