/** What a thread is given to write a document in a format, and what it answers. */
import type { ExportFormat } from '../../lib/export/export-formats.ts'
import type { ExportContext } from '../../lib/export/export-source.ts'
import type { FilePart } from '../../lib/export/write-entries.ts'
import type { PackedUpdates } from '../store/batch.ts'

export interface ExportJob {
  readonly format: ExportFormat
  readonly body: PackedUpdates
  /** Null to leave them out. */
  readonly comments: PackedUpdates | null
  readonly context: ExportContext
}

/** Letters as a zip holds them. */
export interface DeflatedPart {
  readonly deflated: Uint8Array<ArrayBuffer>
  /** Before they were deflated, in bytes. */
  readonly size: number
  /** CRC-32. */
  readonly crc: number
}

export type WrittenPart = Uint8Array<ArrayBuffer> | DeflatedPart | FilePart

export interface WrittenEntry {
  readonly name: string
  readonly parts: readonly WrittenPart[]
}

export interface ExportAnswer {
  /** Null where the document is too large. */
  readonly entries: readonly WrittenEntry[] | null
  /** How many pictures have no bytes, and a sentence in their place. */
  readonly missingPictures: number
}

/** The bytes of a part that is in memory; null for one that is in the storage of files. */
export const bytesIn = (part: WrittenPart): Uint8Array<ArrayBuffer> | null =>
  part instanceof Uint8Array ? part : 'deflated' in part ? part.deflated : null
