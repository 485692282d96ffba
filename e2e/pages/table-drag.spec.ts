/** Rows and columns of a table are moved by dragging their handles. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

const readGrid = (text: Locator): Promise<string[]> =>
  text.evaluate((root) =>
    [...root.querySelectorAll('tr')].map((row) =>
      [...row.cells].map((cell) => cell.textContent.replaceAll('\u2060', '')).join('|'),
    ),
  )

interface Window {
  readonly page: Page
  readonly text: Locator
}

/** Ends with the caret in the last cell. */
async function fillTable({ page, text }: Window): Promise<void> {
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  for (const letter of 'abcdefghi') {
    await page.keyboard.type(letter)
    if (letter !== 'i') await page.keyboard.press('Tab')
  }
  await expect.poll(() => readGrid(text)).toEqual(['a|b|c', 'd|e|f', 'g|h|i'])
}

/** Holds the handle of a cell's row or column, and moves it onto another cell, nearer to its end than to its start. */
async function drag(
  { page, text }: Window,
  part: 'row' | 'column',
  from: string,
  onto: string,
): Promise<void> {
  await text.getByText(from, { exact: true }).hover()
  const handle = text.getByRole('button', { name: `Change ${part}` })
  const target = (await text.locator('td, th').filter({ hasText: onto }).boundingBox())!
  await handle.hover()
  await page.mouse.down()
  await page.mouse.move(target.x + target.width * 0.8, target.y + target.height * 0.8, { steps: 4 })
  await expect(text.locator('.table-drop-line')).toBeVisible()
}

test('a row and a column are dragged by their handles, and the caret stays in its cell', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await fillTable(window)
  await drag(window, 'row', 'b', 'h')
  await page.mouse.up()
  await expect.poll(() => readGrid(text)).toEqual(['d|e|f', 'g|h|i', 'a|b|c'])
  await expect(text.locator('.table-drop-line')).toBeHidden()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await drag(window, 'column', 'd', 'f')
  await page.mouse.up()
  await expect.poll(() => readGrid(text)).toEqual(['e|f|d', 'h|i|g', 'b|c|a'])
  await page.keyboard.type('!')
  await expect.poll(() => readGrid(text)).toEqual(['e|f|d', 'h|i!|g', 'b|c|a'])
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => readGrid(text)).toEqual(['d|e|f', 'g|h|i', 'a|b|c'])
  await text.getByText('d', { exact: true }).hover()
  await text.getByRole('button', { name: 'Change row' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete row' })).toBeVisible()
})

test('a drag ends without a change by Escape, and when somebody deletes what is dragged @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await fillTable(ada)
  await drag(ada, 'row', 'b', 'h')
  await ada.page.keyboard.press('Escape')
  await expect(ada.text.locator('.table-drop-line')).toBeHidden()
  await ada.page.mouse.up()
  await drag(ada, 'column', 'b', 'a')
  await bob.text.getByText('b', { exact: true }).click()
  await bob.page.getByRole('toolbar').getByRole('button', { name: 'Change table' }).click()
  await bob.page.getByRole('menuitem', { name: 'Delete column' }).click()
  await expect(ada.text.locator('.table-drop-line')).toBeHidden()
  await ada.page.mouse.up()
  await ada.page.keyboard.type('!')
  for (const { text } of [ada, bob]) await expect.poll(() => readGrid(text)).toEqual(['a|c', 'd|f', 'g|i!'])
})
