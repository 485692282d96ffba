/** One-use tickets: the only secret in a URL besides a share link's token (A3). Knows times and secrets; does not know requests. */
import { randomBytes } from 'node:crypto'
import { startTimeout } from '../timeouts.ts'

/** Long enough for one slow round trip, and so short that a ticket in a leaked log is worthless. */
const TICKET_LIFETIME_MS = 30_000
const TICKET_BYTES = 16

interface TicketEntry<Holder> {
  readonly holder: Holder
  cancelTimeout(): void
}

export class Tickets<Holder> {
  readonly #entries = new Map<string, TicketEntry<Holder>>()
  readonly #onExpired: (holder: Holder) => void
  readonly #lifetimeMs: number
  readonly #node: string

  /** @param node The name of this node, with which its tickets begin (S10). */
  constructor(node: string, onExpired: (holder: Holder) => void, lifetimeMs = TICKET_LIFETIME_MS) {
    this.#node = node
    this.#onExpired = onExpired
    this.#lifetimeMs = lifetimeMs
  }

  /** The number of unused tickets. */
  get size(): number {
    return this.#entries.size
  }

  issue(holder: Holder): string {
    const ticket = `${this.#node}.${randomBytes(TICKET_BYTES).toString('base64url')}`
    const cancelTimeout = startTimeout(this.#lifetimeMs, () => {
      this.#entries.delete(ticket)
      this.#onExpired(holder)
    })
    this.#entries.set(ticket, { holder, cancelTimeout })
    return ticket
  }

  /** Uses the ticket up, whoever presents it. */
  redeem(ticket: string): Holder | undefined {
    const entry = this.#entries.get(ticket)
    this.#entries.delete(ticket)
    entry?.cancelTimeout()
    return entry?.holder
  }

  expireAll(): void {
    const holders = [...this.#entries.keys()].map((ticket) => this.redeem(ticket)!)
    holders.forEach(this.#onExpired)
  }
}
