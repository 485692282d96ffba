/** Counts the letters that a server has stored, in its files or its database, once it has stopped. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as Y from 'yjs'
import { docOfUpdates } from '../../server/fixtures/doc-of-updates.ts'
import { openPostgresStore } from '../../server/store/postgres.ts'
import { openSqliteStore } from '../../server/store/sqlite.ts'

interface StoreLocation {
  readonly dataDir: string
  /** The database in which nodes store documents; a single process stores them in `dataDir`. */
  readonly databaseUrl?: string | undefined
}

export interface StoredLetters {
  /** The number of different letters; null for a server that stores nothing, or whose store is not read here. */
  readonly stored: number | null
  /** The number of letters that the log has a second time. */
  readonly storedTwice?: number
}

export async function countStoredLetters(
  subject: string,
  { dataDir, databaseUrl }: StoreLocation,
  documents: readonly string[],
): Promise<StoredLetters> {
  if (subject === 'hocuspocus')
    return { stored: lettersOfHocuspocus(join(dataDir, 'hocuspocus.sqlite'), documents) }
  if (subject !== 'diptych') return { stored: null }
  const store = databaseUrl
    ? await openPostgresStore({ url: databaseUrl, dataDir })
    : await openSqliteStore({ file: join(dataDir, 'diptych.sqlite') })
  try {
    let [stored, all] = [0, 0]
    for (const id of documents) {
      const { updates } = await store.documents.load(id, 'body')
      stored += lettersIn(updates)
      for (const update of updates) all += lettersWritten(update)
    }
    return { stored, storedTwice: all - stored }
  } finally {
    await store.close()
  }
}

function lettersOfHocuspocus(file: string, documents: readonly string[]): number {
  using database = new DatabaseSync(file, { readOnly: true })
  const select = database.prepare('SELECT data FROM "documents" WHERE name = ?')
  return documents.reduce((sum, id) => {
    const row = select.get(id) as { data: Uint8Array } | undefined
    return sum + lettersIn(row ? [row.data] : [])
  }, 0)
}

/** Counts letters alone, because a document begins with a paragraph, which is none. */
const lettersWritten = (update: Uint8Array): number =>
  Y.decodeUpdate(update).structs.reduce(
    (sum, struct) =>
      sum + (struct instanceof Y.Item && struct.content instanceof Y.ContentString ? struct.length : 0),
    0,
  )

const lettersIn = (updates: readonly Uint8Array[]): number => docOfUpdates(updates).getText('crowd').length
