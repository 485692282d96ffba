/** The first document of a new guest: written once, while the first page is already on its way. */
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
  /** Starts making it and returns at once. Call it once, for a guest that is new. */
  greet(principal: Principal): void
  /** Resolves when a document begun for this principal is in its list; its text may follow some milliseconds later. */
  listed(principal: Principal): Promise<void>
  /** Resolves when all that was begun is written or given up. For shutting down, and for tests. */
  settled(): Promise<void>
}

export function createWelcome(parts: {
  db: Kysely<Database>
  rooms: Pick<Rooms, 'edit'>
  log: Logger
}): Welcome {
  const { db, rooms, log } = parts
  const listing = new Map<string, Promise<unknown>>()
  const writing = new Set<Promise<void>>()

  async function write(id: string, principal: Principal, row: Promise<unknown>): Promise<void> {
    try {
      await row
      await rooms.edit(id, 'body', principal, (doc) => {
        writeTitle(doc, welcomeTitle)
        writeBlocks(doc.getXmlFragment('default'), welcomeText)
      })
    } catch (error) {
      log.error({ error, document: id }, 'welcome document not written')
      await forgetDocument(db, id).catch((cause) => log.error({ cause }, 'welcome document not removed'))
    }
  }

  return {
    greet(principal) {
      const id = newDocumentId()
      const row = insertDocument(db, id, principal, welcomeTitle)
      listing.set(principal.id, row)
      const done = write(id, principal, row).finally(() => {
        listing.delete(principal.id)
        writing.delete(done)
      })
      writing.add(done)
    },
    async listed(principal) {
      await listing.get(principal.id)?.catch(() => undefined)
    },
    async settled() {
      await Promise.all(writing)
    },
  }
}
