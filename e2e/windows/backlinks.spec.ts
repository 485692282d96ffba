/** The panel of documents that lead here: docked, in a window of its own, by two, and without the server. */
import type { Page } from '@playwright/test'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { panelPath } from '../../lib/windows/panels.ts'
import { expect, test } from '../fixtures/test.ts'

/** A new document of this person whose text is the address of another one. */
async function createLinking(page: Page, origin: string, title: string, target: string): Promise<void> {
  await page.goto(`${origin}/new`)
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Document' }).click()
  await page.keyboard.type(`See ${origin}/d/${target} for more. `)
  await expectSaved(page)
}

const linksIn = (page: Page) => panelOf(page, 'Backlinks').getByRole('link')

test('Backlinks lists what leads here, beside the text and in its own window, and nothing that one may not read', async ({
  browser,
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const origin = server.origin(scheme)
  const document = await createDocument()
  const { page } = await openWindow(document.url('editor'))
  await dockPanels(page, 'Backlinks')
  await expect(panelOf(page, 'Backlinks')).toContainText('No document that you may read links here yet.')

  // Somebody else's document leads here as well: its title is nobody else's business.
  const stranger = await browser.newContext()
  const theirs = await stranger.newPage()
  await theirs.goto(document.url('viewer'))
  await createLinking(theirs, origin, 'Their secret', document.id)
  const other = await page.context().newPage()
  await createLinking(other, origin, 'My notes', document.id)
  await expect(linksIn(page)).toHaveText(['My notes'], { timeout: 40_000 })
  await expect(panelOf(page, 'Backlinks')).toContainText(`See ${origin}`)
  await expect(panelOf(page, 'Backlinks')).not.toContainText('Their secret')

  await other.goto(origin + panelPath(document.id, 'backlinks'))
  await expect(linksIn(other)).toHaveText(['My notes'])
  const [opened] = await Promise.all([other.context().waitForEvent('page'), linksIn(other).click()])
  await expect(opened.getByRole('textbox', { name: 'Title' })).toHaveValue('My notes')
  await linksIn(page).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('My notes')
  await stranger.close()
})

test('Backlinks says so where the server does not answer, and what it had stays @long', async ({
  editorWindow: { page },
}) => {
  await page.route('**/backlinks', (route) => route.abort())
  await dockPanels(page, 'Backlinks')
  const panel = panelOf(page, 'Backlinks')
  await expect(panel).toContainText('What links here could not be loaded. The server cannot be reached.')
  await page.unroute('**/backlinks')
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(panel).toContainText('No document that you may read links here yet.')
  await page.route('**/backlinks', (route) => route.abort())
  await expect(panel.getByRole('alert')).toBeVisible({ timeout: 40_000 })
  await expect(panel).toContainText('No document that you may read links here yet.')
})
