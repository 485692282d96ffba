/** Tables in a browser: by keyboard, by menu, and by two people at once. */
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Locator, Page } from '@playwright/test'

/** The rows, their cells with a bar between. */
const readGrid = (text: Locator): Promise<string[]> =>
  text.evaluate((root) => {
    const rows = [...root.querySelectorAll('tr')]
    return rows.map((row) =>
      [...row.cells].map((cell) => cell.textContent.replaceAll('\u2060', '')).join('|'),
    )
  })

const choose = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('toolbar').getByRole('button', { name: 'Change table' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeFocused()
}

test('a table is made, filled and changed by keyboard and menu', async ({ editorWindow }, info) => {
  const { page, text } = editorWindow
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await expect.poll(() => readGrid(text)).toEqual(['||', '||', '||'])
  await page.keyboard.type('Name')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Age')
  await expect.poll(() => readGrid(text)).toEqual(['Name|Age|', '||', '||'])
  await choose(page, 'Delete column')
  await choose(page, 'Add row below')
  await page.keyboard.type('Ada')
  await expect.poll(() => readGrid(text)).toEqual(['Name|', 'Ada|', '|', '|'])
  await choose(page, 'Move row down')
  await page.keyboard.type('!')
  await expect.poll(() => readGrid(text)).toEqual(['Name|', '|', 'Ada!|', '|'])
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect.poll(() => readGrid(text)).toEqual(['Name|', 'Ada|', '|', '|'])
  await expect(text.locator('th')).toHaveCount(2)
  await expectSaved(page)
  await expectCleanPage(page, 'table', info)
})

test('a table that is inserted at the end of a long text is in sight as a whole', async ({
  longDocument,
  openWindow,
}) => {
  const { page, text } = await openWindow(longDocument.url('editor'))
  await text.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await expect(text.locator('tr')).toHaveCount(3)
  await expect(text.locator('tr').last()).toBeInViewport({ ratio: 1 })
})

test('Markdown that is typed becomes a table, and one undo makes it letters again @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  for (const line of ['| Pen | Price |', '| --- | ---: |']) {
    await page.keyboard.type(line)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.type('blue')
  // The keys of a table load when a caret first stands in one.
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await expect.poll(() => readGrid(text)).toEqual(['Pen|Price', 'blue|2'])
  for (let step = 0; step < 3; step++)
    if ((await text.locator('table').count()) > 0) await page.keyboard.press('ControlOrMeta+z')
  await expect(text.locator('p').first()).toHaveText('| Pen | Price |')
})

test('the palette acts on the table of the caret @long', async ({ editorWindow: { page, text } }) => {
  const runCommand = async (title: string) => {
    await page.keyboard.press('ControlOrMeta+Shift+P')
    await page.keyboard.type(title)
    await page.getByRole('option', { name: new RegExp(`^${title}`) }).click()
    await expect(text).toBeFocused()
  }
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await expect.poll(() => readGrid(text)).toEqual(['||', '||', '||'])
  await expect(page.getByRole('toolbar').getByRole('button', { name: 'Change table' })).toBeVisible()
  await page.keyboard.type('a')
  for (const [title, grid] of [
    ['Add column right', ['a|||', '|||', '|||']],
    ['Delete column', ['||', '||', '||']],
    ['Add row below', ['||', '||', '||', '||']],
  ] as const) {
    await runCommand(title)
    await expect.poll(() => readGrid(text)).toEqual(grid)
  }
  await page.keyboard.type('b')
  await runCommand('Move row up')
  await expect.poll(() => readGrid(text)).toEqual(['b||', '||', '||', '||'])
  await runCommand('Duplicate row')
  await expect.poll(() => readGrid(text)).toEqual(['b||', 'b||', '||', '||', '||'])
  await runCommand('Move column right')
  await expect.poll(() => readGrid(text)).toEqual(['|b|', '|b|', '||', '||', '||'])
  await runCommand('Header column on or off')
  await expect(text.locator('tr').last().locator('th')).toHaveCount(1)
  await text.locator('td', { hasText: 'b' }).click()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(text.locator('.selected-cell')).toHaveCount(2)
  await runCommand('Merge cells')
  await expect(text.locator('[colspan="2"]')).toHaveCount(1)
  await runCommand('Split cell')
  await expect(text.locator('[colspan="2"]')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+End')
  await runCommand('Delete row')
  await expect.poll(() => readGrid(text)).toHaveLength(4)
})

test('keys turn headers on and off, merge, split and resize, and the sheet of keys lists them @long', async ({
  editorWindow: { page, text },
}) => {
  const press = (letter: string) => page.keyboard.press(`ControlOrMeta+Alt+Shift+${letter}`)
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await expect.poll(() => readGrid(text)).toHaveLength(3)
  await page.keyboard.type('a')
  await page.keyboard.press('ControlOrMeta+/')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const [title, keys] of [
    ['Header row on or off in a table', 'Ctrl+Alt+Shift+R'],
    ['Merge cells in a table', 'Ctrl+Alt+Shift+M'],
    ['Move column left in a table', 'Alt+Shift+←'],
    ['Wider column in a table', 'Ctrl+Alt+Shift+X'],
  ] as const)
    await expect(sheet.locator('dl > div', { hasText: title })).toContainText(keys)
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  const heads = text.locator('th')
  await expect(heads).toHaveCount(3)
  await press('R')
  await expect(heads).toHaveCount(0)
  await press('H')
  await expect(heads).toHaveCount(3)
  const width = async () => Number(await text.locator('col').first().getAttribute('width'))
  await press('X')
  await expect.poll(width).toBeGreaterThan(0)
  const wider = await width()
  await press('N')
  await expect.poll(width).toBeLessThan(wider)
  await page.keyboard.press('Shift+ArrowRight')
  await expect(text.locator('.selected-cell')).toHaveCount(2)
  await press('M')
  await expect(text.locator('[colspan="2"]')).toHaveCount(1)
  await press('S')
  await expect(text.locator('[colspan="2"]')).toHaveCount(0)
  await expect.poll(() => readGrid(text)).toEqual(['a||', '||', '||'])
})

