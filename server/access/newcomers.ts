/**
 * Guests whom a page has greeted and who are not in the database yet. Their id and name follow from the token of their session
 * cookie, so that whoever only looks at a page, as a crawler does, leaves nothing on the disk.
 * Knows tokens and rows; does not know cookies.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../store/schema.ts'
import { friendlyName } from './names.ts'

export interface Newcomer {
  readonly token: string
  /** better-auth's id. */
  readonly id: string
  readonly name: string
}

/**
 * A page's script asks for something at once; a tab that the browser opened in the background may be looked at much later. Bounded,
 * because a token younger than this can be stored again after its guest was deleted by hand.
 */
const LIFE_MS = 24 * 3600_000

const PREFIX = 'new'

export const newcomer = (now: number): Newcomer =>
  fromToken(`${PREFIX}-${now.toString(36)}-${randomBytes(16).toString('hex')}`)

/** Null for a token of another kind, and for one that has lain too long. */
export function readNewcomer(token: string, now: number): Newcomer | null {
  const [kind, time = ''] = token.split('-')
  const at = Number.parseInt(time, 36)
  return kind === PREFIX && at <= now && now - at < LIFE_MS ? fromToken(token) : null
}

/** The id is told to everybody, so it must not lead back to the token. */
function fromToken(token: string): Newcomer {
  const id = createHash('sha256').update(`guest of ${token}`).digest('hex').slice(0, 32)
  return { token, id, name: friendlyName(id) }
}

export const isStored = async (db: Kysely<Database>, { id }: Newcomer): Promise<boolean> =>
  (await db.selectFrom('user').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

interface Storing {
  readonly now: number
  /** Of the session. */
  readonly lifeMs: number
  /** As in the table of users. */
  readonly welcomed: string | null
}

/** As better-auth's anonymous plugin would. False for who is there already and has lost this session. */
export const store = (db: Kysely<Database>, who: Newcomer, as: Storing): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('user')
      .values(userRow(who, as))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) {
      await transaction.insertInto('session').values(sessionRow(who, as)).execute()
      return true
    }
    const session = await transaction
      .selectFrom('session')
      .select('id')
      .where('token', '=', who.token)
      .executeTakeFirst()
    return session !== undefined
  })

function userRow({ id, name }: Newcomer, { now, welcomed }: Storing) {
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

function sessionRow({ id, token }: Newcomer, { now, lifeMs }: Storing) {
  const createdAt = new Date(now).toISOString()
  const expiresAt = new Date(now + lifeMs).toISOString()
  const of = { ipAddress: '', userAgent: '', userId: id }
  return { id: randomUUID(), token, createdAt, updatedAt: createdAt, expiresAt, ...of }
}
