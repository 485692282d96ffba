/** What a file of another program becomes: documents, and sentences of what they could not hold. */
import type { JsonNode } from '../blocks/json-node.ts'
import type { JsonThread } from '../export/write-json.ts'

export interface ImportedFile {
  readonly id: string
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface ImportedDocument {
  /** '' where the file names none. */
  readonly title: string
  readonly blocks: readonly JsonNode[]
  readonly threads: readonly JsonThread[]
  /** Those that the blocks show. */
  readonly files: readonly ImportedFile[]
}

/** What is imported: it comes from strangers, and its name and type may lie. */
export interface ImportSource {
  readonly name: string
  /** A media type, in lower case and without parameters; '' where nobody knows. */
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The message is a sentence for a person. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}
