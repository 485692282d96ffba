/** The cells of a table in a browser: selected, copied, with what spreadsheets copy. */
import { expect, test } from '../fixtures/test.ts'
import { pasteInto } from '../fixtures/paste.ts'
import type { Locator, Page } from '@playwright/test'

const readGrid = (text: Locator): Promise<string[]> =>
  text.evaluate((root) =>
    [...root.querySelectorAll('tr')].map((row) =>
      [...row.cells].map((cell) => cell.textContent.replaceAll('\u2060', '')).join('|'),
    ),
  )

async function insertTable({ page, text }: { page: Page; text: Locator }): Promise<void> {
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  // Its view has loaded.
  await expect(text.locator('.table-frame')).toBeVisible()
}

/** As Excel writes what is copied. */
const excelHtml = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td{mso-style-parent:style0}</style></head>
<body><table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:collapse;width:96pt'>
<!--StartFragment--><col width=64 span=2 style='width:48pt'>
<tr height=20 style='height:15.0pt'><td height=20 class=xl65 width=64 style='height:15.0pt;width:48pt'>Item</td><td width=64>Price</td></tr>
<tr height=20><td height=20>Tea</td><td align=right>3.5</td></tr><!--EndFragment--></table></body></html>`

/** As Google Sheets writes it. */
const sheetsHtml = `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}--></style>
<table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"/><col width="100"/></colgroup>
<tbody><tr style="height:21px;"><td style="padding:2px 3px;" data-sheets-value='{"1":2,"2":"x"}'>x</td><td>y</td></tr><tr><td>1</td><td style="text-align:right">2</td></tr></tbody></table>`

test('cells are selected with the mouse and by keys, emptied, and copied for a spreadsheet', async ({
  editorWindow,
}) => {
  const { page, text } = editorWindow
  await insertTable(editorWindow)
  for (const letter of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await page.keyboard.type(letter)
    await page.keyboard.press('Tab')
  }
  await expect.poll(() => readGrid(text)).toEqual(['a|b|c', 'd|e|f', '||'])
  await text.locator('th', { hasText: 'b' }).hover()
  await page.mouse.down()
  await text.locator('td', { hasText: 'f' }).hover()
  await page.mouse.up()
  await expect(text.locator('.selected-cell')).toHaveText(['b', 'c', 'e', 'f'])
  const copied = await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return { letters: clipboardData.getData('text/plain'), html: clipboardData.getData('text/html') }
  })
  expect(copied.letters).toBe('b\tc\ne\tf')
  expect(copied.html).toContain('<table')
  await page.keyboard.press('Delete')
  await expect.poll(() => readGrid(text)).toEqual(['a||', 'd||', '||'])
  await text.locator('td', { hasText: 'd' }).click()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(text.locator('.selected-cell')).toHaveText(['a', '', 'd', ''])
  await page.keyboard.press('Escape')
  await expect(text.locator('.selected-cell')).toHaveCount(0)
})

test('a press on selected cells begins a new selection and drags nothing @long', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await text.click()
  await pasteInto(text, { 'text/plain': '1\t2\t3\n4\t5\t6\n7\t8\t9' })
  await expect.poll(() => readGrid(text)).toEqual(['1|2|3', '4|5|6', '7|8|9'])
  // It is drawn once more when its view has loaded.
  await expect(text.locator('.table-frame')).toBeVisible()
  const cell = (letter: string) => text.locator('td, th').filter({ hasText: letter }).locator('p')
  const select = async (from: string, to: string): Promise<void> => {
    const [start, end] = [await cell(from).boundingBox(), await cell(to).boundingBox()]
    // On the letter, which the browser would drag.
    await page.mouse.move(start!.x + 4, start!.y + start!.height / 2)
    await page.mouse.down()
    await page.mouse.move(end!.x + 4, end!.y + end!.height / 2, { steps: 10 })
    await page.mouse.up()
  }
  await select('1', '5')
  await expect(text.locator('.selected-cell')).toHaveText(['1', '2', '4', '5'])
  await select('1', '6')
  await expect(text.locator('.selected-cell')).toHaveText(['1', '2', '3', '4', '5', '6'])
  expect(await readGrid(text)).toEqual(['1|2|3', '4|5|6', '7|8|9'])
})

test('cells of Excel and of Google Sheets fill those of a table, which makes room for them', async ({
  editorWindow,
}) => {
  const { text } = editorWindow
  await insertTable(editorWindow)
  await pasteInto(text, { 'text/html': excelHtml, 'text/plain': 'Item\tPrice\r\nTea\t3.5\r\n' })
  await expect.poll(() => readGrid(text)).toEqual(['Item|Price|', 'Tea|3.5|', '||'])
  await text.locator('td').last().click()
  await expect(text.locator('.selected-cell')).toHaveCount(0)
  await pasteInto(text, { 'text/html': sheetsHtml, 'text/plain': 'x\ty\n1\t2' })
  await expect.poll(() => readGrid(text)).toEqual(['Item|Price||', 'Tea|3.5||', '||x|y', '||1|2'])
})

test('the handle of a row opens its menu by click, and the keys move rows and columns', async ({
  editorWindow,
}) => {
  const { page, text } = editorWindow
  await insertTable(editorWindow)
  await page.keyboard.type('a')
  await text.locator('th').first().hover()
  await text.getByRole('button', { name: 'Change row' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate row' }).click()
  await expect.poll(() => readGrid(text)).toEqual(['a||', 'a||', '||', '||'])
  await expect(text).toBeFocused()
  await text.locator('th').first().hover()
  await text.getByRole('button', { name: 'Change column' }).click()
  await page.getByRole('menuitem', { name: 'Delete column' }).click()
  await expect.poll(() => readGrid(text)).toEqual(['|', '|', '|', '|'])
  await text.locator('th').first().click()
  await page.keyboard.type('x')
  await page.keyboard.press('Alt+Shift+ArrowRight')
  await expect.poll(() => readGrid(text)).toEqual(['|x', '|', '|', '|'])
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await page.keyboard.type('y')
  await expect.poll(() => readGrid(text)).toEqual(['|', '|xy', '|', '|'])
})

test('a menu of a handle leaves the caret where typing writes: back in its cell, or in what was added @long', async ({
  editorWindow,
}) => {
  const { page, text } = editorWindow
  await text.click()
  await pasteInto(text, { 'text/plain': 'Name\tQty\tPrice\nTea\t2\t3.5' })
  await expect.poll(() => readGrid(text)).toEqual(['Name|Qty|Price', 'Tea|2|3.5'])
  await text.locator('td', { hasText: '2' }).click()
  await page.keyboard.press('End')
  const open = async (part: 'row' | 'column'): Promise<void> => {
    await text.getByRole('button', { name: `Change ${part}` }).click()
    await expect(page.getByRole('menuitem', { name: `Delete ${part}` })).toBeVisible()
  }
  const write = async (letters: string): Promise<void> => {
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(text).toBeFocused()
    await expect(text.locator('.selected-cell')).toHaveCount(0)
    await page.keyboard.type(letters)
  }
  const choose = async (part: 'row' | 'column', name: string): Promise<void> => {
    await open(part)
    await page.getByRole('menuitem', { name }).click()
  }
  await open('column')
  await page.keyboard.press('Escape')
  await page.keyboard.type('a')
  await expect.poll(() => readGrid(text)).toEqual(['Name|Qty|Price', 'Tea|2a|3.5'])
  await open('row')
  await page.keyboard.press('Escape')
  await write('b')
  await open('column')
  await page.mouse.click(5, 300)
  await write('c')
  await expect.poll(() => readGrid(text)).toEqual(['Name|Qty|Price', 'Tea|2abc|3.5'])
  await choose('column', 'Align right')
  await write('d')
  await choose('column', 'Move column left')
  await write('e')
  await expect.poll(() => readGrid(text)).toEqual(['Qty|Name|Price', '2abcde|Tea|3.5'])
  await choose('column', 'Add column right')
  await write('f')
  await expect.poll(() => readGrid(text)).toEqual(['Qty||Name|Price', '2abcde|f|Tea|3.5'])
  await choose('row', 'Add row above')
  await write('g')
  await expect.poll(() => readGrid(text)).toEqual(['Qty||Name|Price', '|g||', '2abcde|f|Tea|3.5'])
  await choose('row', 'Delete row')
  await write('h')
  await choose('column', 'Delete column')
  await write('i')
  await expect.poll(() => readGrid(text)).toEqual(['Qty|Name|Price', '2abcde|Teai|3.5'])
})
