/** A person who continues as somebody else on a device sees nothing of the former person, and can remove what that person left. */
import type { Page } from '@playwright/test'
import { expectStoredOnDevice, readStoredRecords } from '../fixtures/device-storage.ts'
import { expect, test } from '../fixtures/test.ts'

test.use({ serviceWorkers: 'allow' })

const readLayoutKeys = (page: Page, document: string): Promise<string[]> =>
  page.evaluate((id) => Object.keys(localStorage).filter((key) => key.includes(id)), document)

test('[A3] “Forget this device” removes what its former person left, and nothing of the present person @long', async ({
  context,
  server,
  scheme,
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const origin = server.origin(scheme)
  const [formerDocument, sharedDocument] = [await createDocument(), await createDocument()]
  const formerWindow = await openWindowIn(context, formerDocument.url('editor'))
  await formerWindow.typeAtEnd('Only for me.')
  await expect(formerWindow.saveState).toHaveText('Saved')
  await expectStoredOnDevice(formerWindow.page, formerDocument.id)
  await formerWindow.page.evaluate(
    (id) => localStorage.setItem(`diptych.layout.${id}`, '1'),
    formerDocument.id,
  )

  const otherWindow = await openWindow(sharedDocument.url('editor'))
  const ticketResponse = await otherWindow.page
    .context()
    .request.post(`${origin}/api/me/tickets`, { headers: { origin }, data: {} })
  const { ticket } = (await ticketResponse.json()) as { ticket: string }
  await formerWindow.page.goto('about:blank')
  await formerWindow.page.goto(`${origin}/d/${sharedDocument.id}#ticket=${ticket}`)
  await formerWindow.page.getByRole('button', { name: /^Continue as / }).click()
  await formerWindow.expectReady()
  await expectStoredOnDevice(formerWindow.page, sharedDocument.id)

  // The copy is still there: only a visit to that document would have removed it by itself.
  expect(await readStoredRecords(formerWindow.page, formerDocument.id)).not.toEqual([])

  await formerWindow.page.goto(`${origin}/settings`)
  const section = formerWindow.page.getByRole('region', { name: 'Left on this device by someone else' })
  await expect(section).toContainText('removes their copy of 1 document')
  await section.getByRole('button', { name: 'Forget this device' }).click()
  await expect(section).toBeHidden()
  expect(await readStoredRecords(formerWindow.page, formerDocument.id)).toEqual([])
  expect(await readLayoutKeys(formerWindow.page, formerDocument.id)).toEqual([])
  expect(await readStoredRecords(formerWindow.page, sharedDocument.id)).not.toEqual([])
  await formerWindow.page.goto(`${origin}/d/${sharedDocument.id}`)
  await formerWindow.expectReady()
})
