/** Whether this window moves along, kept for when it is loaded again. */
const keyOf = (document: string): string => `diptych.linked.${document}`

/** A window that another one opened, and a tab that was duplicated, begin with a copy of that one's storage. */
const isReloaded = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload')

/** Null for a window that is new. */
export function readStoredLinked(document: string): boolean | null {
  try {
    const value = isReloaded() ? sessionStorage.getItem(keyOf(document)) : null
    return value === null ? null : value === 'true'
  } catch {
    return null // storage can be forbidden
  }
}

export function storeLinked(document: string, linked: boolean): void {
  try {
    sessionStorage.setItem(keyOf(document), String(linked))
  } catch {
    // then a reload begins as the window did
  }
}
