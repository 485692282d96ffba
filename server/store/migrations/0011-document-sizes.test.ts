import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countSizes } from '../document-sizes.ts'
import { revertStore } from '../fixtures/older-store.ts'
import { createStoreFolder } from '../fixtures/sqlite-fixture.ts'
import { textEdit } from '../fixtures/text-edits.ts'
import { openSqliteStore } from '../sqlite.ts'

test('the documents of an older store are counted', async () => {
  const file = join(await createStoreFolder(), 'store.sqlite')
  const older = await openSqliteStore({ file })
  await older.documents.append([
    textEdit('d', 'one'),
    textEdit('d', 'two'),
    textEdit('e', 'three', 'comments'),
  ])
  await older.documents.compact('d', 'body', Buffer.alloc(40), 1)
  await older.close()
  revertStore(file, '0011')
  const { db, close } = await openSqliteStore({ file })
  const sizes = await db.selectFrom('document_sizes').selectAll().orderBy('document').execute()
  expect(sizes).toEqual(await countSizes(db))
  expect(sizes).toMatchObject([{ bytes: 43 }, { bytes: 5 }])
  await close()
})
