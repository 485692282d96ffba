/**
 * Brings what an export has into a store. The file is checked whole before anything is written; each document and each table is written
 * in one transaction; and in the end everything is read again from the store, and its hashes are compared with those of the file.
 */
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { renewAllSizes } from '../document-sizes.ts'
import { latestMigration } from '../migrations/index.ts'
import type { Database } from '../schema.ts'
import { listDataFolderFiles, writeDataFolderFile } from './data-folder-files.ts'
import { ExportFileReader, type ExportSection, type ExportSummary } from './export-file.ts'
import type { OnProgress } from './export-store.ts'
import { documentTables, movedTable, ownTables } from './moved-tables.ts'
import { type ContentTarget, hashContent, importContent } from './moved-contents.ts'
import { type MovedRow, readRow } from './moved-rows.ts'
import { type StoreLocation, writeInStore } from './store-location.ts'
import { hashSection, hasSection, type SectionName, titleOfSection } from './store-sections.ts'

export interface ImportOptions {
  /** Whether the store may have something already: it stays, and a document of the file with the same id is left out. */
  readonly merge?: boolean
  /** Whether the files of the data folder are written, too. */
  readonly files?: boolean
  readonly onProgress?: OnProgress
}

export interface ImportOutcome extends ExportSummary {
  /** Ids of documents, and names of desks, that the store had already, and that differ from the file's. */
  readonly differing: readonly string[]
  /** How many the store had already, the differing ones included. */
  readonly keptDocuments: number
}

/** How many bytes and rows one statement inserts. */
const MAX_INSERT_BYTES = 4 * 1024 * 1024
const MAX_INSERT_ROWS = 200

/** @throws {Error} one sentence. */
export async function importStore(
  location: StoreLocation,
  file: string,
  { merge = false, files = false, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportOutcome> {
  const summary = await checkExportFile(file).catch((error: Error) => {
    throw new Error(`Nothing was imported: ${error.message}`, { cause: error })
  })
  return writeInStore(location, async ({ db }, onChange) => {
    if (!merge) await requireEmptyStore(db, location)
    if (files) await requireNoFiles(location.dataDir)
    await onChange()
    const target = { storage: location.files, dataDir: location.dataDir }
    const kept = new Map<string, 'same' | 'differs'>()
    {
      await using reader = await ExportFileReader.open(file, latestMigration)
      let documents = 0
      for await (const section of reader.sections()) {
        const title = titleOfSection(section)
        if (section.kind === 'content') await importContentSection({ db, ...target }, section)
        else if (section.kind === 'file') await importFile(section, files ? location.dataDir : null)
        else if (merge && section.kind === 'document' && (await hasSection(db, section)))
          kept.set(title, await compareKept(db, section))
        else await importSection(db, section, merge)
        if (section.kind === 'document') documents += 1
        onProgress({ documents, bytes: reader.bytes, totalBytes: reader.totalBytes })
      }
    }
    await renewAllSizes(db)
    await verifyImport(
      { db, storage: location.files },
      file,
      (section) => kept.has(titleOfSection(section)) || (merge && section.kind === 'table'),
    )
    const differing = [...kept].flatMap(([title, how]) => (how === 'differs' ? [title] : []))
    return { ...summary, keptDocuments: kept.size, differing }
  })
}

/** Reads a file to its end, and compares all hashes. @throws {Error} one sentence for a file that is cut, damaged or of another version. */
export async function checkExportFile(file: string): Promise<ExportSummary> {
  await using reader = await ExportFileReader.open(file, latestMigration)
  for await (const { rows } of reader.sections()) await readToEnd(rows)
  return reader.summary()
}

async function readToEnd(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _row of rows);
}

async function requireEmptyStore(db: Kysely<Database>, location: StoreLocation): Promise<void> {
  for (const table of [...ownTables, ...documentTables]) {
    const { rows } = await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(db)
    if (rows.length > 0)
      throw new Error(
        `${location.name} has documents or people already: ${describeWayToEmptyStore(location)}. With --merge all of it stays as it is, and what the file has newer of a document that is in both is left out.`,
      )
  }
}

/** The mark and the log of SQLite lie beside its file, and belong to it. */
function describeWayToEmptyStore(location: StoreLocation): string {
  if (location.kind === 'postgres') return 'make an empty database, and name it by DATABASE_URL'
  const old = join(location.dataDir, 'old')
  return `move it away by mkdir "${old}" && mv "${location.file}"* "${old}", and import again`
}

async function requireNoFiles(dataDir: string): Promise<void> {
  const [file] = await listDataFolderFiles(dataDir)
  if (file !== undefined)
    throw new Error(`${dataDir} has a file ${file} already: restore into an empty folder, or use import.`)
}

/** @param dataDir Null leaves the file out. */
async function importFile({ name, rows }: ExportSection, dataDir: string | null): Promise<void> {
  for await (const row of rows) {
    if (dataDir !== null) await writeDataFolderFile(dataDir, name, readRow(row).values.bytes as Uint8Array)
  }
}

async function importContentSection(target: ContentTarget, section: ExportSection): Promise<void> {
  try {
    await importContent(target, section)
  } catch (error) {
    const { message } = error as Error
    throw new Error(`Nothing of ${titleOfSection(section)} was imported: ${message}.`, { cause: error })
  }
}

async function compareKept(db: Kysely<Database>, section: ExportSection): Promise<'same' | 'differs'> {
  await readToEnd(section.rows)
  const { hash } = await hashSection(db, section)
  return hash === section.sectionHash().hash ? 'same' : 'differs'
}

/** Writes all rows or, when one cannot be written, none. */
async function importSection(db: Kysely<Database>, section: ExportSection, merge: boolean): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      for await (const rows of inBatches(section.rows)) await insertRows(transaction, rows, merge)
    })
  } catch (error) {
    const { message } = error as Error
    throw new Error(`Nothing of ${titleOfSection(section)} was imported: ${message}.`, { cause: error })
  }
}