test('the menu of a table is reached, used and left by keyboard @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await expect.poll(() => readGrid(text)).toHaveLength(3)
  await page.keyboard.press('Alt+F10')
  const button = page.getByRole('toolbar').getByRole('button', { name: 'Change table' })
  while (!(await button.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Add column right' }).press('Enter')
  await expect.poll(() => readGrid(text)).toEqual(['|||', '|||', '|||'])
  await expect(text).toBeFocused()
  await page.keyboard.type('x')
  await expect.poll(() => readGrid(text)).toEqual(['x|||', '|||', '|||'])
})

test('two people change one table at once, and a line of one stays while the other moves its row @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await ada.text.click()
  await ada.page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await expect.poll(() => readGrid(ada.text)).toHaveLength(3)
  await ada.page.keyboard.type('a')
  await expect.poll(() => readGrid(bob.text)).toEqual(['a||', '||', '||'])
  await bob.text.locator('tr').first().locator('p').first().click()
  await bob.page.keyboard.press('End')
  await choose(ada.page, 'Move row down')
  await choose(ada.page, 'Add column left')
  await bob.page.keyboard.type('b')
  for (const { text } of [ada, bob]) await expect.poll(() => readGrid(text)).toEqual(['|||', '|ab||', '|||'])
})

test('a table is changed without a network by two people, and stays aligned; a viewer and paper have no handles @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  const viewer = await openWindow(document.url('viewer'))
  await ada.text.click()
  await ada.page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await ada.page.keyboard.type('a')
  await expect.poll(() => readGrid(bob.text)).toEqual(['a||', '||', '||'])
  await bob.text.locator('td').last().click()
  // What the menu and the keys need has loaded.
  await choose(bob.page, 'Add row below')
  await expect.poll(() => readGrid(ada.text)).toEqual(['a||', '||', '||', '||'])
  await choose(ada.page, 'Add row below')
  await expect.poll(() => readGrid(bob.text)).toHaveLength(5)
  for (const { page } of [ada, bob]) await page.context().setOffline(true)
  await choose(ada.page, 'Add column left')
  await ada.page.keyboard.type('x')
  await choose(bob.page, 'Move row up')
  await bob.page.keyboard.type('b')
  for (const { page } of [ada, bob]) await page.context().setOffline(false)
  const grid = ['|a||', '|x||', '|||', '|b||', '|||']
  for (const { text } of [ada, bob, viewer]) await expect.poll(() => readGrid(text)).toEqual(grid)
  const handles = ({ text }: typeof ada) => text.getByRole('button', { name: /^Change (row|column)$/ })
  await viewer.text.locator('td').last().hover()
  await expect(handles(viewer)).toHaveCount(0)
  await ada.text.locator('td').last().hover()
  await expect(handles(ada)).toHaveCount(2)
  await ada.page.emulateMedia({ media: 'print' })
  await expect(handles(ada)).toHaveCount(0)
})

test('lines before, between and behind tables are made by keys and by a click @long', async ({
  editorWindow: { page, text },
}) => {
  const blocks = (): Promise<string[]> =>
    text.evaluate((root) => Array.from(root.children, ({ textContent }) => textContent))
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await page.keyboard.type('top')
  // The keys of a table load when a caret first stands in one.
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('ArrowUp')
  await expect(text.locator('.ProseMirror-gapcursor')).toBeVisible()
  await page.keyboard.type('before')
  await page.keyboard.press('ArrowDown')
  for (let row = 0; row < 3; row++) await page.keyboard.press('ArrowDown')
  await expect(text.locator('.ProseMirror-gapcursor')).toBeVisible()
  await page.keyboard.type('/table')
  await page.getByRole('option', { name: 'Table', exact: true }).click()
  await page.keyboard.type('second')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('between')
  const box = (await text.boundingBox())!
  await text.click({ position: { x: box.width / 2, y: box.height - 10 } })
  await page.keyboard.type('behind')
  await expect.poll(blocks).toEqual(['before', 'top', 'between', 'second', 'behind'])
})
