/** Whole blocks: selected, moved, copied and deleted by keys, by their menu, and by dragging. */
import type { Locator, Page } from '@playwright/test'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expect, test } from '../fixtures/test.ts'

const handleIn = (page: Page) => page.getByRole('button', { name: 'Block actions' })
const menuIn = (page: Page) => page.getByRole('menu').first()
const linesIn = (text: Locator) => text.locator('p, h1, h2, h3')

/** Writes lines, and waits until the code for blocks is there: with the pointer over the text the handle appears. */
async function writeLines({ page, text }: { page: Page; text: Locator }, lines: string): Promise<void> {
  await text.click()
  await page.keyboard.type(lines)
  await expect(async () => {
    await linesIn(text).first().hover()
    await page.mouse.move(0, 0)
    await linesIn(text).last().hover()
    await expect(handleIn(page)).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.mouse.move(0, 0)
}

test('a block is moved and copied by keys, and one undo takes back each', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await writeLines(editorWindow, 'one\ntwo\nthree')
  await page.keyboard.press('Alt+Shift+ArrowUp')
  await expect(linesIn(text)).toHaveText(['one', 'three', 'two'])
  await page.keyboard.type('!')
  await expect(linesIn(text)).toHaveText(['one', 'three!', 'two'])
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(linesIn(text)).toHaveText(['one', 'two', 'three'])
  await page.keyboard.press('ControlOrMeta+Shift+D')
  await expect(linesIn(text)).toHaveText(['one', 'two', 'three', 'three'])
})

test('the menu that a key opens stands at the selected block, wherever the pointer is @long', async ({
  editorWindow,
}) => {
  const { page, text } = editorWindow
  await writeLines(editorWindow, 'one\ntwo\nthree\nfour\nfive')
  await linesIn(text).first().hover()
  await page.keyboard.press('Escape')
  await expect(text.locator('.selected-block')).toHaveText(['five'])
  await page.keyboard.press('Enter')
  await expect(menuIn(page)).toBeVisible()
  const [handle, five] = [await handleIn(page).boundingBox(), await linesIn(text).last().boundingBox()]
  expect(Math.abs(handle!.y - five!.y)).toBeLessThan(five!.height)
  await page.keyboard.press('Escape')
})

test('Escape selects a block, Shift with arrows more, and copy and delete act on all', async ({
  editorWindow,
}) => {
  const { page, text } = editorWindow
  await writeLines(editorWindow, 'one\ntwo\nthree')
  const selected = text.locator('.selected-block')
  await page.keyboard.press('Escape')
  await expect(selected).toHaveText(['three'])
  await expect(page.getByText('Selected: paragraph, three.')).toBeAttached()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(selected).toHaveText(['one', 'two'])
  const copied = await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/plain')
  })
  expect(copied.split(/\n+/)).toEqual(['one', 'two'])
  await page.keyboard.press('Delete')
  await expect(linesIn(text)).toHaveText(['three'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect(linesIn(text)).toHaveText(['one', 'two', 'three'])
})

test('a letter after Escape takes nothing away, and Tab leaves the text @long', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await writeLines(editorWindow, 'one\ntwo')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(text.locator('.selected-block')).toHaveText('two')
  await page.keyboard.type('-')
  await expect(linesIn(text)).toHaveText(['one', 'tw-o'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(text).not.toBeFocused()
})

test('the menu is opened and used by keys alone, and stays where it is while others write', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}, info) => {
  const document = await createDocument()
  const editorWindow = await openWindow(document.url('editor'))
  const { page, text } = editorWindow
  const writer = await openWriter(server.origin(scheme), document)
  await writeLines(editorWindow, 'one\ntwo\nthree')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(menuIn(page).getByRole('menuitem', { name: /^Move up/ })).toBeFocused()
  // The menu is seen before it has its place.
  await expect.poll(async () => (await menuIn(page).boundingBox())!.y).toBeGreaterThan(0)
  const place = await menuIn(page).boundingBox()
  writer.doc.getXmlFragment('default').insert(0, [createTextBlock('paragraph', 'from others')])
  await expect(linesIn(text)).toHaveText(['from others', 'one', 'two', 'three'])
  expect(await menuIn(page).boundingBox()).toEqual(place)
  await forLightAndDark(page, (scheme_) => expectCleanPage(page, `block menu ${scheme_}`, info))
  await page.keyboard.press('Enter')
  await expect(linesIn(text)).toHaveText(['from others', 'one', 'three', 'two'])
  await expect(text).toBeFocused()

  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('menuitem', { name: 'Heading 2' }).press('Enter')
  await expect(text.getByRole('heading', { level: 2 })).toHaveText('three')
  await expect(text).toBeFocused()
  await page.keyboard.type('!')
  await expect(text.getByRole('heading', { level: 2 })).toHaveText('three!')
  await writer.close()
})

