/** The tables as Kysely sees them; migrations/ creates them. */
import type { ColumnType, Generated } from 'kysely'
import type { Role } from '../access/principal.ts'
import type { DocumentPart } from './store.ts'

export interface Database {
  log: LogTable
  snapshots: SnapshotsTable
  snapshot_pieces: SnapshotPiecesTable
  clients: ClientsTable
  epoch: EpochTable
  file_storage: FileStorageTable
  health: HealthTable
  installation: InstallationTable
  documents: DocumentsTable
  folders: FoldersTable
  folder_trees: FolderTreesTable
  placements: PlacementsTable
  links: LinksTable
  grants: GrantsTable
  proposals: ProposalsTable
  proposal_decisions: ProposalDecisionsTable
  versions: VersionsTable
  document_sizes: DocumentSizesTable
  unversioned: UnversionedTable
  files: FilesTable
  file_uploads: FileUploadsTable
  file_contents: FileContentsTable
  user: UserTable
  session: SessionTable
  account: AccountTable
  verification: VerificationTable
}

/** Milliseconds since 1970, UTC. */
type Timestamp = number

/** Sequences of one (document, part) have no gaps: after its snapshot come sequence + 1, sequence + 2, … */
interface LogTable {
  document: string
  part: DocumentPart
  sequence: number
  update: Uint8Array
  /** CRC-32 of `update`. */
  checksum: number
  principal: string
  session: string
  number: number
  /** A JSON array of Yjs client ids. */
  clients: string
  created_at: Timestamp
}

interface SnapshotsTable {
  document: string
  part: DocumentPart
  /** The last log entry that `state` contains. */
  sequence: number
  /** All of the state, or its first piece. */
  state: Uint8Array
  /** The `snapshot` of the state's further pieces; null where there are none. */
  pieces: Generated<string | null>
  /** The state vector of `state`; null in a snapshot of an older version. */
  state_vector: Uint8Array | null
  /** CRC-32 of the whole state, followed by `state_vector` where there is one. */
  checksum: number
  created_at: Timestamp
}

/** Those that no snapshot refers to are being written, or left over. */
interface SnapshotPiecesTable {
  document: string
  part: DocumentPart
  /** A name that no other snapshot has. */
  snapshot: string
  /** Counts from 1. */
  piece: number
  bytes: Uint8Array
}

/** The owner of each Yjs client id of a document part: the principal who used it first (A5). */
interface ClientsTable {
  document: string
  part: DocumentPart
  client: number
  /** `Principal.id`, or 'server' for what the server wrote by itself. */
  principal: string
  /** 1 when the store was restored and the owner has not written under the id since. */
  recoverable: Generated<number>
  /** Where the client's text ends, on PostgreSQL; null before the first edit that says so. */
  clock: Generated<number | null>
  /** When the id was used first; null for one that is older than this column. */
  claimed_at: Generated<number | null>
}

/** One row with the marks of epoch.ts. */
interface EpochTable {
  id: number
  mark: string
  next_mark: string
  inode: string
  restored_at: Timestamp | null
}

/** One row: the storage that all nodes of the database share (files/shared-storage.ts). */
interface FileStorageTable {
  id: number
  storage_id: string
}

/** One row that is written to prove that the store can write. */
interface HealthTable {
  id: number
  written_at: Timestamp
}

/** One row, on PostgreSQL. */
interface InstallationTable {
  id: number
  /** Shows whether two nodes have the same secret (access/shared-secret.ts). */
  secret_fingerprint: string
}

interface DocumentsTable {
  id: string
  title: Generated<string>
  /** The sort key of a list by title: `titleKey` of the title. */
  title_key: Generated<string>
  /** `Principal.id`. */
  owner: string
  created_at: Timestamp
  updated_at: Timestamp
  /** When it was moved to the trash; `PURGED_AT` when nobody can restore it. */
  deleted_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
  /** The document that this one proposes to change; null for any other document. */
  original: Generated<string | null>
  /** Who may propose changes. */
  proposers: Generated<Proposers>
}

export type Proposers = 'editors' | 'viewers'

/** While one is `accepting`, its text is on its way into the original, and nobody writes in it. */
export type StoredProposalState = 'open' | 'accepting' | 'accepted' | 'rejected' | 'withdrawn'

export type ProposalDecision = 'accepted' | 'rejected'

/** Its author is the owner of its document, and its original stands there, too. */
export interface ProposalsTable {
  document: string
  /** Its own, apart from the text's. */
  title: string
  state: StoredProposalState
  /** The version of `document` that holds the text as it began. */
  base: string
  /** When and by whom its state was changed last; null until then. */
  decided_at: Timestamp | null
  /** `Principal.id`. */
  decided_by: string | null
  /** The node that accepts it (`Nodes.self`), while it is `accepting`. */
  accepting_node: Generated<string | null>
}

/** What reviewers decided about single changes, which keep their keys for as long as they stay as they are. */
interface ProposalDecisionsTable {
  document: string
  key: string
  decision: ProposalDecision
  /** `Principal.id`. */
  decided_by: string
  decided_at: Timestamp
}

