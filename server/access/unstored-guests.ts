/**
 * Guests to whom a page issued a cookie and who are not in the database yet. Their id and name are derived from the token of their
 * session cookie, so that whoever only looks at a page, as a crawler does, leaves nothing on the disk. It knows tokens and rows; it
 * does not know cookies.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/schema.ts'
import { friendlyName } from './friendly-names.ts'

export interface UnstoredGuest {
  readonly token: string
  /** better-auth's id. */
  readonly id: string
  readonly name: string
}

/**
 * A page's script sends a request at once, but a tab that the browser opened in the background may be looked at much later. The
 * life is bounded, because a token younger than this can be stored again after its guest was deleted by hand.
 */
const UNSTORED_LIFETIME_MS = 24 * 3600_000

const TOKEN_PREFIX = 'new'

export const createUnstoredGuest = (now: number): UnstoredGuest =>
  guestOfToken(`${TOKEN_PREFIX}-${now.toString(36)}-${randomBytes(16).toString('hex')}`)

/** Returns null for a token of another kind, and for one that is too old. */
export function readUnstoredGuest(token: string, now: number): UnstoredGuest | null {
  const [kind, time = ''] = token.split('-')
  const issuedAt = Number.parseInt(time, 36)
  return kind === TOKEN_PREFIX && issuedAt <= now && now - issuedAt < UNSTORED_LIFETIME_MS
    ? guestOfToken(token)
    : null
}

/** The id is public, so it must not reveal the token. */
function guestOfToken(token: string): UnstoredGuest {
  const id = createHash('sha256').update(`guest of ${token}`).digest('hex').slice(0, 32)
  return { token, id, name: friendlyName(id) }
}

export const isGuestStored = async (db: Kysely<Database>, { id }: UnstoredGuest): Promise<boolean> =>
  (await db.selectFrom('user').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

interface StoreGuestOptions {
  readonly now: number
  /** The life of the session. */
  readonly sessionLifetimeMs: number
  /** The value for `welcomed` in the table of users. */
  readonly welcomed: string | null
}

/** Stores the rows as better-auth's anonymous plugin would. Returns false when the guest exists already and has lost this session. */
export const storeGuest = (
  db: Kysely<Database>,
  guest: UnstoredGuest,
  options: StoreGuestOptions,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const user = userRow(guest, options)
    const session = sessionRow(guest, options)
    const sessionColumns = Object.keys(session) as (keyof typeof session)[]
    // They are sent together, since everybody's edits wait from the first one on until the transaction ends.
    const [, , stored] = await Promise.all([
      transaction
        .insertInto('user')
        .values(user)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute(),
      transaction
        .insertInto('session')
        .columns(sessionColumns)
        .expression(
          (insert) =>
            insert
              .selectFrom('user')
              .select(sessionColumns.map((column) => sql<string>`${session[column]}`.as(column)))
              .where('id', '=', guest.id)
              .where('createdAt', '=', user.createdAt), // an older row has had its session
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
      transaction.selectFrom('session').select('id').where('token', '=', guest.token).executeTakeFirst(),
    ])
    return stored !== undefined
  })

function userRow({ id, name }: UnstoredGuest, { now, welcomed }: StoreGuestOptions) {
  const createdAt = new Date(now).toISOString()
  const email = `guest-${id}@localhost`
  return {
    id,
    name,
    email,
    emailVerified: 0,
    image: null,
    createdAt,
    updatedAt: createdAt,
    isAnonymous: 1,
    welcomed,
  }
}

function sessionRow({ id, token }: UnstoredGuest, { now, sessionLifetimeMs }: StoreGuestOptions) {
  const createdAt = new Date(now).toISOString()
  const expiresAt = new Date(now + sessionLifetimeMs).toISOString()
  const clientFields = { ipAddress: '', userAgent: '', userId: id }
  return { id: randomUUID(), token, createdAt, updatedAt: createdAt, expiresAt, ...clientFields }
}
