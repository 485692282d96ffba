/** The cells of a table in a browser: pasted, resized, and written in by other means than Latin letters. */
import { expect, test } from '../fixtures/test.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import type { Locator, Page } from '@playwright/test'
import { InputDriver } from './fixtures/input-driver.ts'

declare global {
  var widthWhileTyping: Promise<number> | undefined
}

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

test('letters with tabs make a table, and a table of a million cells is refused with a sentence @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await pasteInto(text, { 'text/plain': 'name\tage\nAda\t36' })
  await expect.poll(() => readGrid(text)).toEqual(['name|age', 'Ada|36'])
  const longest = await text.evaluate((element) => {
    const rows = `<tr>${'<td>x</td>'.repeat(1000)}</tr>`.repeat(1000)
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', `<table>${rows}</table>`)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    return element.querySelectorAll('td, th').length
  })
  expect(longest).toBe(4)
  await expect(page.locator('[data-sonner-toast]')).toContainText('too large to paste')
})

test('a column is resized by its edge, for everybody, and not where somebody deletes it meanwhile', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await insertTable(ada)
  await expect(bob.text.locator('.table-frame')).toBeVisible()
  const drag = async (): Promise<void> => {
    const cell = ada.text.locator('th').first()
    await cell.hover()
    await expect(ada.text.locator('.column-edge')).toBeVisible()
    const { x, y, width } = (await cell.boundingBox())!
    await ada.page.mouse.move(x + width, y + 10)
    await ada.page.mouse.down()
    await ada.page.mouse.move(x + width + 60, y + 10)
  }
  await drag()
  await ada.page.mouse.up()
  const firstColumn = bob.text.locator('col').first()
  await expect(firstColumn).toHaveAttribute('width', /^\d+$/)
  const width = Number(await firstColumn.getAttribute('width'))
  await drag()
  await bob.text.locator('th').first().click()
  await bob.page.getByRole('toolbar').getByRole('button', { name: 'Change table' }).click()
  await bob.page.getByRole('menuitem', { name: 'Delete column' }).click()
  await expect(ada.text.locator('col')).toHaveCount(2)
  await ada.page.mouse.up()
  await expect(ada.text.locator('.column-edge.is-dragged')).toHaveCount(0)
  await expect(bob.text.locator('col')).toHaveCount(2)
  expect(width).toBeGreaterThan(60)
})

test('a column is wider than its letters, here and in the preview, unless somebody makes it narrower @long', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await insertTable(window)
  await dockPanels(page, 'Preview')
  const widthsIn = (place: Locator): Promise<number[]> =>
    place
      .locator('tr')
      .first()
      .evaluate((row: HTMLTableRowElement) => Array.from(row.cells, (cell) => cell.offsetWidth))
  const [small, wide] = [expect.closeTo(96, -1), expect.closeTo(128, -1)]
  for (const place of [text, panelOf(page, 'Preview')])
    await expect.poll(() => widthsIn(place)).toEqual([wide, wide, wide])
  const { x, y, width } = (await text.locator('th').first().boundingBox())!
  await page.mouse.move(x + width / 2, y + 10)
  await expect(text.locator('.column-edge')).toBeVisible()
  await page.mouse.move(x + width, y + 10)
  await page.mouse.down()
  await page.mouse.move(x + width - 50, y + 10)
  await expect.poll(async () => (await widthsIn(text))[0]).toBeLessThan(90)
  await page.mouse.up()
  for (const place of [text, panelOf(page, 'Preview')])
    await expect.poll(async () => (await widthsIn(place))[0]).toBeLessThan(90)
  await page.setViewportSize({ width: 390, height: 800 })
  await expect.poll(async () => (await widthsIn(text)).slice(1)).toEqual([small, small])
})

test('an input method, letters from right to left and emoji write in a cell beside somebody who writes and moves its row', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await insertTable(ada)
  await expect(bob.text.locator('.table-frame')).toBeVisible()
  const input = await InputDriver.attachTo(ada.page)
  await ada.text.locator('td').first().click()
  for (const composed of ['n', 'に', 'にh', 'にほ']) input.composeText(composed)
  await expect.poll(() => readGrid(ada.text)).toEqual(['||', 'にほ||', '||'])
  await bob.text.locator('td').last().click()
  await bob.page.keyboard.type('b')
  await expect.poll(() => readGrid(ada.text)).toEqual(['||', 'にほ||', '||b'])
  input.commitText('日本')
  await expect.poll(() => readGrid(ada.text)).toEqual(['||', '日本||', '||b'])
  await bob.text.locator('td').first().click()
  await bob.page.keyboard.press('Alt+Shift+ArrowDown')
  await expect.poll(() => readGrid(ada.text)).toEqual(['||', '||b', '日本||'])
  await ada.page.keyboard.press('Tab')
  await ada.page.keyboard.insertText('שלום')
  await ada.page.keyboard.press('Tab')
  await ada.page.keyboard.insertText('👩‍👩‍👧 ok')
  for (const { text } of [ada, bob])
    await expect.poll(() => readGrid(text)).toEqual(['||', '||b', '日本|שלום|👩‍👩‍👧 ok'])
  await expect(ada.text.locator('td', { hasText: 'שלום' })).toHaveCSS('direction', 'rtl')
})

test('a large table keeps the widths of its columns while somebody types, and fits them in the pause @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await pasteInto(text, { 'text/plain': 'a\tb\tc\td\n'.repeat(300) })
  const table = text.locator('table')
  await expect(table).toHaveClass('holds-widths')
  const readWidths = (): Promise<number[]> =>
    text
      .locator('tr')
      .first()
      .evaluate((row: HTMLTableRowElement) => Array.from(row.cells, ({ offsetWidth }) => offsetWidth))
  const held = await readWidths()
  const found = await table.evaluate((element) => {
    element.classList.remove('holds-widths')
    const { cells } = (element as HTMLTableElement).rows[0]!
    const widths = Array.from(cells, ({ offsetWidth }) => offsetWidth)
    element.classList.add('holds-widths')
    return widths
  })
  expect(held).toEqual(found)

  await text.locator('td').first().click()
  await text.evaluate((element) => {
    globalThis.widthWhileTyping = new Promise((resolve) => {
      const report = (): number =>
        requestAnimationFrame(() => resolve(element.querySelector('td')!.offsetWidth))
      new MutationObserver(report).observe(element, { characterData: true, childList: true, subtree: true })
    })
  })
  await page.keyboard.insertText('more letters than the column had room for')
  expect(await page.evaluate(() => globalThis.widthWhileTyping)).toBe(held[0])
  await expect.poll(async () => (await readWidths())[0]).toBeGreaterThan(held[0]! + 50)
  await expect(table).toHaveClass('holds-widths')
})

test('each row of a wide table is painted by itself, on a screen alone @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await pasteInto(text, { 'text/plain': `${'x\t'.repeat(11)}x\n`.repeat(2) })
  await expect(text.locator('tr')).toHaveCount(2)
  const row = text.locator('tr').last()
  await expect(row).toHaveCSS('transform', 'matrix(1, 0, 0, 1, 0, 0)')
  await page.emulateMedia({ media: 'print' })
  await expect(row).toHaveCSS('transform', 'none')
})
