import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../sqlite.ts'
import { titleKey } from '../title-key.ts'
import { createStoreFolder } from '../fixtures/sqlite-fixture.ts'

/** A store from before the trash, with more documents than are read at once. */
function revertToBeforeTrash(file: string): void {
  using db = new DatabaseSync(file)
  db.exec(
    `drop index documents_owner; drop index documents_edited; drop index documents_titled;
     drop index documents_created; drop index documents_trash; alter table documents drop column title_key;
     create index documents_list on documents (owner, updated_at, created_at, id);
     drop table installation; alter table clients drop column clock;
     drop table document_sizes; drop table snapshot_pieces; alter table snapshots drop column pieces;
     delete from kysely_migration where name >= '0009';
     with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 2500)
     insert into documents (id, title, owner, created_at, updated_at)
     select 'd' || n, 'Ärger ' || n, 'user:ada', n, n from counted`,
  )
}

test('documents of an older store are sorted by title as those created later', async () => {
  const folder = await createStoreFolder()
  const file = join(folder, 'store.sqlite')
  await (await openSqliteStore({ file })).close()
  revertToBeforeTrash(file)
  const { db, close } = await openSqliteStore({ file })
  const rows = await db.selectFrom('documents').select(['created_at', 'title_key']).execute()
  expect(rows).toHaveLength(2500)
  for (const { created_at, title_key } of rows) expect(title_key).toBe(titleKey(`Ärger ${created_at}`))
  await close()
})
