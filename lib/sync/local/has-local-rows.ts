/** Says whether this browser stores edits of any window, or files, so that pages load the code that sends them only where there are some. */

import type { IDBFactoryLike } from './local-database.ts'
import { resultOf } from './request-result.ts'

/** Resolves to false where nothing can be stored. It creates no database. */
export const hasLocalRows = (factory?: IDBFactoryLike): Promise<boolean> =>
  hasRecords('diptych', 'rows', factory)

export const hasLocalFiles = (factory?: IDBFactoryLike): Promise<boolean> =>
  hasRecords('diptych-files', 'files', factory)

async function hasRecords(
  name: string,
  store: string,
  factory: IDBFactoryLike | undefined = globalThis.indexedDB,
): Promise<boolean> {
  const database = factory && (await openExisting(factory, name))
  if (!database) return false
  try {
    return (await resultOf(database.transaction(store).objectStore(store).count())) > 0
  } catch {
    return false // the browser has just closed it
  } finally {
    database.close()
  }
}

async function openExisting(factory: IDBFactoryLike, name: string): Promise<IDBDatabase | null> {
  try {
    const request = factory.open(name)
    request.onupgradeneeded = () => request.transaction?.abort() // there is none yet
    return await resultOf(request)
  } catch {
    return null
  }
}
