/**
 * One-use tickets for stock clients, each for one document. The unused tickets of one principal are limited, so that nobody keeps
 * others from getting one. Knows principals; does not know requests.
 */
import type { Principal } from '../access/principal.ts'
import { PrincipalCount } from '../sessions/principal-count.ts'
import { Tickets } from './tickets.ts'

/** The most unused tickets; each lives for 30 s. */
const MAX_TICKETS = 20_000
const MAX_TICKETS_PER_PERSON = 200
const MAX_TICKETS_PER_LINK_TOKEN = 4_000

interface TicketHolder {
  readonly principal: Principal
  readonly document: string
  release(): void
}

export class StockTickets {
  readonly #tickets: Tickets<TicketHolder>
  readonly #counts = new PrincipalCount({
    person: MAX_TICKETS_PER_PERSON,
    linkToken: MAX_TICKETS_PER_LINK_TOKEN,
  })

  constructor(node = 'a') {
    this.#tickets = new Tickets(node, ({ release }) => release())
  }

  /** Returns null if there are too many unused tickets. */
  issue(principal: Principal, document: string): string | null {
    if (this.#tickets.size >= MAX_TICKETS || !this.#counts.hasRoomFor(principal)) return null
    return this.#tickets.issue({ principal, document, release: this.#counts.add(principal) })
  }

  /** Returns null for a ticket that is unknown, used, expired or another document's. Uses it up in any case. */
  redeem(ticket: string, document: string): Principal | null {
    const holder = this.#tickets.redeem(ticket)
    holder?.release()
    return holder?.document === document ? holder.principal : null
  }

  expireAll(): void {
    this.#tickets.expireAll()
  }
}