/** Groups rows of one table, as many as one statement takes. */
async function* inBatches(rows: AsyncIterable<Uint8Array>): AsyncGenerator<MovedRow[]> {
  let batch: MovedRow[] = []
  let bytes = 0
  for await (const encoded of rows) {
    const row = readRow(encoded)
    const isFull = batch.length === MAX_INSERT_ROWS || bytes + encoded.length > MAX_INSERT_BYTES
    if (batch.length > 0 && (isFull || batch[0]!.table !== row.table)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(row)
    bytes += encoded.length
  }
  if (batch.length > 0) yield batch
}

async function insertRows(db: Kysely<Database>, rows: readonly MovedRow[], merge: boolean): Promise<void> {
  const { table, values } = rows[0]!
  const columns = Object.keys(values)
  const tuples = rows.map((row) => sql`(${sql.join(columns.map((column) => row.values[column]))})`)
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(tuples)} ${merge ? sql`on conflict do nothing` : sql``}
  `.execute(db)
  if (merge) await requireRows(db, rows)
}

/** A row that was there already has the same key; another one may have had the same e-mail address, or another unique value. */
async function requireRows(db: Kysely<Database>, rows: readonly MovedRow[]): Promise<void> {
  const { table } = rows[0]!
  const { key } = movedTable(table)
  for (const { values } of rows) {
    const conditions = key.map((column) => sql`${sql.ref(column)} = ${values[column]}`)
    const found = await sql`
      select 1 from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}
    `.execute(db)
    if (found.rows.length === 0)
      throw new Error(`a row of ${table} clashes with another one of the store (${String(values[key[0]!])})`)
  }
}

/** Reads everything again from the store. @throws {Error} one sentence that names what differs from the file. */
async function verifyImport(
  target: Pick<ContentTarget, 'db' | 'storage'>,
  file: string,
  isLeftOut: (section: SectionName) => boolean,
): Promise<void> {
  await using reader = await ExportFileReader.open(file, latestMigration)
  for await (const section of reader.sections()) {
    await readToEnd(section.rows)
    if (section.kind === 'file' || isLeftOut(section)) continue
    const stored =
      section.kind === 'content'
        ? await hashContent(target, section.name)
        : await hashSection(target.db, section)
    if (stored?.hash !== section.sectionHash().hash)
      throw new Error(`${titleOfSection(section)} was imported, and reads differently from the store.`)
  }
}
