/** A small window that the browser keeps above all others: Document Picture-in-Picture, where there is such a thing. Knows no React. */

/** As much of it as is used here; TypeScript's own types lack it. */
interface PictureInPicture {
  requestWindow(options: { width: number; height: number }): Promise<Window>
}

const SIZE = { width: 300, height: 220 }

const pagePictureInPicture = (): PictureInPicture | undefined =>
  (window as { documentPictureInPicture?: PictureInPicture }).documentPictureInPicture

export const canOpenSmallWindow = (): boolean => pagePictureInPicture() !== undefined

/** In a click. It lives no longer than this page, whose script draws it. Rejects where the browser refuses. */
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

/** It has a document of its own, and the theme stands on this one's root. Returns the undo. */
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
