/** Creates the first document of a new guest when they first open their list, and writes its text while the list is on its way. */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { dayFromToday } from '../../lib/blocks/date/date.ts'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import type { Principal } from '../access/principal.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import type { Database } from '../store/schema.ts'
import { deleteDocumentRow, insertDocument } from './document-rows.ts'
import { writeBlocks } from './write-blocks.ts'
import { writeTitle } from '../store/write-title.ts'
import { createWelcomeText, welcomeTitle } from './welcome-text.ts'

export interface WelcomeDocuments {
  /**
   * Is called before each list. For a person who opens theirs for the first time it resolves, after one small commit, when the
   * document is in the list; the text follows. Never rejects: a guest without a welcome document is still a guest.
   */
  ensureWelcomeDocument(principal: Principal): Promise<void>
  /** Resolves when every started text is written or given up. */
  whenIdle(): Promise<void>
}

/** Caches welcomed people, so that the database is not queried before each list. */
const MAX_CACHED_GUESTS = 10_000

export function createWelcomeDocuments(dependencies: {
  db: Kysely<Database>
  rooms: Pick<Rooms, 'edit'>
  log: Logger
}): WelcomeDocuments {
  const { db, rooms, log } = dependencies
  const pendingWrites = new Set<Promise<void>>()
  const welcomedGuests = new Set<string>()

  const writeWelcomeText = (id: string, principal: Principal): Promise<void> =>
    rooms.edit(id, 'body', principal, (doc) => {
      writeTitle(doc, welcomeTitle)
      writeBlocks(doc.getXmlFragment('default'), createWelcomeText(dayFromToday(0)))
    })

  async function removeUnwritten(id: string, error: unknown): Promise<void> {
    log.error({ err: error, document: id }, 'welcome document not written')
    await deleteDocumentRow(db, id).catch((err) => log.error({ err }, 'welcome document not removed'))
  }

  async function createForGuest(principal: Principal, user: string): Promise<void> {
    const id = newDocumentId()
    if (!(await insertWelcomeDocument(db, user, principal, id))) return
    const pendingWrite = writeWelcomeText(id, principal)
      .catch((error: unknown) => removeUnwritten(id, error))
      .finally(() => pendingWrites.delete(pendingWrite))
    pendingWrites.add(pendingWrite)
  }

  return {
    async ensureWelcomeDocument(principal) {
      const { id } = principal
      if (!id.startsWith(USER_ID_PREFIX) || welcomedGuests.has(id)) return
      const user = id.slice(USER_ID_PREFIX.length)
      try {
        if (await isNotWelcomed(db, user)) await createForGuest(principal, user)
        if (welcomedGuests.size >= MAX_CACHED_GUESTS)
          welcomedGuests.delete(welcomedGuests.keys().next().value!)
        welcomedGuests.add(id)
      } catch (err) {
        log.error({ err }, 'welcome document not made')
      }
    },
    async whenIdle() {
      await Promise.all(pendingWrites)
    },
  }
}

const USER_ID_PREFIX = 'user:'

async function isNotWelcomed(db: Kysely<Database>, user: string): Promise<boolean> {
  const row = await db.selectFrom('user').select('welcomed').where('id', '=', user).executeTakeFirst()
  return row?.welcomed === null
}

/** Returns false for a person who was welcomed meanwhile: two windows may request the list at the same moment. */
const insertWelcomeDocument = (
  db: Kysely<Database>,
  user: string,
  owner: Principal,
  id: string,
): Promise<boolean> =>
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
