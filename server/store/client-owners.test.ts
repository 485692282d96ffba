import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textEdit } from './fixtures/text-edits.ts'
import { openSqliteStore } from './sqlite.ts'
import type { DocumentEdit } from './store.ts'
import { revertStore } from './fixtures/older-store.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'

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
  revertStore(file, '0006')

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
