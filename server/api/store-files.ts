/** Lets files into a document where there is room: in the document, in its owner's space, on the server and on its disk. */
import { apiStrings } from '../../lib/strings/api.ts'
import { sizeText, storageStrings } from '../../lib/strings/storage.ts'
import { countFiles } from '../files/file-records.ts'
import { NoSpace } from '../storage/storage-quota.ts'
import { ApiError, notFoundError } from './api-errors.ts'
import type { ApiDependencies } from './api-routing.ts'
import { findDocument } from './document-rows.ts'

/** Of one document, and uploads of one person. */
const MAX_FILES = 2_000
const MAX_UPLOADS = 200

interface NewFiles {
  readonly document: string
  readonly files: number
  /** Of all of them. */
  readonly bytes: number
  /** `Principal.id`. */
  readonly by: string
}

type StoreDependencies = Pick<ApiDependencies, 'db' | 'files' | 'fileLimits' | 'storage'>

/** @throws {ApiError} */
export function requireFileSize({ fileLimits: { fileBytes } }: StoreDependencies, bytes: number): void {
  if (fileBytes !== null && bytes > fileBytes)
    throw new ApiError('too-large', apiStrings.file.tooLarge(sizeText(fileBytes)))
}

/** Runs in the turn of the document's owner, so that what is asked for at once is counted together. @throws {ApiError} @throws {NoSpace} */
export async function storeFiles<Answer>(
  dependencies: StoreDependencies,
  files: NewFiles,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { db, storage } = dependencies
  const row = await findDocument(db, files.document)
  if (!row) throw notFoundError()
  const store = async (): Promise<Answer> => {
    await requireRoom(dependencies, files)
    return run()
  }
  return storage.store(row.owner, files.bytes, store, files.by)
}

/** @throws {ApiError} @throws {NoSpace} */
export async function requireRoom(
  { db, files, fileLimits }: StoreDependencies,
  { document, files: count, bytes, by }: NewFiles,
): Promise<void> {
  const { documentBytes, reservedBytes } = fileLimits
  const { file } = apiStrings
  const counts = await countFiles(db, document, by)
  if (counts.files + count > MAX_FILES) throw new ApiError('full', file.tooMany(MAX_FILES))
  if (counts.uploads >= MAX_UPLOADS) throw new ApiError('too-many', file.tooManyUploads(MAX_UPLOADS))
  if (documentBytes !== null && counts.bytes + bytes > documentBytes)
    throw new NoSpace(file.documentFull(sizeText(documentBytes)))
  if ((await files.freeBytes()) - bytes < (reservedBytes ?? 0)) throw new NoSpace(storageStrings.serverFull)
}
