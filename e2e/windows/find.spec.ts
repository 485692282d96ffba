/** Finding and replacing from a window of its own. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { expectFit, inLightAndDark } from '../support/sight.ts'

const found = (page: Page) => page.getByRole('status', { name: 'Found' })
const matches = (page: Page) => page.getByRole('list', { name: 'Matches' }).getByRole('listitem')
const find = (page: Page) => page.getByRole('searchbox', { name: 'Find' })

test('find and replace in a detached window changes the text in main; one undo takes it back', async ({
  door,
  openWindow,
  openWindowOf,
}, info) => {
  const document = await door.newDocument()
  const main = await openWindow(document.url('editor'))
  await main.append('A red rose is red.')
  await main.page.keyboard.press('Enter')
  await main.type('Red wine, and bored.')
  const panel = await openWindowOf(main.page.context(), `${main.page.url()}/p/find`, { ready: false })
  const { page } = panel

  await expect(find(page)).toBeFocused()
  await find(page).fill('red')
  await expect(found(page)).toHaveText('1 of 4')
  await page.getByRole('button', { name: 'Whole words' }).click()
  await expect(found(page)).toHaveText('1 of 3')
  await page.getByRole('button', { name: 'Match case' }).click()
  await expect(matches(page)).toHaveText(['A red rose is red.', 'A red rose is red.'])
  await page.keyboard.press('F3')
  await expect(found(page)).toHaveText('2 of 2')
  await expectFit(page, 'find', info)

  await page.getByRole('textbox', { name: 'Replace with' }).fill('white')
  await page.getByRole('button', { name: 'Replace all' }).click()
  await main.expectLines('A white rose is white.\nRed wine, and bored.')
  await expect(found(page)).toHaveText('Nothing found')
  await expect(page.getByRole('button', { name: 'Replace all' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await main.expectLines('A red rose is red.\nRed wine, and bored.')
  await expect(page.getByText('Undone: 2 matches replaced in Find.')).toBeVisible()
})

test('what is selected is looked for beside the text, which is marked', async ({
  door,
  openWindow,
}, info) => {
  const document = await door.newDocument()
  const window = await openWindow(document.url('editor'))
  const { page } = window
  await window.append('one two one')
  await window.text.getByText('one').dblclick({ position: { x: 5, y: 10 } })
  await page.keyboard.press('ControlOrMeta+f')
  await expect(find(page)).toBeFocused()
  await expect(find(page)).toHaveValue('one')
  const marks = page.locator('.text .found-mark')
  await expect(marks).toHaveText(['one', 'one'])
  await expect(page.locator('.text .found-mark-current')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(found(page)).toHaveText('2 of 2')
  await inLightAndDark(page, (scheme) => expectFit(page, `find-docked-${scheme}`, info))
  await page.getByRole('textbox', { name: 'Replace with' }).fill('three')
  await page.keyboard.press('Enter')
  await window.expectLines('one two three')
  await expect(page.locator('.text .found-mark-current')).toHaveText('one')
  await find(page).press('Escape')
  await page.keyboard.type('1')
  await window.expectLines('1 two three')
  await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(marks).toHaveCount(0)
})

test('a regular expression that never ends is stopped, and the next one works', async ({
  door,
  openWindow,
}) => {
  const document = await door.newDocument()
  const window = await openWindow(document.url('editor'))
  const { page } = window
  await window.append(`${'a'.repeat(40)}!`)
  await page.goto(`${page.url()}/p/find`)
  await page.getByRole('button', { name: 'Regular expression' }).click()
  await find(page).fill('(a+)+$')
  await expect(page.getByRole('alert').filter({ hasText: 'takes too long' })).toBeVisible()
  await find(page).fill('(a+')
  await expect(page.getByRole('alert').filter({ hasText: 'unterminated group' })).toBeVisible()
  await find(page).fill('a{3}!$')
  await expect(found(page)).toHaveText('1 of 1')
  await expect(matches(page)).toContainText('aaa!')
})

test.describe('with the service worker active', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a regular expression is found', async ({ door, openWindow }) => {
    const window = await openWindow((await door.newDocument()).url('editor'))
    const { page } = window
    await window.append('aaa!')
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.goto(`${page.url()}/p/find`)
    await page.getByRole('button', { name: 'Regular expression' }).click()
    await find(page).fill('a{3}!$')
    await expect(found(page)).toHaveText('1 of 1')
  })
})

test(
  'who may only read finds, and replaces nothing',
  { tag: '@long' },
  async ({ door, openWindow }, info) => {
    const document = await door.newDocument()
    const main = await openWindow(document.url('editor'))
    await main.append('Where is Waldo?')
    const viewer = await openWindow(document.url('viewer'))
    await viewer.expectLines('Where is Waldo?')
    await viewer.page.setViewportSize({ width: 320, height: 640 })
    await viewer.page.goto(`${viewer.page.url()}/p/find`)
    await find(viewer.page).fill('waldo')
    await expect(found(viewer.page)).toHaveText('1 of 1')
    await expect(viewer.page.getByRole('button', { name: 'Replace' })).toHaveCount(0)
    await expectFit(viewer.page, 'find-viewer', info)
  },
)
