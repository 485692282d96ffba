/** What a thread is given to read a file, and what it answers. */
import type { ImportedDocument, ImportSource } from '../../lib/import/imported-document.ts'
import type { MergedState } from '../store/document-merger.ts'

export type ImportJob = ImportSource

export interface ReadDocument extends Pick<ImportedDocument, 'title' | 'files'> {
  readonly text: MergedState
  /** Null where there are none. */
  readonly comments: Uint8Array<ArrayBuffer> | null
}

export type ImportAnswer = (
  | { readonly documents: readonly ReadDocument[]; readonly losses: readonly string[] }
  /** A sentence for a person. */
  | { readonly refusal: string }
) & {
  /** By a zip or a DOCX, and those within it. */
  readonly inflatedBytes: number
}
