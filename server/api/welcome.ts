/** The first document of a new guest: listed before the first page shows, its text written while that page is on its way. */
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
   * Call it once for each new guest. Resolves, after one small commit, when the document is in the guest's list; the text
   * follows. Never rejects: a guest without a welcome is still a guest.
   */
  greet(principal: Principal): Promise<void>
  /** Resolves when every text begun is written or given up. */
  settled(): Promise<void>
}

export function createWelcome(parts: {
  db: Kysely<Database>
  rooms: Pick<Rooms, 'edit'>
  log: Logger
}): Welcome {
  const { db, rooms, log } = parts
  const writing = new Set<Promise<void>>()

  const write = (id: string, principal: Principal): Promise<void> =>
    rooms.edit(id, 'body', principal, (doc) => {
      writeTitle(doc, welcomeTitle)
      writeBlocks(doc.getXmlFragment('default'), welcomeText)
    })

  async function takeBack(id: string, error: unknown): Promise<void> {
    log.error({ err: error, document: id }, 'welcome document not written')
    await forgetDocument(db, id).catch((err) => log.error({ err }, 'welcome document not removed'))
  }

  return {
    async greet(principal) {
      const id = newDocumentId()
      try {
        await insertDocument(db, id, principal, welcomeTitle)
      } catch (err) {
        log.error({ err }, 'welcome document not made')
        return
      }
      const done = write(id, principal)
        .catch((error: unknown) => takeBack(id, error))
        .finally(() => writing.delete(done))
      writing.add(done)
    },
    async settled() {
      await Promise.all(writing)
    },
  }
}
