import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const fileIn = ({ text }: DocumentWindow): Locator => text.locator('[data-file]')
const linkIn = ({ text }: DocumentWindow): Locator => text.locator('[data-link-card]')

async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

const dropFile = (element: Locator): Promise<void> =>
  element.evaluate((target) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['<script>ran = 1</script>'], 'page.html', { type: 'text/html' }))
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })

test('a dropped file is a card with its name, and its bytes come back whole, also to others', async ({
  createDocument,
  openWindow,
}, info) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('viewer'))]
  await one.text.click()
  await dropFile(one.text)
  await expect(fileIn(one)).toHaveText('page.html')
  await expect(fileIn(one)).toHaveAttribute('data-label', 'HTML, 24 bytes')
  const download = one.page.waitForEvent('download')
  await fileIn(one).getByRole('button', { name: 'Download page.html' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('page.html')
  await expectCleanPage(one.page, 'file card', info)

  const theirDownload = two.page.waitForEvent('download')
  await fileIn(two).getByRole('button', { name: 'Download page.html' }).click()
  const theirs = await theirDownload
  expect(theirs.suggestedFilename()).toBe('page.html')
  expect(await readFile(await theirs.path(), 'utf8')).toBe('<script>ran = 1</script>')
  await fileIn(one).locator('[data-caption]').click()
  await one.page.keyboard.press('Home')
  await one.page.keyboard.type('My ')
  // The other person's caret is among the letters.
  await expect(fileIn(two)).toHaveText(/^My \u2060*page\.html$/)
  await expectSaved(one.page)
  await one.page.reload()
  await expect(fileIn(one).getByRole('button', { name: 'Download page.html' })).toBeVisible()
  await dockPanels(one.page, 'Preview')
  await expect(panelOf(one.page, 'Preview').getByRole('button', { name: 'Download page.html' })).toBeVisible()
})

test('a line that is an address is turned into a card by the menu of its block, and another line is not @long', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  const openTurnInto = async () => {
    await page.keyboard.press('Escape')
    await expect(text.locator('.selected-block')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Turn into' }).press('ArrowRight')
    return page.getByRole('menuitem', { name: 'Link card' })
  }
  await window.focusEnd()
  await page.keyboard.type('words')
  await expect(await openTurnInto()).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('https://example.org/a')
  await (await openTurnInto()).click()
  await expect(linkIn(window).getByRole('link', { name: 'example.org' })).toBeVisible()
  await expect(text.locator('p a')).toHaveCount(0)
})

test('an address that is pasted on a line of its own becomes a card, and one undo makes it a link again', async ({
  editorWindow: window,
}, info) => {
  const { page, text } = window
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await window.focusEnd()
  await pasteInto(text, { 'text/plain': 'https://www.example.org/a?b=c' })
  await expect(text.locator('p a')).toHaveCount(1)
  await page.getByRole('button', { name: 'Show as card' }).click()
  const link = linkIn(window).getByRole('link', { name: 'www.example.org' })
  await expect(link).toHaveAttribute('href', 'https://www.example.org/a?b=c')
  await page.keyboard.type('The page')
  await page.keyboard.press('Enter')
  await page.keyboard.type('after')
  await expect(linkIn(window)).toHaveText('The page')
  await expect(text.locator('> p').last()).toHaveText('after')
  await expectCleanPage(page, 'link card', info)
  expect(requests.filter((url) => url.includes('example.org'))).toEqual([])
  while ((await linkIn(window).count()) > 0) await page.keyboard.press('ControlOrMeta+z')
  await expect(text.locator('p a')).toHaveCount(1)
})

test('a card is made by a command, asks for its address by keys, and says what is wrong with one @long', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await text.click()
  await runCommand(page, 'Link card')
  const field = linkIn(window).getByRole('textbox', { name: 'Address' })
  await expect(field).toBeFocused()
  await page.keyboard.type('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await expect(field).toBeVisible()
  expect(await field.evaluate((input: HTMLInputElement) => input.validationMessage)).not.toBe('')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('example.org')
  await page.keyboard.press('Enter')
  await expect(linkIn(window).getByRole('link')).toHaveAttribute('href', 'https://example.org')
  await page.keyboard.type('Title')
  await expect(linkIn(window)).toHaveText('Title')
})

test('a text that is chosen as a file is a card, and its letters stay in it @long', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await text.click()
  const chooser = page.waitForEvent('filechooser')
  await runCommand(page, 'File…')
  const buffer = Buffer.from('# Not a heading')
  await (await chooser).setFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer })
  await expect(fileIn(window)).toContainText('notes.md')
  await expect(text.locator('h1, h2')).toHaveCount(0)
})

for (const [way, leave] of [
  ['Tab', (page: Page) => page.keyboard.press('Tab')],
  ['a click elsewhere', (page: Page) => page.locator('[role=textbox] > p').last().click()],
] as const)
  test(`an address that is left by ${way} is the card’s, also after a reload @long`, async ({
    editorWindow: window,
  }) => {
    const { page, text } = window
    await text.click()
    await page.keyboard.type('words')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await runCommand(page, 'Link card')
    await expect(linkIn(window).getByRole('textbox', { name: 'Address' })).toBeFocused()
    await page.keyboard.type('example.org')
    await leave(page)
    await expect(linkIn(window).getByRole('link')).toHaveAttribute('href', 'https://example.org')
    await expect(text).toBeFocused()
    await expectSaved(page)
    await page.reload()
    await expect(linkIn(window).getByRole('link')).toHaveAttribute('href', 'https://example.org')
  })

test('two writers in one card keep what both wrote @long', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await one.focusEnd()
  await pasteInto(one.text, { 'text/plain': '[Title](https://example.org/ "card")\n\n- a' })
  await expect(linkIn(two)).toHaveText('Title')
  await two.page.context().setOffline(true)
  await linkIn(two).locator('[data-caption]').click()
  await two.page.keyboard.press('End')
  await two.page.keyboard.type(' theirs')
  await linkIn(one).locator('[data-caption]').click()
  await one.page.keyboard.press('Home')
  await one.page.keyboard.type('My ')
  await two.page.context().setOffline(false)
  for (const window of [one, two])
    await expect(linkIn(window).locator('[data-caption]')).toContainText('theirs')
  for (const window of [one, two]) await expect(linkIn(window).locator('[data-caption]')).toContainText('My ')
})
