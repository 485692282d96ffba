/** Tells whether a dialog or menu covers the page, and waits until it has closed. Does not know whose dialog it is. */

const overlaySelector = '[role=dialog], [role=alertdialog], [role=menu]'

const isClosing = (element: Element): boolean => element.hasAttribute('data-ending-style')

/** True if no open dialog or menu has the focus. An overlay keeps the focus to itself until it closes. */
export function hasNoOpenOverlay(): boolean {
  const openOverlay = document.activeElement?.closest(overlaySelector)
  return !openOverlay || isClosing(openOverlay)
}

/**
 * Waits until the closing overlay is gone and the focus is back where it was. Letters typed meanwhile are meant for the next dialog: they
 * reach nothing else and are returned. Returns null after Escape.
 */
export async function waitUntilOverlaysClosed(): Promise<string | null> {
  if (![...document.querySelectorAll(overlaySelector)].some(isClosing)) return ''
  let typedText: string | null = ''
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') typedText = null
    else typedText = typedText === null ? null : applyKey(typedText, event.key)
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  do await nextFrame()
  while ([...document.querySelectorAll(overlaySelector)].some(isClosing))
  // The overlay gives the focus back only after it is gone.
  await nextFrame()
  removeEventListener('keydown', onKeyDown, { capture: true })
  return typedText
}

function applyKey(text: string, key: string): string {
  if (key === 'Backspace') return text.slice(0, -1)
  return key.length === 1 ? text + key : text
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
