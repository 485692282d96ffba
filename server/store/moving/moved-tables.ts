/**
 * Says of each table whether it moves to another store, and by which columns its rows are found and ordered. The order of the list is
 * the order of an import: a row comes after those that it refers to.
 */
import type { Database } from '../schema.ts'

export type TableName = keyof Database

export interface MovedTable {
  readonly name: TableName
  /** The column that names the document; absent where rows belong to no document. */
  readonly document?: string
  /** The primary key, without the document. Text is compared by its bytes in both databases. */
  readonly key: readonly string[]
  /** Columns of bytes, which may be long. */
  readonly blobs: readonly string[]
  /** Columns that say something of the one store, and are left out. */
  readonly ownColumns?: readonly string[]
}

type Move = Omit<MovedTable, 'name'>

/** Null for what belongs to one store alone. */
const moves: Record<TableName, Move | null> = {
  user: { key: ['id'], blobs: [] },
  session: { key: ['id'], blobs: [] },
  account: { key: ['id'], blobs: [] },
  verification: { key: ['id'], blobs: [] },
  documents: { document: 'id', key: ['id'], blobs: [] },
  folders: { key: ['id'], blobs: [] },
  placements: { key: ['principal', 'document'], blobs: [] },
  // A row is made with the next change.
  folder_trees: null,
  links: { document: 'document', key: ['id'], blobs: [] },
  grants: { document: 'document', key: ['principal', 'link'], blobs: [] },
  versions: { document: 'document', key: ['id'], blobs: ['state'] },
  proposals: { document: 'document', key: ['document'], blobs: [] },
  proposal_decisions: { document: 'document', key: ['key'], blobs: [] },
  unversioned: { document: 'document', key: ['principal'], blobs: [] },
  // The next start takes the other store for restored, and makes all client ids recoverable.
  clients: { document: 'document', key: ['part', 'client'], blobs: [], ownColumns: ['recoverable', 'clock'] },
  snapshot_pieces: { document: 'document', key: ['part', 'snapshot', 'piece'], blobs: ['bytes'] },
  snapshots: { document: 'document', key: ['part'], blobs: ['state', 'state_vector'] },
  log: { document: 'document', key: ['part', 'sequence'], blobs: ['update'] },
  files: {
    document: 'document',
    key: ['id'],
    blobs: [],
    // A restored document is searched anew.
    ownColumns: ['looked_for_at', 'unused_since'],
  },
  // What has arrived is on the disk of one server.
  file_uploads: null,
  // The bytes move, and are stored anew.
  file_contents: null,
  // The files may move to another storage.
  file_storage: null,
  // An import counts them anew.
  document_sizes: null,
  epoch: null,
  health: null,
  installation: null,
}

const movedTables: readonly MovedTable[] = Object.entries(moves).flatMap(([name, move]) =>
  move ? [{ name: name as TableName, ...move }] : [],
)

/** People, and how they sign in. */
export const ownTables = movedTables.filter(({ document }) => document === undefined)

/** What a document consists of, or a person's desk, which has no row in `documents`. */
export const documentTables = movedTables.filter(({ document }) => document !== undefined)

/** @throws {Error} for a table that does not move. */
export function movedTable(name: string): MovedTable {
  const table = movedTables.find((each) => each.name === name)
  if (!table) throw new Error(`the table ${name} does not move`)
  return table
}
