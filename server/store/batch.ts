/**
 * Packs what crosses to the worker and back: all of a batch lies in one buffer that is transferred, since cloning an object for each edit
 * takes several times as long, and a clone of an update would clone the whole buffer that it is a view of.
 */
import { DOCUMENT_PARTS, type ClientOwner, type DocumentEdit, type LoadedPart } from './store.ts'

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

/** Returns the calls of `append` in one transaction, one after the other, each as the number of its edits and these. */
export const packBatch = (calls: readonly (readonly DocumentEdit[])[]): Uint8Array<ArrayBuffer> => {
  const writer = new BatchWriter(calls.reduce((sum, edits) => sum + mostBytesOf(edits), NUMBER_BYTES))
  writer.writeNumber(calls.length)
  for (const edits of calls) {
    writer.writeNumber(edits.length)
    for (const edit of edits) writeEdit(writer, edit)
  }
  return writer.written
}

export const unpackBatch = (batch: Uint8Array): LogEntryRow[][] => {
  const reader = new BatchReader(batch)
  return reader.readList(() => reader.readList(() => readEdit(reader)))
}

const NUMBER_BYTES = 8
/** A code unit of a string has at most as many bytes in UTF-8. */
const MAX_UNIT_BYTES = 3

const mostBytesOf = (edits: readonly DocumentEdit[]): number => {
  let bytes = NUMBER_BYTES
  for (const { document, update, principal, session, clients, claims = [] } of edits) {
    const units = document.length + principal.length + session.length
    bytes += update.length + units * MAX_UNIT_BYTES + (8 + clients.length) * NUMBER_BYTES
    for (const claim of claims) bytes += claim.principal.length * MAX_UNIT_BYTES + 2 * NUMBER_BYTES
  }
  return bytes
}

const writeEdit = (writer: BatchWriter, edit: DocumentEdit): void => {
  const { document, part, update, principal, session, number, clients, claims = [] } = edit
  writer.writeText(document)
  writer.writeNumber(DOCUMENT_PARTS.indexOf(part))
  writer.writeText(principal)
  writer.writeText(session)
  writer.writeNumber(number)
  writer.writeNumber(clients.length)
  for (const client of clients) writer.writeNumber(client)
  writer.writeNumber(claims.length)
  for (const claim of claims) {
    writer.writeNumber(claim.client)
    writer.writeText(claim.principal)
  }
  writer.writeBytes(update)
}

const readEdit = (reader: BatchReader): LogEntryRow => ({
  document: reader.readText(),
  part: DOCUMENT_PARTS[reader.readNumber()]!,
  principal: reader.readText(),
  session: reader.readText(),
  number: reader.readNumber(),
  clients: `[${reader.readList(() => reader.readNumber()).join(',')}]`,
  claims: reader.readList(() => ({ client: reader.readNumber(), principal: reader.readText() })),
  update: reader.readBytes(),
})

class BatchWriter {
  readonly #bytes: Buffer<ArrayBuffer>
  #at = 0

  /** It is transferred, so it is not of Node's pool. */
  constructor(mostBytes: number) {
    this.#bytes = Buffer.from(new ArrayBuffer(mostBytes))
  }

  get written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#at)
  }

  writeNumber(value: number): void {
    this.#at = this.#bytes.writeDoubleLE(value, this.#at)
  }

  writeText(text: string): void {
    const length = this.#bytes.write(text, this.#at + NUMBER_BYTES)
    this.writeNumber(length)
    this.#at += length
  }

  writeBytes(bytes: Uint8Array): void {
    this.writeNumber(bytes.length)
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }
}

class BatchReader {
  readonly #bytes: Buffer
  #at = 0

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength)
  }

  readNumber(): number {
    this.#at += NUMBER_BYTES
    return this.#bytes.readDoubleLE(this.#at - NUMBER_BYTES)
  }

  readText(): string {
    const end = this.#endOfNext()
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end
    return text
  }

  /** Returns a view of the one buffer. */
  readBytes(): Uint8Array {
    const end = this.#endOfNext()
    const { buffer, byteOffset } = this.#bytes
    const bytes = new Uint8Array(buffer, byteOffset + this.#at, end - this.#at)
    this.#at = end
    return bytes
  }

  readList<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.readNumber() }, read)
  }

  #endOfNext(): number {
    const length = this.readNumber()
    return this.#at + length
  }
}

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
