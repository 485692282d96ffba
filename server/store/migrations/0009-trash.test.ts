import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../sqlite.ts'
import { titleKey } from '../title-key.ts'
import { revertStore } from '../fixtures/older-store.ts'
import { createStoreFolder } from '../fixtures/sqlite-fixture.ts'

/** More documents than are read at once. */
function writeDocuments(file: string): void {
  using db = new DatabaseSync(file)
  db.exec(
    `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 2500)
     insert into documents (id, title, owner, created_at, updated_at)
     select 'd' || n, 'Ärger ' || n, 'user:ada', n, n from counted`,
  )
}

test('documents of an older store are sorted by title as those created later', async () => {
  const folder = await createStoreFolder()
  const file = join(folder, 'store.sqlite')
  await (await openSqliteStore({ file })).close()
  revertStore(file, '0009')
  writeDocuments(file)
  const { db, close } = await openSqliteStore({ file })
  const rows = await db.selectFrom('documents').select(['created_at', 'title_key']).execute()
  expect(rows).toHaveLength(2500)
  for (const { created_at, title_key } of rows) expect(title_key).toBe(titleKey(`Ärger ${created_at}`))
  await close()
})
