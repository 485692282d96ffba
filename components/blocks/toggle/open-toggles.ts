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
