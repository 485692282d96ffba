/**
 * The parts of a window that F6 goes through, in the order of the page: whatever carries `data-pane`. Knows focus; does not know what
 * is in them.
 */

/** Where the keyboard was last in each: whoever comes back goes on there. */
const lastIn = new WeakMap<Element, WeakRef<HTMLElement>>()

if (typeof document !== 'undefined') document.addEventListener('focusin', ({ target }) => remember(target))

function remember(target: EventTarget | null): void {
  const pane = target instanceof HTMLElement && target.closest('[data-pane]')
  if (pane) lastIn.set(pane, new WeakRef(target))
}

/** @param step 1 for the next one, -1 for the one before. */
export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(canBeSeen)
  const here = panes.findLastIndex((pane) => pane.contains(document.activeElement))
  const start = here < 0 && step < 0 ? 0 : here
  for (let tried = 1; tried <= panes.length; tried++) {
    const pane = panes[(start + step * tried + panes.length * 2) % panes.length]
    if (pane && enter(pane)) return
  }
}

const canBeSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })

/** Tabbed to in the usual order; of a toolbar, where the arrows left it. */
const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [contenteditable=true], [tabindex]'

/** False where nothing in it takes the keyboard. */
function enter(pane: HTMLElement): boolean {
  const last = lastIn.get(pane)?.deref()
  const inside = [...pane.querySelectorAll<HTMLElement>(tabbable)].filter(({ tabIndex }) => tabIndex >= 0)
  for (const one of [last, pane, ...inside]) if (one && takesFocus(one, pane)) return true
  return false
}

function takesFocus(element: HTMLElement, pane: HTMLElement): boolean {
  if (!pane.contains(element) || !canBeSeen(element)) return false
  element.focus()
  return document.activeElement === element
}
