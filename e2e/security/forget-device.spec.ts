/** Who goes on as somebody else on a device sees nothing of its former person, and can have all of it removed. */
import type { Page } from '@playwright/test'
import { expectOnDevice } from '../support/device.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ serviceWorkers: 'allow' })

/** Everything that this browser keeps, but for what names the person who is here now. */
const keptHere = (page: Page, document: string) =>
  page.evaluate(async (id) => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await answer(indexedDB.open('diptych'))
    const stores = ['rows', 'marks', 'copies', 'states']
    const transaction = database.transaction(stores)
    const all = await Promise.all(stores.map((name) => answer(transaction.objectStore(name).getAll())))
    database.close()
    return {
      ofDocument: all.flat().filter((each: { document: string }) => each.document === id).length,
      layouts: Object.keys(localStorage).filter((key) => key.includes(id)).length,
    }
  }, document)

test('[A3] “Forget this device” removes what its former person left, and nothing of whoever is here now', async ({
  context,
  server,
  scheme,
  door,
  openWindow,
  openWindowOf,
}) => {
  const origin = server.origin(scheme)
  const [theirs, shared] = [await door.newDocument(), await door.newDocument()]
  const former = await openWindowOf(context, theirs.url('editor'))
  await former.append('Only for me.')
  await expect(former.saveState).toHaveText('Saved')
  await expectOnDevice(former.page, theirs.id)
  await former.page.evaluate((id) => localStorage.setItem(`diptych.layout.${id}`, '1'), theirs.id)

  const other = await openWindow(shared.url('editor'))
  const asked = await other.page
    .context()
    .request.post(`${origin}/api/me/tickets`, { headers: { origin }, data: {} })
  const { ticket } = (await asked.json()) as { ticket: string }
  await former.page.goto('about:blank')
  await former.page.goto(`${origin}/d/${shared.id}#ticket=${ticket}`)
  await former.page.getByRole('button', { name: /^Continue as / }).click()
  await former.expectReady()
  await expectOnDevice(former.page, shared.id)

  // A visit to their document would have let go of its copy by itself.
  expect((await keptHere(former.page, theirs.id)).ofDocument).toBeGreaterThan(0)

  await former.page.goto(`${origin}/settings`)
  const section = former.page.getByRole('region', { name: 'Left on this device by someone else' })
  await expect(section).toContainText('removes their copy of 1 document')
  await section.getByRole('button', { name: 'Forget this device' }).click()
  await expect(section).toBeHidden()
  expect(await keptHere(former.page, theirs.id)).toEqual({ ofDocument: 0, layouts: 0 })
  expect((await keptHere(former.page, shared.id)).ofDocument).toBeGreaterThan(0)
  await former.page.goto(`${origin}/d/${shared.id}`)
  await former.expectReady()
})
