/** What is in front of the page, and the moment in which it goes. Knows the page; does not know whose dialogs they are. */

const front = '[role=dialog], [role=alertdialog], [role=menu]'

const isClosing = (element: Element): boolean => element.hasAttribute('data-ending-style')

/** A dialog or a menu has the keyboard to itself, until it closes. */
export function isNothingInFront(): boolean {
  const inFront = document.activeElement?.closest(front)
  return !inFront || isClosing(inFront)
}

/**
 * Waits until what closes is gone and the keyboard is back where it was. What is typed meanwhile is meant for what comes: it reaches
 * nothing else, and is returned. Null after Escape.
 */
export async function afterClosing(): Promise<string | null> {
  if (![...document.querySelectorAll(front)].some(isClosing)) return ''
  let typed: string | null = ''
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') typed = null
    else typed = typed === null ? null : edited(typed, event.key)
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  do await nextFrame()
  while ([...document.querySelectorAll(front)].some(isClosing))
  // It gives the keyboard back after it is gone.
  await nextFrame()
  removeEventListener('keydown', onKeyDown, { capture: true })
  return typed
}

function edited(text: string, key: string): string {
  if (key === 'Backspace') return text.slice(0, -1)
  return key.length === 1 ? text + key : text
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
