/**
 * One-use tickets by which a person signs in another device of theirs. They lie as digests in better-auth's table of one-time
 * values: any node can take them, and of two who show one at the same moment the database serves one. Does not know Origin.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/schema.ts'
import type { DoorRequest } from './access.ts'
import { digest } from './digest.ts'
import type { Guest, Guests } from './guests.ts'
import type { Principal } from './principal.ts'

/** Time enough to take out a phone and point it, little enough for a photograph of the screen to be worthless soon. */
const LIFE_MS = 60_000
const TICKET_BYTES = 16

/** A dialog that stays open asks for one a minute, and a person has few dialogs. */
const MOST_AT_ONCE = 12

export interface DeviceTicket {
  readonly ticket: string
  readonly lifeMs: number
}

export interface DeviceTickets {
  /** `too-many`: wait. Null for a link: whoever has it is it, and nobody in particular. */
  issue(person: Principal, request: DoorRequest): Promise<DeviceTicket | 'too-many' | null>
  /** Whom it signs in; it stays good. Null for every one that is not: unknown, used, expired, of the other scheme. */
  look(ticket: string, request: DoorRequest): Promise<{ id: string; name: string } | null>
  /** Signs in, once. */
  redeem(ticket: string, request: DoorRequest): Promise<Guest | null>
}

interface TicketParts {
  readonly db: Kysely<Database>
  readonly guests: Pick<Guests, 'find' | 'signInAs'>
  readonly log: Logger
  readonly now?: () => number
}

export function createDeviceTickets({ db, guests, log, now = () => Date.now() }: TicketParts): DeviceTickets {
  const recent = new Recent()

  const timeNow = () => new Date(now()).toISOString()

  return {
    async issue({ id }, { secure }) {
      if (!id.startsWith(USER)) return null
      if (!recent.mayAdd(id, now())) return 'too-many'
      const ticket = randomBytes(TICKET_BYTES).toString('base64url')
      await forgetExpired(db, timeNow())
      await insert(db, nameOf(ticket, secure), id.slice(USER.length), now())
      return { ticket, lifeMs: LIFE_MS }
    },

    async look(ticket, { secure }) {
      const row = await db
        .selectFrom('verification')
        .select('value')
        .where('identifier', '=', nameOf(ticket, secure))
        .where('expiresAt', '>', timeNow())
        .executeTakeFirst()
      return row ? guests.find(row.value) : null
    },

    async redeem(ticket, request) {
      const row = await db
        .deleteFrom('verification')
        .where('identifier', '=', nameOf(ticket, request.secure))
        .where('expiresAt', '>', timeNow())
        .returning('value')
        .executeTakeFirst()
      const guest = row ? await guests.signInAs(request, row.value) : null
      if (guest) log.info({ principal: guest.principal.id }, 'device signed in by ticket')
      return guest
    },
  }
}

const USER = 'user:'
const PREFIX = 'device-ticket:'

/** http and https are two instances with guests of their own: a ticket of one is none at the other. */
const nameOf = (ticket: string, secure: boolean): string =>
  `${PREFIX}${secure ? 'https' : 'http'}:${digest(ticket)}`

async function insert(db: Kysely<Database>, identifier: string, value: string, now: number): Promise<void> {
  const createdAt = new Date(now).toISOString()
  const expiresAt = new Date(now + LIFE_MS).toISOString()
  await db
    .insertInto('verification')
    .values({ id: randomUUID(), identifier, value, expiresAt, createdAt, updatedAt: createdAt })
    .execute()
}

const forgetExpired = (db: Kysely<Database>, now: string) =>
  db
    .deleteFrom('verification')
    .where('identifier', 'like', `${PREFIX}%`)
    .where('expiresAt', '<=', now)
    .execute()

/** When each person's latest were issued. Of this node alone: it is a limit, not an account. */
class Recent {
  readonly #times = new Map<string, readonly number[]>()

  mayAdd(person: string, now: number): boolean {
    const since = now - LIFE_MS
    for (const [one, times] of this.#times) if (times.at(-1)! <= since) this.#times.delete(one)
    const lately = (this.#times.get(person) ?? []).filter((time) => time > since)
    if (lately.length >= MOST_AT_ONCE) return false
    this.#times.set(person, [...lately, now])
    return true
  }
}
