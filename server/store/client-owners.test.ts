import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { textEdit } from './fixtures/text-edits.ts'
import { openSqliteStore } from './sqlite.ts'
import type { DocumentEdit } from './store.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'

/** A store from before client owners. */
function revertToBeforeOwners(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(
    `drop table clients; drop table epoch; drop table installation; drop table document_sizes;
     drop table snapshot_pieces; alter table snapshots drop column pieces; alter table user drop column welcomed; alter table user drop column colour;
     alter table user drop column formerNames; alter table user drop column asked;
     drop index documents_owner; drop index documents_edited; drop index documents_titled;
     drop index documents_created; drop index documents_trash; alter table documents drop column title_key;
     drop index documents_deleted; create index documents_owner on documents (owner, updated_at);
     delete from kysely_migration where name >= '0006'`,
  )
  db.close()
}

test('[A5] client ids of an older store belong to the principal that the log names first', async () => {
  const folder = await createStoreFolder()
  const file = join(folder, 'store.sqlite')
  const editBy = (
    principal: string,
    clients: readonly number[],
    rest: Partial<DocumentEdit> = {},
  ): DocumentEdit => ({
    ...textEdit('d', principal),
    principal,
    clients,
    ...rest,
  })
  const before = await openSqliteStore({ file })
  const [first] = await before.documents.append([editBy('user:gone', [5])])
  await before.documents.compact('d', 'body', new Uint8Array(1), first!)
  await before.documents.append([
    editBy('user:ada', [7, 8]),
    editBy('user:bob', [7, 9]),
    editBy('user:bob', [10], { session: 'server' }),
    editBy('user:ada', [11], { part: 'desk' }),
  ])
  await before.close()
  revertToBeforeOwners(file)

  const after = await openSqliteStore({ file })
  const { owners } = await after.documents.load('d', 'body')
  expect([...(owners ?? [])]).toEqual([
    [7, 'user:ada'],
    [8, 'user:ada'],
    [9, 'user:bob'],
    [10, 'server'],
  ])
  expect((await after.documents.load('d', 'desk')).owners).toBeUndefined()
  await after.close()
})
