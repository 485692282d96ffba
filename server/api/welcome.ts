/** The first document of a new guest: made when they first open their list, its text written while the list is on its way. */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import type { Principal } from '../access/principal.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Database } from '../store/schema.ts'
import { forgetDocument, insertDocument } from './documents.ts'
import { writeBlocks } from './rich-text.ts'
import { writeTitle } from './title.ts'
import { welcomeText, welcomeTitle } from './welcome-text.ts'

export interface Welcome {
  /**
   * Call it before each list. For somebody who opens theirs for the first time it resolves, after one small commit, when the
   * document is in it; the text follows. Never rejects: a guest without a welcome is still a guest.
   */
  greetOnce(principal: Principal): Promise<void>
  /** Resolves when every text begun is written or given up. */
  settled(): Promise<void>
}

/** People who are known to be welcomed, so that the database is not asked before each list. */
const MAX_KNOWN = 10_000

export function createWelcome(parts: {
  db: Kysely<Database>
  rooms: Pick<Rooms, 'edit'>
  log: Logger
}): Welcome {
  const { db, rooms, log } = parts
  const writing = new Set<Promise<void>>()
  const known = new Set<string>()

  const write = (id: string, principal: Principal): Promise<void> =>
    rooms.edit(id, 'body', principal, (doc) => {
      writeTitle(doc, welcomeTitle)
      writeBlocks(doc.getXmlFragment('default'), welcomeText)
    })

  async function takeBack(id: string, error: unknown): Promise<void> {
    log.error({ err: error, document: id }, 'welcome document not written')
    await forgetDocument(db, id).catch((err) => log.error({ err }, 'welcome document not removed'))
  }

  async function greet(principal: Principal, user: string): Promise<void> {
    const id = newDocumentId()
    if (!(await insertWelcome(db, user, principal, id))) return
    const done = write(id, principal)
      .catch((error: unknown) => takeBack(id, error))
      .finally(() => writing.delete(done))
    writing.add(done)
  }

  return {
    async greetOnce(principal) {
      const { id } = principal
      if (!id.startsWith(USER) || known.has(id)) return
      const user = id.slice(USER.length)
      try {
        if (await isNew(db, user)) await greet(principal, user)
        if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
        known.add(id)
      } catch (err) {
        log.error({ err }, 'welcome document not made')
      }
    },
    async settled() {
      await Promise.all(writing)
    },
  }
}

const USER = 'user:'

async function isNew(db: Kysely<Database>, user: string): Promise<boolean> {
  const row = await db.selectFrom('user').select('welcomed').where('id', '=', user).executeTakeFirst()
  return row?.welcomed === null
}

/** False for whoever was welcomed meanwhile: two windows may ask for the list at the same moment. */
const insertWelcome = (db: Kysely<Database>, user: string, owner: Principal, id: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('user')
      .set({ welcomed: id })
      .where('id', '=', user)
      .where('welcomed', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await insertDocument(transaction, id, owner, welcomeTitle)
    return true
  })
