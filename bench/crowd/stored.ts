/** What a server kept, read from its files once it has stopped: the letters of all authors. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as Y from 'yjs'
import { openSqliteStore } from '../../server/store/sqlite.ts'

/** Null where nothing is kept, or nothing that is read here. */
export async function storedLetters(
  subject: string,
  dataDir: string,
  documents: readonly string[],
): Promise<number | null> {
  if (subject === 'diptych') return lettersOfDiptych(join(dataDir, 'diptych.sqlite'), documents)
  if (subject === 'hocuspocus') return lettersOfHocuspocus(join(dataDir, 'hocuspocus.sqlite'), documents)
  return null
}

async function lettersOfDiptych(file: string, documents: readonly string[]): Promise<number> {
  const store = await openSqliteStore({ file })
  try {
    let letters = 0
    for (const id of documents) letters += lettersIn((await store.documents.load(id, 'body')).updates)
    return letters
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

function lettersIn(updates: readonly Uint8Array[]): number {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc.getText('crowd').length
}
