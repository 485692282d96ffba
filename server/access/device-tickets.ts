/**
 * One-use tickets by which a person signs in another device of theirs. They lie as digests in better-auth's table of one-time
 * values: any node can take them, and of two who show one at the same moment the database serves one. Does not know Origin.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/schema.ts'
import type { AccessRequest } from './access.ts'
import { digestSecret } from './digest-secret.ts'
import type { Guest, Guests } from './guests.ts'
import type { Principal } from './principal.ts'

/** Time enough to take out a phone and point it, little enough for a photograph of the screen to be worthless soon. */
const TICKET_LIFETIME_MS = 60_000
const TICKET_BYTES = 16

/** A dialog that stays open asks for one a minute, and a person has few dialogs. */
const MAX_VALID_TICKETS = 12

export interface IssuedDeviceTicket {
  readonly ticket: string
  readonly lifetimeMs: number
}

export interface DeviceTickets {
  /** `too-many`: wait. Null for a link: whoever has it is it, and nobody in particular. */
  issue(person: Principal, request: AccessRequest): Promise<IssuedDeviceTicket | 'too-many' | null>
  /** Whom it signs in; it stays good. Null for every one that is not: unknown, used, expired, of the other scheme. */
  findTicketOwner(ticket: string, request: AccessRequest): Promise<{ id: string; name: string } | null>
  /** Signs in, once. */
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

/** http and https are two instances with guests of their own: a ticket of one is none at the other. */
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

/** When each person's latest were issued. Of this node alone: it is a limit, not an account. */
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
