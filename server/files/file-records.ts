/** Which files and uploads a document has, as rows. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { renewFilesSize } from '../store/document-sizes.ts'
import type { Database, FilesTable } from '../store/schema.ts'

export type FileRow = Pick<
  Selectable<FilesTable>,
  'id' | 'sha256' | 'bytes' | 'type' | 'width' | 'height' | 'name' | 'uploaded_by' | 'uploaded_at'
>

export interface FileAddress {
  readonly document: string
  /** The file's id. */
  readonly id: string
}

export interface UploadRow extends FileAddress {
  readonly bytes: number
  readonly received: number
  readonly name: string
  /** `Principal.id`. */
  readonly uploaded_by: string
  readonly created_at: number
  readonly expires_at: number
  /** The node that has what arrived. */
  readonly node: string
}

const fileColumns = [
  'id',
  'sha256',
  'bytes',
  'type',
  'width',
  'height',
  'name',
  'uploaded_by',
  'uploaded_at',
] as const

export const findFile = (db: Kysely<Database>, { document, id }: FileAddress): Promise<FileRow | undefined> =>
  db
    .selectFrom('files')
    .select(fileColumns)
    .where('document', '=', document)
    .where('id', '=', id)
    .executeTakeFirst()

/** Where the bytes of a file are stored. */
export async function findStorageKey(db: Kysely<Database>, sha256: string): Promise<string | null> {
  const row = await db
    .selectFrom('file_contents')
    .select('storage_key')
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row?.storage_key ?? null
}

/** Returns the newest first. */
export const listFiles = (db: Kysely<Database>, document: string): Promise<FileRow[]> =>
  db
    .selectFrom('files')
    .select(fileColumns)
    .where('document', '=', document)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .execute()

export async function countPictures(db: Kysely<Database>, document: string): Promise<number> {
  const { pictures } = await db
    .selectFrom('files')
    .select((select) => select.fn.countAll<number>().as('pictures'))
    .where('document', '=', document)
    .where('type', 'like', 'image/%')
    .executeTakeFirstOrThrow()
  return pictures
}

export const findUpload = (
  db: Kysely<Database>,
  { document, id }: FileAddress,
): Promise<UploadRow | undefined> =>
  db
    .selectFrom('file_uploads')
    .selectAll()
    .where('document', '=', document)
    .where('id', '=', id)
    .executeTakeFirst()

/** The node that has what arrived of an upload. */
export async function findUploadNode(
  db: Kysely<Database>,
  { document, id }: FileAddress,
): Promise<string | null> {
  const row = await db
    .selectFrom('file_uploads')
    .select('node')
    .where('document', '=', document)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.node || null
}

export const listUploads = (db: Kysely<Database>, document: string): Promise<UploadRow[]> =>
  db
    .selectFrom('file_uploads')
    .selectAll()
    .where('document', '=', document)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

export interface FileCounts {
  /** Of the document, uploads included. */
  readonly files: number
  readonly bytes: number
  /** Of the person, in all documents. */
  readonly uploads: number
}

export async function countFiles(
  db: Kysely<Database>,
  document: string,
  person: string,
): Promise<FileCounts> {
  const { rows } = await sql<FileCounts>`
    select count(*) as files, coalesce(sum(bytes), 0) as bytes,
      (select count(*) from file_uploads where uploaded_by = ${person}) as uploads
    from (
      select bytes from files where document = ${document}
      union all select bytes from file_uploads where document = ${document}
    ) as counted
  `.execute(db)
  return rows[0]!
}

/** Returns false where the document has a file or an upload with this id. */
export const insertUpload = (db: Kysely<Database>, upload: UploadRow): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    if (await findFile(transaction, upload)) return false
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('file_uploads')
      .values(upload)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) return false
    await renewFilesSize(transaction, upload.document)
    return true
  })

/** Says that so many bytes are on the disk. Returns false when the upload was ended meanwhile. */
export async function advanceUpload(
  db: Kysely<Database>,
  { document, id }: FileAddress,
  progress: Pick<UploadRow, 'received' | 'expires_at' | 'node'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('file_uploads')
    .set(progress)
    .where('document', '=', document)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Says that this node has what arrived of an upload, as after it has started anew under another name. */
export async function claimUpload(
  db: Kysely<Database>,
  { document, id }: FileAddress,
  node: string,
): Promise<void> {
  await db
    .updateTable('file_uploads')
    .set({ node })
    .where('document', '=', document)
    .where('id', '=', id)
    .execute()
}

/** Replaces an upload by its file. Returns false when the upload was ended meanwhile. */
export async function finishUpload(
  transaction: Kysely<Database>,
  document: string,
  file: FileRow,
): Promise<boolean> {
  if (!(await deleteUploadRow(transaction, { document, id: file.id }))) return false
  await transaction
    .insertInto('files')
    .values({ ...file, document, looked_for_at: file.uploaded_at })
    .execute()
  await renewFilesSize(transaction, document)
  return true
}

/** Returns false where there is none. */
export const deleteUpload = (db: Kysely<Database>, address: FileAddress): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const isDeleted = await deleteUploadRow(transaction, address)
    if (isDeleted) await renewFilesSize(transaction, address.document)
    return isDeleted
  })

async function deleteUploadRow(db: Kysely<Database>, { document, id }: FileAddress): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('file_uploads')
    .where('document', '=', document)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export interface FileToCopy {
  readonly id: string
  readonly bytes: number
  /** Whether the other document has it already. */
  readonly isThere: boolean
}

/** Of some ids, those that the source has, or that the other document has with the same bytes. */
export async function findFilesToCopy(
  db: Kysely<Database>,
  source: string,
  ids: readonly string[],
  document: string,
): Promise<FileToCopy[]> {
  const rows = await db
    .selectFrom('files')
    .leftJoin('files as own', (join) =>
      join.on('own.document', '=', document).onRef('own.id', '=', 'files.id'),
    )
    .select(['files.id', 'files.bytes', 'files.sha256', 'own.sha256 as ownSha256'])
    .where('files.document', '=', source)
    .where('files.id', 'in', ids)
    .execute()
  // Another file under the same id stays what it is.
  return rows
    .filter(({ sha256, ownSha256 }) => ownSha256 === null || ownSha256 === sha256)
    .map(({ id, bytes, ownSha256 }) => ({ id, bytes, isThere: ownSha256 !== null }))
}

interface FileCopies {
  readonly document: string
  /** `Principal.id`. */
  readonly by: string
  readonly now: number
  /** All by default. */
  readonly ids?: readonly string[]
}

/** Lets a document have files of another one. No bytes are copied. */
export async function copyFiles(
  db: Kysely<Database>,
  source: string,
  { document, by, now, ids }: FileCopies,
): Promise<void> {
  const chosen = ids ? sql`document = ${source} and id in (${sql.join(ids)})` : sql`document = ${source}`
  await db.transaction().execute(async (transaction) => {
    await sql`
      update file_contents set used_at = ${now} where sha256 in (select sha256 from files where ${chosen})
    `.execute(transaction)
    await sql`
      insert into files (document, id, sha256, bytes, type, width, height, name, uploaded_by, uploaded_at, looked_for_at)
      select ${document}, id, sha256, bytes, type, width, height, name, ${by}, ${now}, ${now}
      from files where ${chosen} and exists (select 1 from documents where documents.id = ${document})
      on conflict do nothing
    `.execute(transaction)
    await renewFilesSize(transaction, document)
  })
}
