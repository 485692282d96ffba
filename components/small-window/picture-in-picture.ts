/** Opens a small window that the browser keeps above all others, if it has Document Picture-in-Picture. Knows no React. */

/** The part of the API that is used here; TypeScript's own types lack it. */
interface PictureInPicture {
  requestWindow(options: { width: number; height: number }): Promise<Window>
}

const SIZE = { width: 300, height: 220 }

const pagePictureInPicture = (): PictureInPicture | undefined =>
  (window as { documentPictureInPicture?: PictureInPicture }).documentPictureInPicture

export const canOpenSmallWindow = (): boolean => pagePictureInPicture() !== undefined

/** Must be called during a click. The window closes with this page, whose script draws it. Rejects if the browser refuses. */
export async function openSmallWindow(): Promise<Window | null> {
  const opened = await pagePictureInPicture()?.requestWindow(SIZE)
  if (!opened) return null
  for (const style of document.querySelectorAll('link[rel=stylesheet], style'))
    opened.document.head.append(style.cloneNode(true))
  opened.addEventListener('pagehide', mirrorTheme(opened.document.documentElement), { once: true })
  return opened
}

export function setSmallWindowTitle(smallWindow: Window, name: string): void {
  smallWindow.document.title = name
}

/** Mirrors the theme of this document's root, because the small window has a document of its own. Returns a function that stops it. */
function mirrorTheme(root: HTMLElement): () => void {
  const ownRoot = document.documentElement
  const copyTheme = () => {
    root.lang = ownRoot.lang
    root.dataset.theme = ownRoot.dataset.theme ?? 'light'
  }
  copyTheme()
  const observer = new MutationObserver(copyTheme)
  observer.observe(ownRoot, { attributeFilter: ['data-theme', 'lang'] })
  return () => observer.disconnect()
}
