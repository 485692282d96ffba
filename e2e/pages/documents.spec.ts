import { expect, test } from '../support/fixtures.ts'

test('a newcomer has a welcome document, makes another and finds both again', async ({
  page,
  server,
  scheme,
}) => {
  await page.goto(server.origin(scheme))
  const list = page.getByRole('list', { name: 'Documents' })
  await expect(list.getByRole('listitem')).toHaveCount(1)

  await page.getByRole('button', { name: 'New document' }).click()
  await page.waitForURL(/\/d\/[\w-]+$/)
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  await page.getByRole('textbox', { name: 'Document' }).fill('Numbers to come.')
  await expect(page.getByRole('status', { name: 'Save state' })).toHaveText('Saved')

  await page.goto(server.origin(scheme))
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('budget')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('link', { name: 'Budget plan' }).click()
  await expect(page.getByRole('textbox', { name: 'Document' })).toHaveText('Numbers to come.')
})

test('the welcome document comes once', async ({ page, server, scheme }) => {
  await page.goto(server.origin(scheme))
  const list = page.getByRole('list', { name: 'Documents' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await page.reload()
  await expect(list.getByRole('listitem')).toHaveCount(1)
})

test('rename and delete, by keyboard alone', async ({ page, server, scheme }) => {
  await page.goto(server.origin(scheme))
  const list = page.getByRole('list', { name: 'Documents' })
  const more = list.getByRole('button', { name: /^More for/ })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const title = page.getByRole('dialog', { name: 'Rename document' }).getByLabel('Title')
  await expect(title).toBeFocused()
  await page.keyboard.type('Another name')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('link', { name: 'Another name' })).toBeVisible()

  await more.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Another name')
  await dialog.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await expect(list).toBeHidden()
  await expect(page.getByText('Nothing here yet.')).toBeVisible()
})

test('/new makes a document and goes to it', async ({ page, server, scheme }) => {
  await page.goto(`${server.origin(scheme)}/new`)
  await page.waitForURL(/\/d\/[\w-]+$/)
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeEditable()
})

test('one guest does not see the documents of another', async ({ browser, door, server, scheme }) => {
  const document = await door.newDocument()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(server.origin(scheme))
  await expect(page.getByRole('list', { name: 'Documents' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.locator(`a[href="/d/${document.id}"]`)).toHaveCount(0)
  await context.close()
})

for (const [what, path] of [
  ['a document that does not exist', '/d/AAAAAAAAAAAAAAAAAAAAAA'],
  ['an address that is no document', '/d/nonsense'],
  ['an unknown address', '/nowhere/at/all'],
] as const) {
  test(`${what} says so and leads back`, async ({ page, server, scheme }) => {
    await page.goto(server.origin(scheme) + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Document' })).toHaveCount(0)
    await page.getByRole('link', { name: 'All documents' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
  })
}
