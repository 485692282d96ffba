/** Stores over reloads whether this window is linked. */
const keyOf = (document: string): string => `diptych.linked.${document}`

/**
 * Only a reload may use the stored value: a window that another one opened, and a duplicated tab, begin with a copy of that window's
 * storage.
 */
const isReloaded = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload')

/** Returns null for a new window. */
export function readStoredLinked(document: string): boolean | null {
  try {
    const value = isReloaded() ? sessionStorage.getItem(keyOf(document)) : null
    return value === null ? null : value === 'true'
  } catch {
    return null // storage may be blocked
  }
}

export function storeLinked(document: string, linked: boolean): void {
  try {
    sessionStorage.setItem(keyOf(document), String(linked))
  } catch {
    // without storage, a reload starts with the default
  }
}
