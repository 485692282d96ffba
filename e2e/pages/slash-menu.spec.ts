/** The menu of blocks that `/` opens in the text. */
import type { Page } from '@playwright/test'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { holdScripts } from '../fixtures/hold-scripts.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expect, test } from '../fixtures/test.ts'

const menuIn = (page: Page) => page.getByRole('listbox', { name: 'Blocks' })
const activeIn = (page: Page) => menuIn(page).getByRole('option', { selected: true })

test('a block is made with the keyboard alone, and one undo brings back what was typed', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('first\n/')
  await expect(activeIn(page)).toHaveText(/^Text/)
  await page.keyboard.type('h')
  await expect(activeIn(page)).toHaveText(/^Heading 1/)
  await page.keyboard.press('ArrowDown')
  await expect(activeIn(page)).toHaveText(/^Heading 2/)
  await expect(text).toHaveAttribute('aria-activedescendant', (await activeIn(page).getAttribute('id'))!)
  await page.keyboard.press('Enter')
  await expect(menuIn(page)).toBeHidden()
  await expect(text).not.toHaveAttribute('aria-controls')
  await page.keyboard.type('Costs')
  await expect(text.getByRole('heading', { level: 2 })).toHaveText('Costs')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(text.locator('p')).toHaveText(['first', '/h'])
  await expect(menuIn(page)).toBeHidden()
})

test('other words find a block, Escape leaves the letters, and what is no block leaves the keys alone @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('/todo')
  await expect(menuIn(page).getByRole('option')).toHaveText([/^Task list/])
  await page.keyboard.press('Escape')
  await expect(menuIn(page)).toBeHidden()
  await page.keyboard.press('Enter')
  await page.keyboard.type('either /usr/bin')
  await expect(menuIn(page)).toBeHidden()
  await page.keyboard.press('Enter')
  await page.keyboard.type('one/')
  await expect(menuIn(page)).toBeHidden()
  await expect(text.locator('p')).toHaveText(['/todo', 'either /usr/bin', 'one/'])
})

test('what another person writes opens nothing, and leaves an open menu where it is', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const { page, text } = await openWindow(document.url('editor'))
  const writer = await openWriter(server.origin(scheme), document)
  const body = writer.doc.getXmlFragment('default')
  await text.click()
  body.insert(0, [createTextBlock('paragraph', '/')])
  await expect(text).toContainText('/')
  await expect(menuIn(page)).toBeHidden()

  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('/')
  await expect(menuIn(page)).toBeVisible()
  const place = await menuIn(page).boundingBox()
  body.insert(0, [createTextBlock('paragraph', 'from others')])
  await expect(text).toContainText('from others')
  expect(await menuIn(page).boundingBox()).toEqual(place)
  await menuIn(page).getByRole('option', { name: 'Quote' }).click()
  await page.keyboard.type('mine')
  await expect(text.locator('blockquote')).toHaveText('mine')
  await expect(text.locator('p')).toHaveText(['from others', '/', 'mine'])
  await writer.close()
})

test('a sign that was typed before the code of the menu came opens it then', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await page.keyboard.type('/div')
  await releaseScripts()
  await expect(activeIn(page)).toHaveText(/^Divider/)
  await page.keyboard.press('Enter')
  await expect(text.locator('hr')).toBeVisible()
  await expect(text).not.toContainText('/div')
})

test('the second editor has the menu, too @long', async ({ editorWindow: { page } }) => {
  await dockPanels(page, 'Second editor')
  await panelOf(page, 'Second editor').getByRole('textbox', { name: 'Document' }).click()
  await page.keyboard.type('/bul')
  await expect(activeIn(page)).toHaveText(/^Bullet list/)
  await page.keyboard.press('Enter')
  await page.keyboard.type('item')
  await expect(page.locator('#text').getByRole('listitem')).toHaveText('item')
})

test('the menu is named, readable, and within the window of a phone, where a tap chooses @long', async ({
  browser,
  createDocument,
}, info) => {
  const document = await createDocument()
  const context = await browser.newContext({
    viewport: { width: 390, height: 400 },
    hasTouch: true,
    colorScheme: 'light',
  })
  const page = await context.newPage()
  await page.goto(document.url('editor'))
  const text = page.getByRole('textbox', { name: 'Document' })
  await text.tap({ position: { x: 40, y: 12 } })
  await page.keyboard.type('/')
  await expect(menuIn(page)).toBeVisible()
  await expect(menuIn(page)).toBeInViewport({ ratio: 1 })
  await expectCleanPage(page, 'slash menu phone', info)
  await menuIn(page).getByRole('option', { name: 'Heading 1' }).tap()
  await page.keyboard.type('Top')
  await expect(text.getByRole('heading', { level: 1 })).toHaveText('Top')
  await context.close()
})
