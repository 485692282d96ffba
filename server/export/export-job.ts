/** What a thread is given to write a document in a format, and what it answers. */
import type { ExportFormat } from '../../lib/export/export-formats.ts'
import type { ExportContext } from '../../lib/export/export-source.ts'
import type { ExportEntry } from '../../lib/export/write-entries.ts'
import type { PackedUpdates } from '../store/batch.ts'

export interface ExportJob {
  readonly format: ExportFormat
  readonly body: PackedUpdates
  /** Null to leave them out. */
  readonly comments: PackedUpdates | null
  readonly context: ExportContext
}

export interface ExportAnswer {
  /** Without letters: each part is bytes or a file. Null where the document is too large. */
  readonly entries: readonly ExportEntry[] | null
}
