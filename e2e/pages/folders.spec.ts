import type { Page } from '@playwright/test'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const listOf = (page: Page) => page.getByRole('list', { name: 'Documents' })
const treeOf = (page: Page) => page.getByRole('tree', { name: 'Folders' })
const folderOf = (page: Page, name: string) => treeOf(page).getByRole('treeitem', { name, exact: true })
const linksOf = (page: Page) => listOf(page).getByRole('link')

const choosePlace = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Show' }).getByRole('button', { name, exact: true }).click()

async function call(page: Page, method: string, path: string, data?: object): Promise<{ id: string }> {
  const { origin } = new URL(page.url())
  const response = await page.request.fetch(origin + path, { method, data, headers: { origin } })
  expect(response.ok()).toBe(true)
  return (response.status() === 204 ? {} : await response.json()) as { id: string }
}

/** Opens the list of a new person with these documents beside the welcome document. */
async function openList(page: Page, origin: string, ...titles: string[]): Promise<void> {
  await page.goto(origin)
  await expect(linksOf(page)).toHaveCount(1)
  for (const title of titles) await call(page, 'POST', '/api/documents', { title })
  await page.reload()
  await expect(linksOf(page)).toHaveCount(titles.length + 1)
}

async function createFolder(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.keyboard.press('Enter')
  await expect(folderOf(page, name)).toBeVisible()
}

async function pressMove(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+M')
  await expect(page.getByRole('combobox', { name: 'Find a folder' })).toBeFocused()
}

