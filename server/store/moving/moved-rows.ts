/** Rows in a form that is the same whichever database they come from: the file has it, and hashes are made of it. */
import { createDecoder, hasContent, readAny, readVarString } from 'lib0/decoding'
import { createEncoder, toUint8Array, writeAny, writeVarString } from 'lib0/encoding'

export type RowValue = string | number | null | Uint8Array

export interface MovedRow {
  readonly table: string
  readonly values: Readonly<Record<string, RowValue>>
}

/**
 * Writes the table, then each column by name, in the order of the names. A text has U+FFFD in place of U+0000, which PostgreSQL's
 * cannot hold.
 */
export function writeRow({ table, values }: MovedRow): Uint8Array {
  const encoder = createEncoder()
  writeVarString(encoder, table)
  for (const column of Object.keys(values).toSorted()) {
    const value = values[column]!
    writeVarString(encoder, column)
    writeAny(encoder, typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value)
  }
  return toUint8Array(encoder)
}

/** Each value of bytes is a copy in a buffer of its own, since a view would be cloned with the whole buffer. */
export function readRow(bytes: Uint8Array): MovedRow {
  const decoder = createDecoder(bytes)
  const table = readVarString(decoder)
  const values: Record<string, RowValue> = {}
  while (hasContent(decoder)) {
    const column = readVarString(decoder)
    const value = readAny(decoder) as RowValue
    values[column] = value instanceof Uint8Array ? value.slice() : value
  }
  return { table, values }
}