test('an item is dragged to another place by its handle, with what others write meanwhile', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const editorWindow = await openWindow(document.url('editor'))
  const { page, text } = editorWindow
  const writer = await openWriter(server.origin(scheme), document)
  await writeLines(editorWindow, '- one\ntwo\nthree')
  const items = text.getByRole('listitem')
  await items.nth(2).hover()
  await expect(handleIn(page)).toBeVisible()
  await handleIn(page).hover()
  await page.mouse.down()
  const { x, y } = (await items.nth(0).boundingBox())!
  await page.mouse.move(x + 5, y + 40)
  writer.doc.getXmlFragment('default').insert(0, [createTextBlock('paragraph', 'from others')])
  await expect(text).toContainText('from others')
  const target = (await items.nth(0).boundingBox())!
  await page.mouse.move(target.x + 5, target.y + 3)
  await page.mouse.up()
  await expect(items).toHaveText(['three', 'one', 'two'])
  await expect(page.getByRole('menu')).toBeHidden()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(items).toHaveText(['one', 'two', 'three'])
  await expect(text).toContainText('from others')
  await writer.close()
})

test('Escape ends a drag without moving anything, and a click on the handle opens the menu @long', async ({
  editorWindow,
}) => {
  const { page, text } = editorWindow
  await writeLines(editorWindow, 'one\ntwo')
  await linesIn(text).nth(1).hover()
  await handleIn(page).hover()
  await page.mouse.down()
  const { x, y } = (await linesIn(text).nth(0).boundingBox())!
  await page.mouse.move(x + 5, y + 2, { steps: 3 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(linesIn(text)).toHaveText(['one', 'two'])
  await linesIn(text).nth(0).hover()
  await handleIn(page).click()
  await menuIn(page).getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(linesIn(text)).toHaveText(['one', 'one', 'two'])
})

test('the handle stands beside its block after the window was resized @long', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await page.setViewportSize({ width: 1280, height: 800 })
  await writeLines(editorWindow, `${'many words '.repeat(40)}\nlast`)
  await page.keyboard.press('Escape')
  const expectBeside = () =>
    expect
      .poll(async () => {
        const [handle, line] = [
          await handleIn(page).boundingBox(),
          await text.locator('.selected-block').boundingBox(),
        ]
        return Math.abs(handle!.y + handle!.height / 2 - (line!.y + line!.height / 2))
      })
      .toBeLessThan(1)
  await expectBeside()
  const { y } = (await handleIn(page).boundingBox())!
  await page.setViewportSize({ width: 500, height: 800 })
  await expectBeside()
  expect((await handleIn(page).boundingBox())!.y).toBeGreaterThan(y + 50)
})

test('the menu of the last block leaves it and its handle in sight', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await page.setViewportSize({ width: 1280, height: 600 })
  await writeLines(editorWindow, 'line\n'.repeat(30).trim())
  const last = linesIn(text).last()
  await last.scrollIntoViewIfNeeded()
  await last.hover()
  await handleIn(page).click()
  const menu = (await menuIn(page).boundingBox())!
  for (const shown of [handleIn(page), last]) {
    const { y, height } = (await shown.boundingBox())!
    expect(menu.y + menu.height <= y || menu.y >= y + height).toBe(true)
  }
})

test('what is typed goes before a divider with which the text begins', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await writeLines(editorWindow, '--- two')
  await expect(text.locator('hr')).toHaveCount(1)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('one')
  await expect(linesIn(text)).toHaveText(['one', 'two'])
})
