/**
 * The device ticket that this page was opened with (A3). It leaves the address the moment it is read, so that it is not copied,
 * bookmarked or photographed along, and lives in this page's memory until somebody decides.
 */
import { notifyAll } from '@/lib/notify-all.ts'

let ticket: string | null = null
const listeners = new Set<() => void>()

/** What else stands behind the # stays there. */
export function takeTicketFromAddress(): void {
  const split = splitTicket(location.hash)
  if (split === null) return
  history.replaceState(history.state, '', location.pathname + location.search + split.rest)
  if (split.ticket === ticket) return
  ticket = split.ticket
  notifyAll(listeners)
}

/** Null for a fragment that has none. */
export function splitTicket(hash: string): { ticket: string; rest: string } | null {
  const params = new URLSearchParams(hash.slice(1))
  const ticketText = params.get('ticket')
  if (ticketText === null) return null
  params.delete('ticket')
  return { ticket: ticketText, rest: params.size > 0 ? `#${params}` : '' }
}

if (typeof window !== 'undefined') {
  takeTicketFromAddress()
  // Whoever scans a second code for a page that is open comes to the same page.
  addEventListener('hashchange', takeTicketFromAddress)
}

export function subscribeToTicket(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const currentTicket = (): string | null => ticket

export function forgetTicket(): void {
  ticket = null
  notifyAll(listeners)
}
