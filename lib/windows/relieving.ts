/** A page that was opened in another window's place takes it over once it is live: it asks who was there before to go. */
import type { Register } from './register.ts'

/** Returns what to call when the page is live; later calls do nothing. */
export function relieving(register: Register): () => void {
  const asked = new Set<string>()
  const relieve = (): void => {
    const { place, openedAt } = register.own
    for (const { self, here, id, ...other } of register.get()) {
      if (self || !here || other.place !== place || other.openedAt >= openedAt || asked.has(id)) continue
      asked.add(id)
      register.ask(id, { type: 'replaced' })
    }
  }
  let live = false
  return () => {
    if (live) return
    live = true
    // Also those that are heard of later: this window may be quicker than the greeting.
    register.subscribe(relieve)
    relieve()
  }
}
