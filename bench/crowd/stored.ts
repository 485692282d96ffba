/** What a server kept, read from its files once it has stopped: the letters of all authors. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as Y from 'yjs'
import { docOfUpdates } from '../../server/fixtures/doc-of-updates.ts'
import { openPostgresStore } from '../../server/store/postgres.ts'
import { openSqliteStore } from '../../server/store/sqlite.ts'

/** The place in which a server kept the documents. */
interface StoreLocation {
  readonly dataDir: string
  /** Nodes keep documents here, and none in their data folders. */
  readonly databaseUrl?: string | undefined
}

export interface StoredLetters {
  /** Each counted once. Null where nothing is kept, or nothing that is read here. */
  readonly stored: number | null
  /** Letters that a log holds once more. */
  readonly storedTwice?: number
}

export async function storedLetters(
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

/** A document begins with a paragraph, so that not all of it is letters. */
const lettersWritten = (update: Uint8Array): number =>
  Y.decodeUpdate(update).structs.reduce(
    (sum, struct) =>
      sum + (struct instanceof Y.Item && struct.content instanceof Y.ContentString ? struct.length : 0),
    0,
  )

const lettersIn = (updates: readonly Uint8Array[]): number => docOfUpdates(updates).getText('crowd').length
