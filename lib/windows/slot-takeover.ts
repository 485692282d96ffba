/** A page that was opened in another window's place takes it over once it is live: it asks who was there before to go. */
import type { WindowRegistry } from './window-registry.ts'

/** Returns what to call when the page is live; later calls do nothing. */
export function prepareTakeover(register: WindowRegistry): () => void {
  const asked = new Set<string>()
  const requestTakeover = (): void => {
    const { place, openedAt } = register.own
    for (const { self, sameBrowser, id, ...other } of register.get()) {
      if (self || !sameBrowser || other.place !== place || other.openedAt >= openedAt || asked.has(id))
        continue
      asked.add(id)
      register.sendRequest(id, { type: 'replaced' })
    }
  }
  let isLive = false
  return () => {
    if (isLive) return
    isLive = true
    // Also those that are heard of later: this window may be quicker than the greeting.
    register.subscribe(requestTakeover)
    requestTakeover()
  }
}
