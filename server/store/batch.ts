/**
 * What crosses to the worker and back, made cheap: all updates of a batch lie in one buffer that is transferred. (A clone of
 * each update would clone the whole buffer that it is a view of.)
 */
import type { Edit, Loaded, Part } from './store.ts'

/** One transaction's calls of `append`: of each its number of edits, and all their edits in one row after the other. */
export interface Batch {
  readonly calls: readonly number[]
  readonly fields: readonly BatchFields[]
  readonly updates: PackedUpdates
}

type BatchFields = readonly [
  document: string,
  part: Part,
  principal: string,
  session: string,
  number: number,
  clients: string,
]

/** A row as it is stored. */
export interface Row extends Omit<Edit, 'clients'> {
  /** A JSON array. */
  readonly clients: string
}

export interface PackedUpdates {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lengths: readonly number[]
}

export interface PackedLoaded extends Omit<Loaded, 'updates'> {
  readonly updates: PackedUpdates
}

export const packBatch = (calls: readonly (readonly Edit[])[]): Batch => {
  const edits = calls.flat()
  return {
    calls: calls.map((call) => call.length),
    fields: edits.map((edit) => [
      edit.document,
      edit.part,
      edit.principal,
      edit.session,
      edit.number,
      JSON.stringify(edit.clients),
    ]),
    updates: packUpdates(edits.map((edit) => edit.update)),
  }
}

export const unpackBatch = (batch: Batch): Row[][] => {
  const updates = unpackUpdates(batch.updates)
  const rows = batch.fields.map((fields, index) => toRow(fields, updates[index]!))
  let taken = 0
  return batch.calls.map((count) => rows.slice(taken, (taken += count)))
}

const toRow = (
  [document, part, principal, session, number, clients]: BatchFields,
  update: Uint8Array,
): Row => ({
  document,
  part,
  update,
  principal,
  session,
  number,
  clients,
})

export const packUpdates = (updates: readonly Uint8Array[]): PackedUpdates => {
  const lengths = updates.map((update) => update.length)
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0))
  let offset = 0
  for (const update of updates) {
    bytes.set(update, offset)
    offset += update.length
  }
  return { bytes, lengths }
}

/** Views of the one buffer. */
export const unpackUpdates = ({ bytes, lengths }: PackedUpdates): Uint8Array[] => {
  let offset = 0
  return lengths.map((length) => bytes.subarray(offset, (offset += length)))
}
