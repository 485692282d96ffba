/** One search for the titles and texts of all documents. */
import type { Page } from '@playwright/test'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expectStoredOnDevice } from '../fixtures/device-storage.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Search all documents' })
const resultsOf = (page: Page) => dialogOf(page).getByRole('listbox').getByRole('option')

async function writeDocument(
  page: Page,
  origin: string,
  title: string,
  lines: readonly string[],
): Promise<void> {
  await page.goto(`${origin}/new`)
  const text = page.getByRole('textbox', { name: 'Document' })
  await expect(text).toBeVisible()
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await text.click()
  for (const line of lines) {
    await page.keyboard.insertText(line)
    await page.keyboard.press('Enter')
  }
  await expectSaved(page)
}

/** The index follows by a second or so. */
async function searchFor(page: Page, query: string, count: number): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toHaveCount(0)
    await page.keyboard.press('ControlOrMeta+Shift+F')
    await page.getByRole('combobox', { name: 'Search all documents' }).fill(query)
    await expect(resultsOf(page)).toHaveCount(count, { timeout: 3_000 })
  }).toPass({ timeout: 30_000 })
}

test('a word of a text is found from the list, marked, and leads to its place', async ({
  page,
  server,
  scheme,
}) => {
  const origin = server.origin(scheme)
  const filler = Array.from({ length: 40 }, (_, at) => `Line ${at} of many`)
  await writeDocument(page, origin, 'Of animals', [...filler, 'here is a Zebrafinch, 北京大学', 'the end'])
  await writeDocument(page, origin, 'Zebrafinch in the title', ['nothing else'])
  await page.goto(origin)
  await searchFor(page, 'zebraf', 2)
  await expect(resultsOf(page).first().getByText('Zebrafinch', { exact: true })).toBeVisible()
  await expect(resultsOf(page).first()).toContainText('Zebrafinch in the title')
  await expect(resultsOf(page).nth(1).locator('mark')).toHaveText('Zebrafinch')
  await expect(dialogOf(page).getByRole('status')).toHaveText('2 documents found')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Find' })).toHaveValue('Zebrafinch')
  const text = page.getByRole('textbox', { name: 'Document' })
  await expect(text.getByText('here is a Zebrafinch')).toBeInViewport()
  expect(new URL(page.url()).hash).toBe('')
  await searchFor(page, 'zebraf', 2)
  await page.getByRole('combobox', { name: 'Search all documents' }).fill('many')
  // At once: the results are still those of the former query, whose first one is another document.
  await page.keyboard.press('Enter')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(page.getByRole('searchbox', { name: 'Find' })).toHaveValue('many')
})

test('in a document, and by two Chinese characters; nothing found, and a query that is refused @long', async ({
  page,
  server,
  scheme,
}, info) => {
  const origin = server.origin(scheme)
  await writeDocument(page, origin, 'Universities', ['我们在北京大学学习'])
  await searchFor(page, '北京', 1)
  await expect(resultsOf(page).locator('mark')).toHaveText('北京')
  await forLightAndDark(page, (colours) => expectCleanPage(page, `search ${colours}`, info))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Find' })).toHaveValue('北京')
  await searchFor(page, 'nowhere', 0)
  await expect(dialogOf(page).getByRole('status')).toHaveText('Nothing found for “nowhere”.')
  await page.getByRole('combobox', { name: 'Search all documents' }).fill('"*" -')
  await expect(dialogOf(page).getByRole('alert')).toContainText('Type a word to search for.')
  await page.setViewportSize({ width: 390, height: 844 })
  await forLightAndDark(page, (colours) => expectCleanPage(page, `search phone ${colours}`, info))
})

test('where and when to search, and a word of a comment leads to its thread @long', async ({
  page,
  server,
  scheme,
}, info) => {
  const origin = server.origin(scheme)
  await writeDocument(page, origin, 'Of animals', ['a quokka on Monday'])
  const document = new URL(page.url()).pathname.split('/')[2]!
  await page.evaluate(async (id) => {
    const send = (method: string, path: string, body: object) =>
      fetch(`/api${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const folder = await (await send('POST', '/folders', { name: 'Zoo' })).json()
    await send('PATCH', `/documents/${id}/placement`, { folder: folder.id })
  }, document)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+Alt+m')
  await page.getByRole('textbox', { name: 'Comment' }).fill('Perhaps a bilby?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expectSaved(page)
  await searchFor(page, 'bilby', 1)
  await forLightAndDark(page, (colours) => expectCleanPage(page, `search choices ${colours}`, info))
  await page.getByRole('combobox', { name: 'Search in' }).selectOption('Shared with me')
  await expect(dialogOf(page).getByRole('status')).toHaveText('Nothing found for “bilby”.')
  await page.getByRole('combobox', { name: 'Search in' }).selectOption('Zoo')
  await page.getByRole('combobox', { name: 'Edited' }).selectOption('Edited in the last week')
  await expect(resultsOf(page)).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Search all documents' }).press('Enter')
  const comments = page.getByRole('region', { name: 'Comments', exact: true })
  await expect(comments.getByRole('article')).toContainText('Perhaps a bilby?')
})

test('the field of the list leads on to the texts @long', async ({ page, server, scheme }) => {
  const origin = server.origin(scheme)
  await writeDocument(page, origin, 'Of animals', ['a quokka'])
  await page.goto(origin)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('quokka')
  await page.getByRole('button', { name: 'Search all texts for “quokka”' }).click()
  await expect(page.getByRole('combobox', { name: 'Search all documents' })).toHaveValue('quokka')
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('without the server, what this device holds is searched @long', async ({ page, server, scheme }) => {
    const origin = server.origin(scheme)
    await writeDocument(page, origin, 'Of animals', ['a numbat in the grass'])
    await expectStoredOnDevice(page, new URL(page.url()).pathname.split('/')[2]!)
    await page.goto(origin)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await page.context().setOffline(true)
    await page.keyboard.press('ControlOrMeta+Shift+F')
    await page.getByRole('combobox', { name: 'Search all documents' }).fill('numbat')
    const notice = dialogOf(page).getByRole('alert')
    await expect(notice).toContainText('These are the documents on this device.')
    await expect(resultsOf(page).locator('mark')).toHaveText('numbat')
    const shown = await notice.elementHandle()
    const field = page.getByRole('combobox', { name: 'Search all documents' })
    await field.fill('nowhere')
    await expect(dialogOf(page).getByRole('status')).toHaveText('Nothing found for “nowhere”.')
    await field.fill('numbat')
    await expect(resultsOf(page).locator('mark')).toHaveText('numbat')
    expect(await shown.evaluate((element) => element.isConnected)).toBe(true)
    await field.fill('"*" -')
    await expect(notice).toHaveText('Type a word to search for.')
    await field.fill('numbat')
    await expect(notice).toContainText('These are the documents on this device.')
    await page.context().setOffline(false)
    await notice.getByRole('button', { name: 'Try again' }).click()
    await expect(notice).toHaveCount(0)
    await expect(resultsOf(page).locator('mark')).toHaveText('numbat')
  })
})
