/** Versions of a document's body: the text as it was on disk at some time. It knows the store; it does not know rooms or requests. */
import { apiStrings } from '../../lib/strings/api.ts'
import type { Principal } from '../access/principal.ts'

export interface VersionAuthor {
  /** `Principal.id`. */
  readonly id: string
  readonly name: string
}

export interface DocumentVersion {
  readonly id: string
  /** Null for an automatic version, which may be thinned out. */
  readonly name: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The people who wrote since the version before. */
  readonly authors: readonly VersionAuthor[]
  /** The size as stored, compressed. */
  readonly bytes: number
}

export interface Versions {
  /** Returns the newest first. */
  list(document: string): Promise<DocumentVersion[]>
  /** How many bytes `state` returns; null when the document has no such version. */
  stateBytes(document: string, version: string): Promise<number | null>
  /** Returns a Yjs update V1, gzip, or null when the document has no such version. */
  state(document: string, version: string): Promise<Uint8Array<ArrayBuffer> | null>
  /**
   * Creates a version of all that is committed now. When the newest version has the same text and no name yet, that one is
   * returned, with the name. A version without a name may be thinned out.
   * @throws {TooManyVersions}
   */
  create(document: string, name: string | null, by: Principal): Promise<DocumentVersion>
  /**
   * Sets the name; null removes it. Returns false when the document has no such version.
   * @throws {TooManyVersions}
   */
  rename(document: string, version: string, name: string | null, by: Principal): Promise<boolean>
  remove(document: string, version: string): Promise<boolean>
  /** Removes all versions when the document was deleted for good. */
  forgetDocument(document: string): Promise<void>

  /** Called when somebody's edit is on disk. It usually costs the caller one lookup in a map. */
  onEdited(document: string, principal: string): void
  /** Called when nobody is in the document any more. */
  onLeft(document: string): void
  /** Continues with what was due when the server last ended. */
  resume(): Promise<void>
  /** Creates no more versions; what is due stays due. Resolves when the running one is done. */
  close(): Promise<void>
}

/** Limits the named versions of one document, because named versions are never thinned out. */
export const MAX_NAMED_VERSIONS = 200

export class TooManyVersions extends Error {
  override readonly name = 'TooManyVersions'

  constructor() {
    super(apiStrings.version.tooMany(MAX_NAMED_VERSIONS))
  }
}
