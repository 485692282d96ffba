/** Says whether this browser stores edits of any window, so that pages load the code that reads them only where there are some. */

import type { IDBFactoryLike } from './local-database.ts'
import { resultOf } from './request-result.ts'

/** Resolves to false where nothing can be stored. It creates no database. */
export async function hasLocalRows(
  factory: IDBFactoryLike | undefined = globalThis.indexedDB,
): Promise<boolean> {
  const database = factory && (await openExisting(factory))
  if (!database) return false
  try {
    return (await resultOf(database.transaction('rows').objectStore('rows').count())) > 0
  } catch {
    return false // the browser has just closed it
  } finally {
    database.close()
  }
}

async function openExisting(factory: IDBFactoryLike): Promise<IDBDatabase | null> {
  try {
    const request = factory.open('diptych')
    request.onupgradeneeded = () => request.transaction?.abort() // there is none yet
    return await resultOf(request)
  } catch {
    return null
  }
}
