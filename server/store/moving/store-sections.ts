/**
 * Reads what a store has as sections: one for each table of people, one for each document and desk. Rows come in the order of their
 * keys and a few MiB at a time, so that a document of any size takes no more memory.
 */
import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'
import { documentTables, type MovedTable, ownTables } from './moved-tables.ts'
import { type RowValue, writeRow } from './moved-rows.ts'

export interface SectionName {
  readonly kind: 'table' | 'document' | 'content' | 'file'
  /** A table, a document's id or a desk's name, the SHA-256 of a document's file, a file of the data folder. */
  readonly name: string
}

export interface SectionHash {
  readonly rows: number
  /** SHA-256 of the rows, in hexadecimal. */
  readonly hash: string
}

type Row = Record<string, RowValue>

/** How many bytes of blobs, and how many rows, one statement reads. */
const MAX_READ_BYTES = 4 * 1024 * 1024
const MAX_READ_ROWS = 500

export const titleOfSection = ({ kind, name }: SectionName): string => `${kind} ${name}`

/** Yields the tables, then documents and desks in the order of their names. */
export async function* sectionsOf(db: Kysely<Database>): AsyncGenerator<SectionName> {
  for (const { name } of ownTables) yield { kind: 'table', name }
  for (let name = await nextDocument(db, ''); name !== null; name = await nextDocument(db, name))
    yield { kind: 'document', name }
}

/** Looks up the next name in each table's index: a list of all names would read the whole log. */
async function nextDocument(db: Kysely<Database>, after: string): Promise<string | null> {
  const nextNames = documentTables.map(({ name, document }) => {
    const column = sql.ref(document!)
    return sql`select min(${column}) as name from ${sql.table(name)} where ${column} > ${after}`
  })
  const { rows } = await sql<{ name: string | null }>`
    select min(name) as name from (${sql.join(nextNames, sql` union all `)}) as names
  `.execute(db)
  return rows[0]!.name
}

/** Yields the rows of a section as the file has them. */
export async function* rowsOfSection(
  db: Kysely<Database>,
  { kind, name }: SectionName,
): AsyncGenerator<Uint8Array> {
  const tables = kind === 'table' ? ownTables.filter((table) => table.name === name) : documentTables
  for (const table of tables)
    for await (const values of rowsOfTable(db, table, kind === 'document' ? name : undefined))
      yield writeRow({ table: table.name, values })
}

/** Hashes the rows that a section has in the store. */
export async function hashSection(db: Kysely<Database>, section: SectionName): Promise<SectionHash> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const row of rowsOfSection(db, section)) {
    hash.update(row)
    rows += 1
  }
  return { rows, hash: hash.digest('hex') }
}

export async function hasSection(db: Kysely<Database>, section: SectionName): Promise<boolean> {
  for await (const _row of rowsOfSection(db, section)) return true
  return false
}

async function* rowsOfTable(
  db: Kysely<Database>,
  table: MovedTable,
  document: string | undefined,
): AsyncGenerator<Row> {
  for (let after: Row | null = null; ;) {
    const { last, isEnd }: ReadEnd = await endOfRead(db, table, { document, after, last: null })
    const rows = await readRows(db, table, sql`*`, { document, after, last })
    for (const row of rows) {
      for (const column of table.ownColumns ?? []) delete row[column]
      yield row
    }
    after = rows.at(-1) ?? null
    if (isEnd || rows.length === 0 || (last === null && rows.length < MAX_READ_ROWS)) return
  }
}

interface ReadEnd {
  /** The key of the last row to read; null for as many as one statement reads. */
  readonly last: Row | null
  /** True when no row comes after them. */
  readonly isEnd: boolean
}

/** Decides where a statement ends, so that it reads no more than its bytes, and at least one row. */
async function endOfRead(db: Kysely<Database>, table: MovedTable, bounds: ReadBounds): Promise<ReadEnd> {
  if (table.blobs.length === 0) return { last: null, isEnd: false }
  const sizes = table.blobs.map((blob) => sql`coalesce(length(${sql.ref(blob)}), 0)`)
  const columns = sql`${keyOf(table)}, ${sql.join(sizes, sql` + `)} as bytes`
  const rows = await readRows(db, table, columns, bounds)
  let bytes = 0
  const tooMany = rows.findIndex((row) => (bytes += row.bytes as number) > MAX_READ_BYTES)
  if (tooMany === -1) return { last: null, isEnd: rows.length < MAX_READ_ROWS }
  return { last: rows[Math.max(0, tooMany - 1)]!, isEnd: false }
}

interface ReadBounds {
  readonly document: string | undefined
  /** The key before the first row; null begins. */
  readonly after: Row | null
  /** The key of the last row; null for as many as one statement reads. */
  readonly last: Row | null
}

async function readRows(
  db: Kysely<Database>,
  table: MovedTable,
  columns: RawBuilder<unknown>,
  { document, after, last }: ReadBounds,
): Promise<Row[]> {
  const key = keyOf(table)
  const valuesOf = (row: Row) => sql.join(table.key.map((column) => row[column]))
  const conditions = [
    ...(document === undefined ? [] : [sql`${sql.ref(table.document!)} = ${document}`]),
    ...(after === null ? [] : [sql`(${key}) > (${valuesOf(after)})`]),
    ...(last === null ? [] : [sql`(${key}) <= (${valuesOf(last)})`]),
  ]
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table.name)} ${where} order by ${key} limit ${MAX_READ_ROWS}
  `.execute(db)
  return rows
}

const keyOf = ({ key }: MovedTable): RawBuilder<unknown> => sql.join(key.map((column) => sql.ref(column)))
