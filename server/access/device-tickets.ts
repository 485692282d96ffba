/**
 * One-use tickets by which a person signs in another device of theirs. They are stored as digests in better-auth's table of
 * one-time values, so any node can redeem them, and the database grants only one of two simultaneous attempts. It does not know
 * Origin.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/schema.ts'
import type { AccessRequest } from './access.ts'
import { digestSecret } from './digest-secret.ts'
import type { Guest, Guests } from './guests.ts'
import type { Principal } from './principal.ts'

/** This is long enough to take out a phone and point it, and short enough that a photograph of the screen is soon useless. */
const TICKET_LIFETIME_MS = 60_000
const TICKET_BYTES = 16

/** An open dialog asks for one ticket a minute, and a person has few dialogs. */
const MAX_VALID_TICKETS = 12

export interface IssuedDeviceTicket {
  readonly ticket: string
  readonly lifetimeMs: number
}

export interface DeviceTickets {
  /** Returns `too-many` when the person must wait, and null for a share link's principal, which is nobody in particular. */
  issue(person: Principal, request: AccessRequest): Promise<IssuedDeviceTicket | 'too-many' | null>
  /**
   * Returns the person that the ticket signs in, and leaves it valid. Returns null for a ticket that is unknown, used, expired or
   * of the other scheme.
   */
  findTicketOwner(ticket: string, request: AccessRequest): Promise<{ id: string; name: string } | null>
  /** Signs in the person, and uses the ticket up. */
  redeem(ticket: string, request: AccessRequest): Promise<Guest | null>
}

interface DeviceTicketsDependencies {
  readonly db: Kysely<Database>
  readonly guests: Pick<Guests, 'findUser' | 'signInAs'>
  readonly log: Logger
  readonly now?: () => number
}

export function createDeviceTickets({
  db,
  guests,
  log,
  now = () => Date.now(),
}: DeviceTicketsDependencies): DeviceTickets {
  const issueLimit = new TicketIssueLimit()

  const isoNow = () => new Date(now()).toISOString()

  return {
    async issue({ id }, { secure }) {
      if (!id.startsWith(USER_ID_PREFIX)) return null
      if (!issueLimit.tryAdd(id, now())) return 'too-many'
      const ticket = randomBytes(TICKET_BYTES).toString('base64url')
      await deleteExpiredTickets(db, isoNow())
      await insertTicket(db, ticketIdentifier(ticket, secure), id.slice(USER_ID_PREFIX.length), now())
      return { ticket, lifetimeMs: TICKET_LIFETIME_MS }
    },

    async findTicketOwner(ticket, { secure }) {
      const row = await db
        .selectFrom('verification')
        .select('value')
        .where('identifier', '=', ticketIdentifier(ticket, secure))
        .where('expiresAt', '>', isoNow())
        .executeTakeFirst()
      return row ? guests.findUser(row.value) : null
    },

    async redeem(ticket, request) {
      const row = await db
        .deleteFrom('verification')
        .where('identifier', '=', ticketIdentifier(ticket, request.secure))
        .where('expiresAt', '>', isoNow())
        .returning('value')
        .executeTakeFirst()
      const guest = row ? await guests.signInAs(request, row.value) : null
      if (guest) log.info({ principal: guest.principal.id }, 'device signed in by ticket')
      return guest
    },
  }
}

const USER_ID_PREFIX = 'user:'
const TICKET_ID_PREFIX = 'device-ticket:'

/** http and https are two instances with their own guests: a ticket of one is invalid at the other. */
const ticketIdentifier = (ticket: string, secure: boolean): string =>
  `${TICKET_ID_PREFIX}${secure ? 'https' : 'http'}:${digestSecret(ticket)}`

async function insertTicket(
  db: Kysely<Database>,
  identifier: string,
  value: string,
  now: number,
): Promise<void> {
  const createdAt = new Date(now).toISOString()
  const expiresAt = new Date(now + TICKET_LIFETIME_MS).toISOString()
  await db
    .insertInto('verification')
    .values({ id: randomUUID(), identifier, value, expiresAt, createdAt, updatedAt: createdAt })
    .execute()
}

const deleteExpiredTickets = (db: Kysely<Database>, now: string) =>
  db
    .deleteFrom('verification')
    .where('identifier', 'like', `${TICKET_ID_PREFIX}%`)
    .where('expiresAt', '<=', now)
    .execute()

/** Keeps the times of each person's latest tickets, on this node alone: it is a limit, not an exact count. */
class TicketIssueLimit {
  readonly #timesByPerson = new Map<string, readonly number[]>()

  tryAdd(person: string, now: number): boolean {
    const since = now - TICKET_LIFETIME_MS
    for (const [otherPerson, times] of this.#timesByPerson)
      if (times.at(-1)! <= since) this.#timesByPerson.delete(otherPerson)
    const recentTimes = (this.#timesByPerson.get(person) ?? []).filter((time) => time > since)
    if (recentTimes.length >= MAX_VALID_TICKETS) return false
    this.#timesByPerson.set(person, [...recentTimes, now])
    return true
  }
}
