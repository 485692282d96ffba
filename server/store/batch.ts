/**
 * Packs what crosses to the worker and back: all updates of a batch lie in one buffer that is transferred, because a clone of each
 * update would clone the whole buffer that it is a view of.
 */
import type { ClientOwner, DocumentEdit, LoadedPart, DocumentPart } from './store.ts'

/** The calls of `append` in one transaction: the number of edits of each call, and all edits one after the other. */
export interface AppendBatch {
  readonly calls: readonly number[]
  /** A JSON array of EditFields: cloning as many small arrays takes several times as long. */
  readonly fields: string
  readonly updates: PackedUpdates
}

type EditFields = readonly [
  document: string,
  part: DocumentPart,
  principal: string,
  session: string,
  number: number,
  clients: string,
  claims: readonly ClientOwner[] | null,
]

/** A row as it is stored. */
export interface LogEntryRow extends Omit<DocumentEdit, 'clients'> {
  /** A JSON array. */
  readonly clients: string
  readonly claims: readonly ClientOwner[]
}

export interface PackedUpdates {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lengths: readonly number[]
}

export interface PackedLoadedPart extends Omit<LoadedPart, 'updates'> {
  readonly updates: PackedUpdates
}

export const packBatch = (calls: readonly (readonly DocumentEdit[])[]): AppendBatch => {
  const edits = calls.flat()
  return {
    calls: calls.map((call) => call.length),
    fields: JSON.stringify(edits.map(fieldsOf)),
    updates: packUpdates(edits.map((edit) => edit.update)),
  }
}

const fieldsOf = ({
  document,
  part,
  principal,
  session,
  number,
  clients,
  claims,
}: DocumentEdit): EditFields => [
  document,
  part,
  principal,
  session,
  number,
  JSON.stringify(clients),
  claims?.length ? claims : null,
]

export const unpackBatch = (batch: AppendBatch): LogEntryRow[][] => {
  const updates = unpackUpdates(batch.updates)
  const fields = JSON.parse(batch.fields) as EditFields[]
  const rows = fields.map((editFields, index) => toLogEntryRow(editFields, updates[index]!))
  let offset = 0
  return batch.calls.map((count) => rows.slice(offset, (offset += count)))
}

const toLogEntryRow = (
  [document, part, principal, session, number, clients, claims]: EditFields,
  update: Uint8Array,
): LogEntryRow => ({
  document,
  part,
  update,
  principal,
  session,
  number,
  clients,
  claims: claims ?? NO_CLAIMS,
})

const NO_CLAIMS: readonly ClientOwner[] = []

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

/** Returns views of the one buffer. */
export const unpackUpdates = ({ bytes, lengths }: PackedUpdates): Uint8Array[] => {
  let offset = 0
  return lengths.map((length) => bytes.subarray(offset, (offset += length)))
}
