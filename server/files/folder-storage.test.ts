import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { NoSpace } from '../storage/storage-quota.ts'
import { StoreError } from '../store/store.ts'
import { describeFileStorage } from './file-storage.contract.ts'
import { FolderStorage, storageError } from './folder-storage.ts'

describe('a folder', () => {
  describeFileStorage(async () => {
    const folder = await temporaryFolder()
    return { ...folder, manyBytes: 3_000_000, storage: new FolderStorage(folder.path) }
  })
})

test.each(['ENOSPC', 'EDQUOT'])('%s is a full disk', (code) => {
  expect(storageError(Object.assign(new Error(code), { code }))).toBeInstanceOf(NoSpace)
})

test('any other fault is one of the store', () => {
  expect(storageError(Object.assign(new Error('EIO'), { code: 'EIO' }))).toBeInstanceOf(StoreError)
})