/** A folder is its owner's alone, and gives nobody a right. */
interface FoldersTable {
  id: string
  /** `Principal.id`. */
  owner: string
  /** Null for one that is in no other. */
  parent: string | null
  /** The deleted folder that this one was in, until either is moved. */
  former_parent: ColumnType<string | null, string | null | undefined, string | null>
  name: string
  /** Of the one that was deleted last: it can be restored until the next one is deleted. */
  deleted_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
}

/** A row for each person who has placed anything: whoever changes their order locks it, so that changes take turns on all nodes. */
interface FolderTreesTable {
  /** `Principal.id`. */
  owner: string
  revision: number
}

/** What one person has noted about a document. The row outlives their right to read it, and shows them nothing then. */
interface PlacementsTable {
  /** `Principal.id`. */
  principal: string
  document: string
  folder: ColumnType<string | null, string | null | undefined, string | null>
  /** The deleted folder that it was in, until it is placed elsewhere. */
  former_folder: ColumnType<string | null, string | null | undefined, string | null>
  favourite_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
  /** Since then its text is offered for new documents. */
  template_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
  opened_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
}

interface LinksTable {
  id: string
  token_hash: string
  document: string
  role: Role
  /** `Principal.id`. */
  created_by: string
  created_at: Timestamp
  revoked_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
  /** Since then nobody new comes by the link; the grants that it gave stay. */
  closed_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
}

/** What redeeming a link gave a principal; it is void once the link is revoked. */
interface GrantsTable {
  document: string
  principal: string
  link: string
  role: Role
  created_at: Timestamp
  /** Since then the grant is void, and the link gives this principal nothing. */
  removed_at: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
}

/** The body of a document as it was on disk at some time. */
interface VersionsTable {
  id: string
  document: string
  created_at: Timestamp
  /** Null for an automatic version, which may be thinned out. */
  name: string | null
  /** `Principal.id`. */
  named_by: string | null
  /** A JSON array of `Principal.id`: the people who wrote since the version before. */
  authors: string
  /** The last log entry that `state` contains. */
  sequence: number
  /** CRC-32 of `state`. */
  checksum: number
  /** A Yjs update V1, gzip. */
  state: Uint8Array
}

/** How many bytes are stored for one part of a document, for its versions, or for its files with those that are on their way. */
interface DocumentSizesTable {
  document: string
  part: DocumentPart | 'versions' | 'files'
  bytes: number
}

/**
 * The people who wrote in a document since its last version, so that after a restart the
 * server knows that a version is due, and its authors.
 */
interface UnversionedTable {
  document: string
  /** `Principal.id`. */
  principal: string
  /** When the person first wrote since the last version. */
  since: Timestamp
}

/** A file of a document, whose bytes have all arrived. Another document may have one with the same id. */
export interface FilesTable {
  document: string
  /** Chosen by whoever uploaded it. */
  id: string
  sha256: string
  bytes: number
  /** As the bytes have it. */
  type: string
  /** In pixels; null for what is no picture. */
  width: number | null
  height: number | null
  name: string
  /** `Principal.id`. */
  uploaded_by: string
  uploaded_at: Timestamp
  /** When the text and the versions were searched for it last. */
  looked_for_at: Generated<Timestamp>
  /** Since then neither the text nor a version names it. */
  unused_since: ColumnType<Timestamp | null, Timestamp | null | undefined, Timestamp | null>
}

/** An upload in progress. */
interface FileUploadsTable {
  document: string
  id: string
  /** Of the whole file. */
  bytes: number
  /** How many of them are on the disk of the server that received them. */
  received: number
  name: string
  /** `Principal.id`. */
  uploaded_by: string
  created_at: Timestamp
  expires_at: Timestamp
  /** The node that has them; '' where nobody said so. */
  node: Generated<string>
}

/** Where bytes are stored, once for all documents. A row is there after its bytes, and leaves before them. */
interface FileContentsTable {
  sha256: string
  storage_key: string
  bytes: number
  /** When a file of a document began to use it last. */
  used_at: Timestamp
}

/** A table of better-auth, which writes dates as ISO 8601 text and booleans as 0 and 1. */
interface UserTable {
  id: string
  name: string
  email: string
  emailVerified: number
  image: string | null
  createdAt: string
  updatedAt: string
  isAnonymous: number | null
  /** Not better-auth's. Null when the person never opened the list; otherwise the id of the welcome document, '' for none. */
  welcomed: Generated<string | null>
  /** Not better-auth's: a name of the palette. */
  colour: Generated<string | null>
  /** Not better-auth's: a JSON array, oldest first. */
  formerNames: Generated<string | null>
  /** Not better-auth's: 1 once they were asked for their name. */
  asked: Generated<number>
}

interface SessionTable {
  id: string
  expiresAt: string
  token: string
  createdAt: string
  updatedAt: string
  ipAddress: string | null
  userAgent: string | null
  userId: string
}

interface AccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: string | null
  refreshTokenExpiresAt: string | null
  scope: string | null
  password: string | null
  createdAt: string
  updatedAt: string
}

interface VerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: string
  createdAt: string
  updatedAt: string
}
