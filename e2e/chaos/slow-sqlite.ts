/** Replaces server/store/sqlite.ts (see stand-in-store.ts): a slow disk, so that a kill falls between an edit and its commit more often. */
import { openSqliteStore as open } from '../../server/store/sqlite.ts'

const MAX_DELAY_MS = 40

export const openSqliteStore: typeof open = async (options) => {
  const store = await open(options)
  const { append } = store.documents
  const documents: typeof store.documents = {
    ...store.documents,
    async append(edits) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_DELAY_MS))
      return append(edits)
    },
  }
  return { ...store, documents }
}
