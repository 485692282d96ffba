/** What a browser keeps of documents, read from a page of the site. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** When the copy of a document was written, 0 where there is none. */
const readCopyTime = (page: Page, id: string): Promise<number> =>
  page.evaluate(async (document) => {
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await resultOf(indexedDB.open('diptych'))
    const copies = database.transaction('copies').objectStore('copies')
    const copy = (await resultOf(copies.get([document, 'body']))) as { at: number } | undefined
    database.close()
    return copy?.at ?? 0
  }, id)

/** The page opens offline, and the document has been copied since `since`. */
export async function expectStoredOnDevice(page: Page, id: string, since = 0): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect.poll(() => readCopyTime(page, id)).toBeGreaterThan(since)
}

/** The renderer dies as it would of lack of memory: no handler runs. */
export async function crashPage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // It has nobody left to answer.
  session.send('Page.crash').catch(() => undefined)
  await crashed
}
