/** Converts values between PostgreSQL and what the tables' types promise: the same as from SQLite. */
import type { CustomTypesConfig } from 'pg'

/** Object ids of types, as in the catalogue pg_type. */
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, oid: 26, numeric: 1700, float8: 701 }

/** pg reads every value as text. Every number here is a safe integer: times in ms, sequences, counts, Yjs client ids. */
const parsers = new Map<number, (text: string) => unknown>([
  [oids.bool, (text) => text === 't'],
  [oids.bytea, (text) => Buffer.from(text.slice(2), 'hex')],
  ...[oids.int8, oids.int2, oids.int4, oids.oid, oids.numeric, oids.float8].map(
    (oid) => [oid, Number] as const,
  ),
])

export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? ((text: string) => text)) as never,
}

/**
 * Converts a parameter of Kysely's. The tables keep truth values as 0 and 1 and dates as text, as better-auth does in SQLite. A text
 * cannot contain U+0000 in PostgreSQL: it becomes U+FFFD, which also finds nothing where an id is looked for.
 */
export const toPostgresValue = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return value === undefined ? null : value
}
