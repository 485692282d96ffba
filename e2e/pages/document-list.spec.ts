import type { Page } from '@playwright/test'
import { expectSaved } from '../fixtures/save-state.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expect, test } from '../fixtures/test.ts'

const listOf = (page: Page) => page.getByRole('list', { name: 'Documents' })
const trashOf = (page: Page) => page.getByRole('list', { name: 'Trash' })

const chooseView = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function chooseMenuItem(page: Page, title: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${title}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Creates documents beside the welcome document, which is the oldest. */
async function createDocuments(page: Page, origin: string, titles: readonly string[]): Promise<string[]> {
  await page.goto(origin)
  await expect(listOf(page).getByRole('listitem')).toHaveCount(1)
  const ids: string[] = []
  for (const title of titles) {
    const response = await page.request.post(`${origin}/api/documents`, {
      data: { title },
      headers: { origin },
    })
    expect(response.status()).toBe(201)
    ids.push(((await response.json()) as { id: string }).id)
  }
  await page.reload()
  await expect(listOf(page).getByRole('listitem')).toHaveCount(titles.length + 1)
  return ids
}

test('the list is sorted and laid out as was chosen, also at the next visit @long', async ({
  page,
  server,
  scheme,
}) => {
  await createDocuments(page, server.origin(scheme), ['Zebra', 'apple', 'Éclair'])
  const links = listOf(page).getByRole('link')
  await expect(links).toHaveText(['Éclair', 'apple', 'Zebra', 'Welcome to Diptych'])
  await page.getByLabel('Sort by').selectOption('Title')
  await expect(links).toHaveText(['apple', 'Éclair', 'Welcome to Diptych', 'Zebra'])
  await chooseView(page, 'Cards')
  await expect(page.getByRole('button', { name: 'Cards' })).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(links).toHaveText(['apple', 'Éclair', 'Welcome to Diptych', 'Zebra'])
  await expect(page.getByRole('button', { name: 'Cards' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel('Sort by').selectOption('Created')
  await expect(links).toHaveText(['Éclair', 'apple', 'Zebra', 'Welcome to Diptych'])
  await expect(listOf(page).getByRole('listitem').first()).toContainText('Created')
})

test('what others share is listed apart from one’s own documents, and each entry names its owner', async ({
  page,
  server,
  scheme,
  createDocument,
}) => {
  const origin = server.origin(scheme)
  await page.goto(origin)
  await chooseView(page, 'Shared with me')
  await expect(page.getByText('Nothing is shared with you yet.')).toBeVisible()
  await page.goto((await createDocument()).url('viewer'))
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeVisible()
  await page.goto(origin)
  const items = listOf(page).getByRole('listitem')
  await expect(items).toHaveCount(1)
  await expect(items).toContainText('(view only)')
  await items.getByRole('button', { name: /^More for/ }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Duplicate',
    'Move to folder…',
    'Add to favourites',
    'Use as template',
    'Export…',
  ])
  await page.keyboard.press('Escape')
  await chooseView(page, 'Owned by me')
  await expect(items).toHaveCount(1)
  await expect(items).toContainText('Owner: You')
  await chooseView(page, 'All')
  await expect(items).toHaveCount(2)
})

test('a duplicate has the text, and changes apart from its source', async ({ page, server, scheme }) => {
  const origin = server.origin(scheme)
  await page.goto(`${origin}/new`)
  const [title, text] = ['Title', 'Document'].map((name) => page.getByRole('textbox', { name }))
  await title!.fill('Budget')
  await text!.fill('Numbers to come.')
  await expectSaved(page)
  await page.goto(origin)
  await chooseMenuItem(page, 'Budget', 'Duplicate')
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(title!).toHaveValue('Copy of Budget')
  await expect(text!).toHaveText('Numbers to come.')
  await text!.fill('Another text.')
  await expectSaved(page)
  await page.goto(origin)
  await listOf(page).getByRole('link', { name: 'Budget', exact: true }).click()
  await expect(text!).toHaveText('Numbers to come.')
})

test('a deleted document comes back by Undo, and from the trash, with its text and for its people @long', async ({
  browser,
  page,
  server,
  scheme,
}, info) => {
  const origin = server.origin(scheme)
  const [id] = await createDocuments(page, origin, ['Budget'])
  const address = `${origin}/d/${id}`
  await page.goto(address)
  await page.getByRole('textbox', { name: 'Document' }).fill('Numbers to come.')
  await expectSaved(page)
  const link = await page.request.post(`${origin}/api/documents/${id}/links`, {
    data: { role: 'editor' },
    headers: { origin },
  })
  const { token } = (await link.json()) as { token: string }
  const context = await browser.newContext()
  const otherPage = await context.newPage()
  await otherPage.goto(`${address}#token=${token}`)
  const otherText = otherPage.getByRole('textbox', { name: 'Document' })
  await expect(otherText).toContainText('Numbers to come.')

  await page.goto(origin)
  await chooseMenuItem(page, 'Budget', 'Move to trash')
  await expect(listOf(page).getByRole('link', { name: 'Budget' })).toHaveCount(0)
  await otherPage.goto(address)
  await expect(otherPage.getByRole('heading', { name: 'There is no such document here' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(listOf(page).getByRole('link', { name: 'Budget' })).toBeVisible()
  await otherPage.reload()
  await expect(otherText).toHaveText('Numbers to come.')

  await chooseMenuItem(page, 'Budget', 'Move to trash')
  await chooseView(page, 'Trash')
  await expect(trashOf(page).getByRole('listitem')).toContainText('Will be deleted for good on')
  await page.getByRole('button', { name: 'Restore Budget' }).click()
  await expect(page.getByText('The trash is empty.')).toBeVisible()
  await chooseView(page, 'All')
  await listOf(page).getByRole('link', { name: 'Budget' }).click()
  await expect(page.getByRole('textbox', { name: 'Document' })).toHaveText('Numbers to come.')

  // At the address of a document in the trash its owner can restore it; for others it is missing.
  await page.goto(origin)
  await chooseMenuItem(page, 'Budget', 'Move to trash')
  await expect(listOf(page).getByRole('link', { name: 'Budget' })).toHaveCount(0)
  await otherPage.goto(address)
  await expect(otherPage.getByRole('heading', { name: 'There is no such document here' })).toBeVisible()
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1, name: 'In your trash' })).toBeVisible()
  await forLightAndDark(page, (colours) => expectCleanPage(page, `trashed-document-${colours}`, info))
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('textbox', { name: 'Document' })).toHaveText('Numbers to come.')
  await context.close()
})

test('a trash that was read before the document reached it is read again @long', async ({
  page,
  server,
  scheme,
}) => {
  const origin = server.origin(scheme)
  await createDocuments(page, origin, ['Budget'])
  const [readTrash, movedToTrash] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/documents/*', async (route) => {
    await readTrash.promise
    await route.continue()
  })
  await page.route('**/api/trash*', async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), origin } })
    readTrash.resolve()
    await movedToTrash.promise
    // The page may have dropped this request.
    await route.fulfill({ response }).catch(() => undefined)
  })
  page.on('response', (response) => {
    if (response.request().method() === 'DELETE') movedToTrash.resolve()
  })
  await chooseMenuItem(page, 'Budget', 'Move to trash')
  await chooseView(page, 'Trash')
  await expect(trashOf(page).getByRole('listitem')).toContainText('Budget')
})

