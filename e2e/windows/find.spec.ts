/** Finding and replacing from a window of its own. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { holdScripts } from '../fixtures/hold-scripts.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'

const foundStatusIn = (page: Page) => page.getByRole('status', { name: 'Found' })
const matchesIn = (page: Page) => page.getByRole('list', { name: 'Matches' }).getByRole('listitem')
const findFieldIn = (page: Page) => page.getByRole('searchbox', { name: 'Find' })

test('find and replace in a detached window changes the text in main; one undo takes it back', async ({
  editorWindow: main,
  openWindowIn,
}, info) => {
  await main.typeAtEnd('A red rose is red.')
  await main.page.keyboard.press('Enter')
  await main.type('Red wine, and bored.')
  const panel = await openWindowIn(main.page.context(), `${main.page.url()}/p/find`, { ready: false })
  const { page } = panel

  await expect(findFieldIn(page)).toBeFocused()
  await findFieldIn(page).fill('red')
  await expect(foundStatusIn(page)).toHaveText('1 of 4')
  const marks = main.page.locator('.text .found-mark')
  await expect(marks).toHaveText(['red', 'red', 'Red', 'red'])
  await expect(main.page.locator('.text .found-mark-current')).toHaveText('red')
  await main.page.reload()
  await expect(marks).toHaveCount(4)
  await page.getByRole('button', { name: 'Whole words' }).click()
  await expect(foundStatusIn(page)).toHaveText('1 of 3')
  await page.getByRole('button', { name: 'Match case' }).click()
  await expect(matchesIn(page)).toHaveText(['A red rose is red.', 'A red rose is red.'])
  await page.keyboard.press('F3')
  await expect(foundStatusIn(page)).toHaveText('2 of 2')
  await expect(marks.nth(1)).toHaveClass(/found-mark-current/)
  await expectCleanPage(page, 'find', info)

  await page.getByRole('textbox', { name: 'Replace with' }).fill('white')
  await page.getByRole('button', { name: 'Replace all' }).click()
  await main.expectLines('A white rose is white.\nRed wine, and bored.')
  await expect(foundStatusIn(page)).toHaveText('Nothing found')
  await expect(page.getByRole('button', { name: 'Replace all' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await main.expectLines('A red rose is red.\nRed wine, and bored.')
  await expect(page.getByText('Undone: 2 matches replaced in Find.')).toBeVisible()
  await expect(marks).toHaveCount(2)
  await page.close()
  await expect(marks).toHaveCount(0)
})

test('Find looks for the selected words, and marks them in the text @long', async ({
  editorWindow: window,
}, info) => {
  const { page } = window
  await window.typeAtEnd('one two one')
  await window.text.getByText('one').dblclick({ position: { x: 5, y: 10 } })
  await page.keyboard.press('ControlOrMeta+f')
  await expect(findFieldIn(page)).toBeFocused()
  await expect(findFieldIn(page)).toHaveValue('one')
  const marks = page.locator('.text .found-mark')
  await expect(marks).toHaveText(['one', 'one'])
  await expect(page.locator('.text .found-mark-current')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(foundStatusIn(page)).toHaveText('2 of 2')
  await forLightAndDark(page, (scheme) => expectCleanPage(page, `find-docked-${scheme}`, info))
  await page.getByRole('textbox', { name: 'Replace with' }).fill('three')
  await page.keyboard.press('Enter')
  await window.expectLines('one two three')
  await expect(page.locator('.text .found-mark-current')).toHaveText('one')
  await findFieldIn(page).press('Escape')
  await page.keyboard.type('1')
  await window.expectLines('1 two three')
  await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(marks).toHaveCount(0)
})

test('Find goes to the first match after the caret, and Replace changes only what was shown @long', async ({
  editorWindow: window,
}) => {
  const { page } = window
  await window.focusEnd()
  for (let line = 1; line <= 60; line++) {
    await page.keyboard.insertText(`Line ${line}.`)
    await page.keyboard.press('Enter')
  }
  const currentMark = page.locator('.text .found-mark-current')
  const field = findFieldIn(page)
  await page.keyboard.press('ControlOrMeta+f')
  await expect(field).toBeFocused()
  // After the last line the search goes on at the first letter of the text.
  await page.keyboard.type('Line')
  await expect(foundStatusIn(page)).toHaveText('1 of 60')
  await expect(currentMark).toBeInViewport()

  await window.text.getByText('Line 5.').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('ControlOrMeta+f')
  // The former query is marked, but nothing is current before the person looks for it.
  await expect(foundStatusIn(page)).toHaveText('60')
  await page.keyboard.type('Line')
  await expect(foundStatusIn(page)).toHaveText('5 of 60')
  await page.keyboard.press('Enter')
  await expect(foundStatusIn(page)).toHaveText('6 of 60')
  await expect(currentMark).toBeInViewport()

  await window.text.getByText('Line 9.').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('ControlOrMeta+f')
  await page.getByRole('textbox', { name: 'Replace with' }).fill('Row')
  const replace = page.getByRole('button', { name: 'Replace', exact: true })
  await replace.click()
  await expect(foundStatusIn(page)).toHaveText('9 of 60')
  await expect(window.text).not.toContainText('Row')
  await replace.click()
  await expect(window.text.getByText('Row 9.')).toBeVisible()
  await expect(foundStatusIn(page)).toHaveText('9 of 59')
})

test('what is typed while Find is still loading is looked for, and changes no text @long', async ({
  editorWindow: window,
}) => {
  const { page } = window
  await window.typeAtEnd('one two')
  const release = await holdScripts(page)
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('tw')
  await release()
  await expect(findFieldIn(page)).toBeFocused()
  await page.keyboard.type('o')
  await expect(findFieldIn(page)).toHaveValue('two')
  await expect(foundStatusIn(page)).toHaveText('1 of 1')
  await window.expectLines('one two')
})

test('a regular expression that never ends is stopped, and the next one works @long', async ({
  editorWindow: window,
}) => {
  const { page } = window
  await window.typeAtEnd(`${'a'.repeat(40)}!`)
  await page.goto(`${page.url()}/p/find`)
  await page.getByRole('button', { name: 'Regular expression' }).click()
  await findFieldIn(page).fill('(a+)+$')
  await expect(page.getByRole('alert').filter({ hasText: 'takes too long' })).toBeVisible()
  await findFieldIn(page).fill('(a+')
  await expect(page.getByRole('alert').filter({ hasText: 'unterminated group' })).toBeVisible()
  await findFieldIn(page).fill('a{3}!$')
  await expect(foundStatusIn(page)).toHaveText('1 of 1')
  await expect(matchesIn(page)).toContainText('aaa!')
})

test.describe('with the service worker active', { tag: '@long' }, () => {
  test.use({ serviceWorkers: 'allow' })

  test('a regular expression is found', async ({ editorWindow: window }) => {
    const { page } = window
    await window.typeAtEnd('aaa!')
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.goto(`${page.url()}/p/find`)
    await page.getByRole('button', { name: 'Regular expression' }).click()
    await findFieldIn(page).fill('a{3}!$')
    await expect(foundStatusIn(page)).toHaveText('1 of 1')
  })
})

test('a viewer finds, and cannot replace', { tag: '@long' }, async ({ createDocument, openWindow }, info) => {
  const document = await createDocument()
  const main = await openWindow(document.url('editor'))
  await main.typeAtEnd('Where is Waldo?')
  const viewer = await openWindow(document.url('viewer'))
  await viewer.expectLines('Where is Waldo?')
  await viewer.page.setViewportSize({ width: 320, height: 640 })
  await viewer.page.goto(`${viewer.page.url()}/p/find`)
  await findFieldIn(viewer.page).fill('waldo')
  await expect(foundStatusIn(viewer.page)).toHaveText('1 of 1')
  await expect(viewer.page.getByRole('button', { name: 'Replace' })).toHaveCount(0)
  await expectCleanPage(viewer.page, 'find-viewer', info)
})
