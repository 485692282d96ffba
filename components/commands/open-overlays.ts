/** Tells whether a dialog or menu covers the page, and waits until it has closed. Does not know whose dialog it is. */

const overlaySelector = '[role=dialog], [role=alertdialog], [role=menu]'

const isClosing = (element: Element): boolean => element.hasAttribute('data-ending-style')

/** True if no open dialog or menu has the focus. An overlay keeps the focus to itself until it closes. */
export function hasNoOpenOverlay(): boolean {
  const openOverlay = document.activeElement?.closest(overlaySelector)
  return !openOverlay || isClosing(openOverlay)
}

/** The keys that a person typed while an overlay closed. */
export interface EarlyKeys {
  readonly text: string
  /** Enter ended the text. */
  readonly isEntered: boolean
}

/**
 * Waits until the closing overlay is gone and the focus is back where it was. What is typed meanwhile is meant for the next dialog: it
 * reaches nothing else and is returned. Returns null after Escape.
 */
export async function waitUntilOverlaysClosed(): Promise<EarlyKeys | null> {
  const early = { text: '', isEntered: false }
  if (![...document.querySelectorAll(overlaySelector)].some(isClosing)) return early
  let isCancelled = false
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') isCancelled ||= !early.isEntered
    else if (event.key === 'Enter') early.isEntered = true
    else if (!early.isEntered) early.text = applyKey(early.text, event.key)
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  do await nextFrame()
  while ([...document.querySelectorAll(overlaySelector)].some(isClosing))
  // The overlay gives the focus back only after it is gone.
  await nextFrame()
  removeEventListener('keydown', onKeyDown, { capture: true })
  return isCancelled ? null : early
}

function applyKey(text: string, key: string): string {
  if (key === 'Backspace') return text.slice(0, -1)
  return key.length === 1 ? text + key : text
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
