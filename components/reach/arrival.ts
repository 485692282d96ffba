/**
 * The device ticket that this page was opened with (A3). It leaves the address the moment it is read, so that it is not copied,
 * bookmarked or photographed along, and lives in this page's memory until somebody decides.
 */
import { notifyAll } from '@/lib/notify-all.ts'

let ticket: string | null = null
const listeners = new Set<() => void>()

/** What else stands behind the # stays there. */
export function takeFromAddress(): void {
  const found = withoutTicket(location.hash)
  if (found === null) return
  history.replaceState(history.state, '', location.pathname + location.search + found.rest)
  if (found.ticket === ticket) return
  ticket = found.ticket
  notifyAll(listeners)
}

/** Null for a fragment that has none. */
export function withoutTicket(hash: string): { ticket: string; rest: string } | null {
  const params = new URLSearchParams(hash.slice(1))
  const found = params.get('ticket')
  if (found === null) return null
  params.delete('ticket')
  return { ticket: found, rest: params.size > 0 ? `#${params}` : '' }
}

if (typeof window !== 'undefined') {
  takeFromAddress()
  // Whoever scans a second code for a page that is open comes to the same page.
  addEventListener('hashchange', takeFromAddress)
}

export function subscribeToArrival(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const arrivedTicket = (): string | null => ticket

export function forgetArrival(): void {
  ticket = null
  notifyAll(listeners)
}
