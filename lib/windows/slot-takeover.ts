/** A page that was opened in another window's slot takes it over once it is live: it requests the former window to go. */
import type { WindowRegistry } from './window-registry.ts'

/** Returns a function to call when the page is live; later calls do nothing. */
export function prepareTakeover(register: WindowRegistry): () => void {
  const requested = new Set<string>()
  const requestTakeover = (): void => {
    const { place, openedAt } = register.own
    for (const { self, sameBrowser, id, ...other } of register.get()) {
      if (self || !sameBrowser || other.place !== place || other.openedAt >= openedAt || requested.has(id))
        continue
      requested.add(id)
      register.sendRequest(id, { type: 'replaced' })
    }
  }
  let isLive = false
  return () => {
    if (isLive) return
    isLive = true
    // Covers windows that are found later, too: this window may be quicker than their first message.
    register.subscribe(requestTakeover)
    requestTakeover()
  }
}