test('Delete for good asks first @long', async ({ page, server, scheme }) => {
  await createDocuments(page, server.origin(scheme), ['Budget', 'Plan'])
  for (const title of ['Budget', 'Plan']) {
    await chooseMenuItem(page, title, 'Move to trash')
    await expect(listOf(page).getByRole('link', { name: title })).toHaveCount(0)
  }
  await chooseView(page, 'Trash')
  const rows = trashOf(page).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const deleteButton = page.getByRole('button', { name: 'Delete for good: Budget' })
  const dialog = page.getByRole('alertdialog', { name: 'Delete “Budget” for good?' })
  await deleteButton.click()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(dialog).toBeHidden()
  await expect(rows).toHaveCount(2)
  await deleteButton.click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(rows).toHaveCount(1)
  await page.reload()
  await chooseView(page, 'Trash')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Plan')
})

test('Settings is a button with its name @long', async ({ page, server, scheme }) => {
  for (const path of ['/', '/lab']) {
    await page.goto(server.origin(scheme) + path)
    await page.getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
    await page.keyboard.press('Escape')
  }
})

test('a network that answers with its own page in place of the server is named, and the list comes once it does not @long', async ({
  page,
  server,
  scheme,
}) => {
  await createDocuments(page, server.origin(scheme), ['Plan'])
  const signInPage = { status: 200, contentType: 'text/html', body: '<html>Sign in to this network</html>' }
  await page.route(/\/api\/documents\?/, (route) => route.fulfill(signInPage))
  await page.reload()
  await expect(page.getByText('Something in the network answered in place of the server.')).toBeVisible()
  await page.unroute(/\/api\/documents\?/)
  await expect(listOf(page).getByRole('link', { name: 'Plan' })).toBeVisible()
})

test('while the server cannot be reached, what stands in place of a list stays, however often it is tried again @long', async ({
  page,
  server,
  scheme,
}) => {
  await createDocuments(page, server.origin(scheme), ['Plan'])
  const lists = /\/api\/(documents|trash)(\?|$)/
  for (const view of ['All', 'Trash']) {
    await page.route(lists, (route) => route.abort())
    await page.reload()
    await chooseView(page, view)
    const message = page.getByText('The server cannot be reached.')
    await expect(message).toBeVisible()
    const triedAgain = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route(lists, async (route) => {
      triedAgain.resolve()
      await answered.promise
      await route.continue()
    })
    await triedAgain.promise
    await expect(message).toBeVisible()
    await expect(page.getByText('Loading')).toHaveCount(0)
    answered.resolve()
    await expect(message).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
  }
})
