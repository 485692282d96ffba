/** Versions of a document's body: the text as it once stood on disk. Knows the store; does not know rooms or requests. */
import { strings } from '../../lib/strings/api.ts'
import type { Principal } from '../access/principal.ts'

export interface VersionAuthor {
  /** `Principal.id`. */
  readonly id: string
  readonly name: string
}

export interface DocumentVersion {
  readonly id: string
  /** Null: it made itself, and may be thinned out. */
  readonly name: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Who wrote since the version before. */
  readonly authors: readonly VersionAuthor[]
  /** As stored, compressed. */
  readonly bytes: number
}

export interface Versions {
  /** Newest first. */
  list(document: string): Promise<DocumentVersion[]>
  /** A Yjs update V1, gzip; null when the document has no such version. */
  state(document: string, version: string): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * Of all that is committed by now. Where the newest version is the same text and has no name yet, it is that one. Without a name it
   * may be thinned out.
   * @throws {TooManyVersions}
   */
  create(document: string, name: string | null, by: Principal): Promise<DocumentVersion>
  /** Null takes the name away. False when the document has no such version. @throws {TooManyVersions} */
  rename(document: string, version: string, name: string | null, by: Principal): Promise<boolean>
  remove(document: string, version: string): Promise<boolean>
  /** The document was deleted for good. */
  forgetDocument(document: string): Promise<void>

  /** Somebody's edit is on disk. Costs the caller a look into a map. */
  onEdited(document: string, principal: string): void
  /** Nobody is in it any more. */
  onLeft(document: string): void
  /** Takes up what was due when the server last ended. */
  resume(): Promise<void>
  /** Makes none any more; what is due stays due. Resolves when the one being made is done. */
  close(): Promise<void>
}

/** Of one document. Named versions are never thinned out. */
export const MAX_NAMED_VERSIONS = 200

export class TooManyVersions extends Error {
  override readonly name = 'TooManyVersions'

  constructor() {
    super(strings.version.tooMany(MAX_NAMED_VERSIONS))
  }
}
