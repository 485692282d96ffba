/**
 * Moves the focus through the parts of a window by F6, in the order of the page: all elements with `data-pane`. Knows focus; does not know
 * what the parts contain.
 */

/** The element that had the focus last in each pane; F6 returns to it. */
const lastFocusIn = new WeakMap<Element, WeakRef<HTMLElement>>()

if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => rememberFocus(target))

function rememberFocus(target: EventTarget | null): void {
  const pane = target instanceof HTMLElement && target.closest('[data-pane]')
  if (pane) lastFocusIn.set(pane, new WeakRef(target))
}

/** @param direction 1 for the next pane, -1 for the previous one. */
export function focusPane(direction: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(isVisible)
  const currentIndex = panes.findLastIndex((pane) => pane.contains(document.activeElement))
  const start = currentIndex < 0 && direction < 0 ? 0 : currentIndex
  for (let tried = 1; tried <= panes.length; tried++) {
    const pane = panes[(start + direction * tried + panes.length * 2) % panes.length]
    if (pane && focusInside(pane)) return
  }
}

const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })

/** Elements in the usual tab order. A toolbar has one, where the arrow keys left it. */
const tabbableSelector =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [contenteditable=true], [tabindex]'

/** Returns false if nothing in the pane takes the focus. */
function focusInside(pane: HTMLElement): boolean {
  const last = lastFocusIn.get(pane)?.deref()
  const inside = [...pane.querySelectorAll<HTMLElement>(tabbableSelector)].filter(
    ({ tabIndex }) => tabIndex >= 0,
  )
  for (const candidate of [last, pane, ...inside]) if (candidate && takesFocus(candidate, pane)) return true
  return false
}

function takesFocus(element: HTMLElement, pane: HTMLElement): boolean {
  if (!pane.contains(element) || !isVisible(element)) return false
  element.focus()
  return document.activeElement === element
}
