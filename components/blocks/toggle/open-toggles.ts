/** Which toggles are open on this device: a reader's own choice, which is not in the text. All others are closed. */

const OPEN_TOGGLES_KEY = 'diptych.open-toggles'

/** The oldest choices are forgotten first. */
const MAX_OPEN_TOGGLES = 500

export const isToggleOpen = (id: string): boolean => readIds().includes(id)

export function rememberToggle(id: string, isOpen: boolean): void {
  const others = readIds().filter((one) => one !== id)
  const ids = isOpen ? [...others, id].slice(-MAX_OPEN_TOGGLES) : others
  try {
    localStorage.setItem(OPEN_TOGGLES_KEY, JSON.stringify(ids))
  } catch {
    // Storage may be blocked or full: the toggle is as it is until the page is closed.
  }
}

/** Anybody may have written there. */
function readIds(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(OPEN_TOGGLES_KEY) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Opens the toggles around a part of a text, so that it can be scrolled to. */
export function openTogglesAround(part: globalThis.Node | null): void {
  const start = part instanceof Element ? part : part?.parentElement
  for (let at = start; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
  // The event by which a browser says that it has found something in a hidden element. Views in the editor listen to it.
  start?.dispatchEvent(new Event('beforematch', { bubbles: true }))
}
