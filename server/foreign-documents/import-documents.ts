/** Makes documents of another program's, one after the other. One that does not fit is left out whole, and named. */
import type { Kysely } from 'kysely'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import { createFromState } from '../api/create-from-state.ts'
import { findDocument } from '../api/document-rows.ts'
import type { Principal } from '../access/principal.ts'
import type { Store } from '../store/document-store.ts'
import type { Database } from '../store/schema.ts'
import { convertDocument, UnsuitableDocument } from './convert-document.ts'
import type { ForeignDocument } from './foreign-document.ts'

export interface ForeignImportOptions {
  /** Whoever owns this document will own the others. */
  readonly ownerOf: string
  readonly textRoot?: string | undefined
  readonly onProgress?: (documents: number) => void
}

export interface ForeignImportOutcome {
  readonly imported: readonly { readonly name: string; readonly id: string }[]
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[]
}

/** @throws {Error} one sentence when there is no owner, or the store cannot write. */
export async function importDocuments(
  { db, documents }: Pick<Store, 'db' | 'documents'>,
  foreignDocuments: AsyncIterable<ForeignDocument> | Iterable<ForeignDocument>,
  { ownerOf, textRoot, onProgress = () => {} }: ForeignImportOptions,
): Promise<ForeignImportOutcome> {
  const owner = await findOwner(db, ownerOf)
  const imported: { name: string; id: string }[] = []
  const leftOut: { name: string; reason: string }[] = []
  for await (const foreign of foreignDocuments) {
    try {
      const { title, ...text } = convertDocument(foreign, textRoot)
      const { id } = await createFromState({ db, store: documents }, { owner, title, text })
      imported.push({ name: foreign.name, id })
    } catch (error) {
      if (!(error instanceof UnsuitableDocument)) throw error
      leftOut.push({ name: foreign.name, reason: error.message })
    }
    onProgress(imported.length + leftOut.length)
  }
  return { imported, leftOut }
}

/** @param document An id, or an address that ends with it. */
async function findOwner(db: Kysely<Database>, document: string): Promise<Principal> {
  const id = document
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1)!
  const row = isDocumentId(id) ? await findDocument(db, id) : undefined
  if (!row) throw new Error(`There is no document ${id}, so nobody to own what is imported.`)
  return { id: row.owner, name: '', credential: '' }
}
