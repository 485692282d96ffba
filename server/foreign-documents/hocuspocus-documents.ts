/** Reads what @hocuspocus/extension-sqlite keeps: a table `documents` with a name and one Yjs update that is the whole document. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { ForeignDocument } from './foreign-document.ts'

/** @throws {Error} one sentence for a file of another kind. */
export function* readHocuspocusDocuments(file: string): Generator<ForeignDocument> {
  if (!existsSync(file)) throw new Error(`${file} is not there.`)
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  let rows
  try {
    rows = database.prepare('select name, data from documents order by name').iterate()
  } catch (error) {
    throw new Error(`${file} has no documents of Hocuspocus: ${(error as Error).message}.`, { cause: error })
  }
  for (const { name, data } of rows) yield { name: String(name), updates: [data as Uint8Array] }
}
