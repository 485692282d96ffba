/** One-use tickets: the only secret in a URL besides a share link's token (A3). Knows times and secrets; does not know requests. */
import { randomBytes } from 'node:crypto'

/** Long enough for one slow round trip, and so short that a ticket in a leaked log is worthless. */
const TICKET_LIFETIME_MS = 30_000
const TICKET_BYTES = 16

interface TicketEntry<Holder> {
  readonly holder: Holder
  readonly timer: NodeJS.Timeout
}

export class Tickets<Holder> {
  readonly #entries = new Map<string, TicketEntry<Holder>>()
  readonly #onExpired: (holder: Holder) => void
  readonly #lifetimeMs: number

  constructor(onExpired: (holder: Holder) => void, lifetimeMs = TICKET_LIFETIME_MS) {
    this.#onExpired = onExpired
    this.#lifetimeMs = lifetimeMs
  }

  /** The number of unused tickets. */
  get size(): number {
    return this.#entries.size
  }

  issue(holder: Holder): string {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url')
    const timer = setTimeout(() => {
      this.#entries.delete(ticket)
      this.#onExpired(holder)
    }, this.#lifetimeMs)
    timer.unref()
    this.#entries.set(ticket, { holder, timer })
    return ticket
  }

  /** Uses the ticket up, whoever presents it. */
  redeem(ticket: string): Holder | undefined {
    const entry = this.#entries.get(ticket)
    this.#entries.delete(ticket)
    clearTimeout(entry?.timer)
    return entry?.holder
  }

  expireAll(): void {
    const holders = [...this.#entries.keys()].map((ticket) => this.redeem(ticket)!)
    holders.forEach(this.#onExpired)
  }
}
