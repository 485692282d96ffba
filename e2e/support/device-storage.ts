/** Reads what a browser stores of documents, from a page of the site. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** Returns when the copy of a document was written, 0 when there is none. */
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

/** Expects that the page opens offline, and that the document was copied after `since`. */
export async function expectStoredOnDevice(page: Page, id: string, since = 0): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect.poll(() => readCopyTime(page, id)).toBeGreaterThan(since)
}

/** Crashes the renderer as a lack of memory would: no handler runs. */
export async function crashPage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // The command gets no answer.
  session.send('Page.crash').catch(() => undefined)
  await crashed
}
