/** What is in front of the page, and the moment in which it goes. Knows the page; does not know whose dialogs they are. */

const overlaySelector = '[role=dialog], [role=alertdialog], [role=menu]'

const isClosing = (element: Element): boolean => element.hasAttribute('data-ending-style')

/** A dialog or a menu has the keyboard to itself, until it closes. */
export function hasNoOpenOverlay(): boolean {
  const openOverlay = document.activeElement?.closest(overlaySelector)
  return !openOverlay || isClosing(openOverlay)
}

/**
 * Waits until what closes is gone and the keyboard is back where it was. What is typed meanwhile is meant for what comes: it reaches
 * nothing else, and is returned. Null after Escape.
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
  // It gives the keyboard back after it is gone.
  await nextFrame()
  removeEventListener('keydown', onKeyDown, { capture: true })
  return typedText
}

function applyKey(text: string, key: string): string {
  if (key === 'Backspace') return text.slice(0, -1)
  return key.length === 1 ? text + key : text
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