test('documents are put into folders by drag and by keys, and a deleted folder comes back by Undo', async ({
  page,
  server,
  scheme,
}) => {
  await openList(page, server.origin(scheme), 'Budget', 'Plan')
  await createFolder(page, 'Work')
  await listOf(page).getByRole('listitem').filter({ hasText: 'Budget' }).dragTo(folderOf(page, 'Work'))
  await expect(page.getByText('“Budget” is in “Work” now.')).toBeVisible()

  // By keys alone: the row, the dialog, letters of a new folder, and one of those that are there.
  await linksOf(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(linksOf(page).filter({ hasText: 'Plan' })).toBeFocused()
  await pressMove(page)
  await page.keyboard.type('wor')
  await page.keyboard.press('Enter')
  await expect(page.getByText('“Plan” is in “Work” now.')).toBeVisible()

  await folderOf(page, 'Work').focus()
  await page.keyboard.press('Enter')
  await expect(linksOf(page)).toHaveText(['Plan', 'Budget'])
  await page.reload()
  await expect(linksOf(page)).toHaveText(['Plan', 'Budget'])
  await expect(page.getByRole('navigation', { name: 'Folder path' })).toContainText('Work')

  await folderOf(page, 'Work').focus()
  await page.keyboard.press('Delete')
  await expect(linksOf(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await folderOf(page, 'Work').click()
  await expect(linksOf(page)).toHaveText(['Plan', 'Budget'])
})

test('favourites and what was opened have lists of their own', async ({ page, server, scheme }) => {
  const origin = server.origin(scheme)
  await openList(page, origin, 'Budget', 'Plan')
  await page.getByRole('button', { name: 'Favourite: Budget' }).click()
  await expect(page.getByRole('button', { name: 'Favourite: Budget' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await choosePlace(page, 'Favourites')
  await expect(linksOf(page)).toHaveText(['Budget'])
  await choosePlace(page, 'Recent')
  await expect(page.getByText('Documents that you open appear here')).toBeVisible()
  await choosePlace(page, 'All')
  await linksOf(page).filter({ hasText: 'Plan' }).click()
  const noted = page.waitForResponse((response) => response.url().endsWith('/placement'))
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeVisible()
  expect((await noted).status()).toBe(200)
  await page.goto(origin)
  await choosePlace(page, 'Recent')
  await expect(linksOf(page)).toHaveText(['Plan'])
})

test('the tree of folders follows the keys of its pattern @long', async ({ page, server, scheme }) => {
  await openList(page, server.origin(scheme))
  await createFolder(page, 'Alpha')
  await createFolder(page, 'Beta')
  await folderOf(page, 'Alpha').focus()
  await page.keyboard.press('b')
  await expect(folderOf(page, 'Beta')).toBeFocused()
  await pressMove(page)
  await page.keyboard.type('alp')
  await page.keyboard.press('Enter')
  await expect(page.getByText('“Beta” is in “Alpha” now.')).toBeVisible()
  await expect(folderOf(page, 'Alpha')).toBeVisible()
  await expect(folderOf(page, 'Beta')).toHaveCount(0)
  await folderOf(page, 'Alpha').focus()
  await page.keyboard.press('ArrowRight')
  await expect(folderOf(page, 'Alpha')).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(folderOf(page, 'Beta')).toBeFocused()
  await expect(folderOf(page, 'Beta')).toHaveAttribute('aria-level', '2')
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Gamma')
  await page.keyboard.press('Enter')
  await expect(folderOf(page, 'Gamma')).toBeVisible()
  await folderOf(page, 'Gamma').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(folderOf(page, 'Alpha')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(folderOf(page, 'Gamma')).toHaveCount(0)
  // A folder is not offered a place in itself.
  await pressMove(page)
  await expect(page.getByRole('option')).toHaveText(['No folder'])
})

test('a folder is put into itself by two windows at once: one is told why not, and nothing is lost @long', async ({
  page,
  server,
  scheme,
}) => {
  await openList(page, server.origin(scheme))
  await createFolder(page, 'Alpha')
  await createFolder(page, 'Beta')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(folderOf(other, 'Beta')).toBeVisible()
  await folderOf(other, 'Beta').dragTo(folderOf(other, 'Alpha'))
  await expect(other.getByText('“Beta” is in “Alpha” now.')).toBeVisible()
  // This window still shows them side by side.
  await page.route('**/api/folders', (route) => route.abort(), { times: 10 })
  await folderOf(page, 'Alpha').dragTo(folderOf(page, 'Beta'))
  await expect(page.getByText('A folder cannot be moved into itself.')).toBeVisible()
  await page.unroute('**/api/folders')
  await page.reload()
  await folderOf(page, 'Alpha').focus()
  await page.keyboard.press('ArrowRight')
  await expect(folderOf(page, 'Beta')).toBeVisible()
})

test('without the server a change says so, and a folder that is gone is named @long', async ({
  page,
  server,
  scheme,
}) => {
  await openList(page, server.origin(scheme), 'Budget')
  await createFolder(page, 'Work')
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )
  await page.getByRole('button', { name: 'Favourite: Budget' }).click()
  await expect(
    page.getByText('Your favourites were not changed. The server cannot be reached.'),
  ).toBeVisible()
  await listOf(page).getByRole('listitem').filter({ hasText: 'Budget' }).dragTo(folderOf(page, 'Work'))
  await expect(page.getByText('“Budget” was not moved. The server cannot be reached.')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await expect(linksOf(page)).toHaveCount(2)
  await page.goto(`${server.origin(scheme)}/?in=AAAAAAAAAAAAAAAAAAAAAA`)
  await expect(page.getByText('This folder is not there any more.')).toBeVisible()
})

test('a new document is made in the folder that is shown @long', async ({ page, server, scheme }) => {
  const origin = server.origin(scheme)
  await openList(page, origin)
  await createFolder(page, 'Work')
  await folderOf(page, 'Work').click()
  await expect(page.getByText('This folder is empty.')).toBeVisible()
  await page.getByRole('button', { name: 'New document' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Inside')
  await expectSaved(page)
  await page.goBack()
  await expect(linksOf(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'New document' })).toBeEnabled()
  await page.reload()
  await expect(linksOf(page)).toHaveText(['Inside'])
})

test('places and folders look clean, also on a phone @long', async ({ page, server, scheme }, info) => {
  await openList(page, server.origin(scheme), 'Budget', 'Plan')
  for (const name of ['Work', 'Private', 'A folder whose name is longer than the room that there is for it'])
    await createFolder(page, name)
  await page.getByRole('button', { name: 'Favourite: Plan' }).click()
  await folderOf(page, 'Work').click()
  await forLightAndDark(page, (colours) => expectCleanPage(page, `empty-folder-${colours}`, info))
  await choosePlace(page, 'All')
  await forLightAndDark(page, (colours) => expectCleanPage(page, `folders-${colours}`, info))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Show: All' }).click()
  await expect(treeOf(page)).toBeVisible()
  await forLightAndDark(page, (colours) => expectCleanPage(page, `folders-390-${colours}`, info))
  await folderOf(page, 'Work').click()
  await expect(treeOf(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Show: Work' })).toBeVisible()
})
