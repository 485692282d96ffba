import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

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
  await expectSaved(page)

  await page.goto(server.origin(scheme))
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('búdget')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('link', { name: 'Budget plan' }).click()
  await expect(page.getByRole('textbox', { name: 'Document' })).toHaveText('Numbers to come.')
  // What was announced when the page changed is still true, because it can still be read.
  await expect(page.locator('next-route-announcer').getByRole('alert')).toHaveText('Document')
})

test('the welcome document comes once', async ({ page, server, scheme }) => {
  await page.goto(server.origin(scheme))
  const list = page.getByRole('list', { name: 'Documents' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await page.reload()
  await expect(list.getByRole('listitem')).toHaveCount(1)
})

test('a long list shows more on the way down, and finds what it has not shown @long', async ({
  page,
  server,
  scheme,
}) => {
  const origin = server.origin(scheme)
  await page.goto(origin)
  const list = page.getByRole('list', { name: 'Documents' })
  await expect(list.getByRole('listitem')).toHaveCount(1) // the welcome document: it is the oldest from here on
  for (let n = 1; n <= 120; n++) {
    const data = { title: n === 1 ? 'Where it all began' : `Plan ${n}` }
    const response = await page.request.post(`${origin}/api/documents`, { data, headers: { origin } })
    expect(response.status()).toBe(201)
  }
  await page.reload()
  await expect(list.getByRole('listitem').first()).toContainText('Plan 120')
  await expect(list.getByRole('listitem')).toHaveCount(100)
  const search = page.getByRole('searchbox', { name: 'Search documents' })
  await search.fill('it all began')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list.getByRole('link', { name: 'Where it all began' })).toBeVisible()
  await search.fill('nobody wrote this')
  await expect(page.getByText('No title contains')).toBeVisible()
  await search.fill('')
  await expect(list.getByRole('listitem')).toHaveCount(100)
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await expect(list.getByRole('listitem').last()).toHaveAttribute('aria-setsize', '121')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(list.getByRole('listitem').last()).toContainText('Welcome to Diptych')
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('a page without script makes nobody a guest; the same browser with script is welcomed @long', async ({
  browser,
  server,
  scheme,
}) => {
  const origin = server.origin(scheme)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const scriptlessPage = await context.newPage()
  await scriptlessPage.goto(origin)
  await scriptlessPage.goto(origin)
  const cookies = await context.cookies()
  expect(cookies).toHaveLength(1)
  await context.close()

  const scriptedContext = await browser.newContext()
  await scriptedContext.addCookies(cookies)
  const page = await scriptedContext.newPage()
  await page.goto(origin)
  const list = page.getByRole('list', { name: 'Documents' })
  await expect(list.getByRole('link', { name: 'Welcome to Diptych' })).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  expect(await scriptedContext.cookies()).toEqual(cookies)
  await scriptedContext.close()
})

test('rename, delete and undo, by keyboard alone', async ({ page, server, scheme }) => {
  await page.goto(server.origin(scheme))
  const list = page.getByRole('list', { name: 'Documents' })
  const moreButton = list.getByRole('button', { name: /^More for/ })
  await moreButton.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const title = page.getByRole('dialog', { name: 'Rename document' }).getByLabel('Title')
  await expect(title).toBeFocused()
  await page.keyboard.type('Another name')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('link', { name: 'Another name' })).toBeVisible()

  await moreButton.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeFocused()
  const items = [
    'Duplicate',
    'Move to folder…',
    'Add to favourites',
    'Use as template',
    'Export…',
    'Move to trash',
  ]
  for (const name of items) {
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name })).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(list).toBeHidden()
  await expect(page.getByText('No documents yet.')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.focus()
  await page.keyboard.press('Enter')
  await expect(list.getByRole('link', { name: 'Another name' })).toBeVisible()
})

test('/new makes a document and goes to it', async ({ page, server, scheme }) => {
  await page.goto(`${server.origin(scheme)}/new`)
  await page.waitForURL(/\/d\/[\w-]+$/)
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeEditable()
})

test('one guest does not see the documents of another', async ({
  browser,
  createDocument,
  server,
  scheme,
}) => {
  const document = await createDocument()
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
