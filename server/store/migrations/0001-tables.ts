import type { Kysely, Migration } from 'kysely'
import { createDocumentTables } from './tables/documents.ts'
import { createFileTables } from './tables/files.ts'
import { createLogTables } from './tables/log.ts'
import { createNodeTables } from './tables/nodes.ts'
import { createOrderTables } from './tables/order.ts'
import { createPeopleTables } from './tables/people.ts'
import { createVersionTables } from './tables/versions.ts'

/** All tables, as `schema.ts` describes them. */
export const tables: Migration = {
  async up(db: Kysely<unknown>) {
    await createLogTables(db)
    await createNodeTables(db)
    await createPeopleTables(db)
    await createDocumentTables(db)
    await createVersionTables(db)
    await createFileTables(db)
    await createOrderTables(db)
  },
}
