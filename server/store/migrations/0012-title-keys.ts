import { type Kysely, type Migration, sql } from 'kysely'
import { titleKey } from '../title-key.ts'

interface TitledDocuments {
  documents: { id: string; title: string; title_key: string }
}

const ROWS_AT_ONCE = 1000

/** Writes the sort keys anew: with numbers by value, and documents without a title at the end. */
export const titleKeys: Migration = {
  async up(db: Kysely<TitledDocuments>) {
    for (let after = ''; ;) {
      const rows = await db
        .selectFrom('documents')
        .select(['id', 'title'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .execute()
      if (rows.length === 0) return
      const keys = sql.join(rows.map(({ id, title }) => sql`(${id}, ${titleKey(title)})`))
      // Both stores name the columns of VALUES so.
      await sql`
        update documents set title_key = keys.column2 from (values ${keys}) as keys where documents.id = keys.column1
      `.execute(db)
      after = rows.at(-1)!.id
    }
  },
}
