/**
 * The device ticket that this page was opened with (A3). It is removed from the address as soon as it is read, so that nobody copies,
 * bookmarks or photographs it. It stays in this page's memory until somebody decides.
 */
import { create } from 'zustand'

export const useTicket = create<{ readonly ticket: string | null }>(() => ({ ticket: null }))

/** Leaves anything else behind the # where it is. */
export function takeTicketFromAddress(): void {
  const split = splitTicket(location.hash)
  if (split === null) return
  history.replaceState(history.state, '', location.pathname + location.search + split.rest)
  useTicket.setState({ ticket: split.ticket })
}

/** Returns null if the fragment has no ticket. */
export function splitTicket(hash: string): { ticket: string; rest: string } | null {
  const params = new URLSearchParams(hash.slice(1))
  const ticketText = params.get('ticket')
  if (ticketText === null) return null
  params.delete('ticket')
  return { ticket: ticketText, rest: params.size > 0 ? `#${params}` : '' }
}

if (typeof window !== 'undefined') {
  takeTicketFromAddress()
  // A second scanned code for a page that is already open reaches this same page.
  addEventListener('hashchange', takeTicketFromAddress)
}

export const forgetTicket = (): void => useTicket.setState({ ticket: null })
