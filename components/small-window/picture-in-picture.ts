/** A small window that the browser keeps above all others: Document Picture-in-Picture, where there is such a thing. Knows no React. */

/** As much of it as is used here; TypeScript's own types lack it. */
interface PictureInPicture {
  requestWindow(options: { width: number; height: number }): Promise<Window>
}

const SIZE = { width: 300, height: 220 }

const ofThisPage = (): PictureInPicture | undefined =>
  (window as { documentPictureInPicture?: PictureInPicture }).documentPictureInPicture

export const canKeepOnTop = (): boolean => ofThisPage() !== undefined

/** In a click. It lives no longer than this page, whose script draws it. Rejects where the browser refuses. */
export async function openOnTop(): Promise<Window | null> {
  const opened = await ofThisPage()?.requestWindow(SIZE)
  if (!opened) return null
  for (const style of document.querySelectorAll('link[rel=stylesheet], style'))
    opened.document.head.append(style.cloneNode(true))
  opened.addEventListener('pagehide', followTheme(opened.document.documentElement), { once: true })
  return opened
}

export function nameWindow(small: Window, name: string): void {
  small.document.title = name
}

/** It has a document of its own, and the theme stands on this one's root. Returns the undo. */
function followTheme(root: HTMLElement): () => void {
  const own = document.documentElement
  const copy = () => {
    root.lang = own.lang
    root.dataset.theme = own.dataset.theme ?? 'light'
  }
  copy()
  const observer = new MutationObserver(copy)
  observer.observe(own, { attributeFilter: ['data-theme', 'lang'] })
  return () => observer.disconnect()
}
