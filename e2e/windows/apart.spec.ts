/** A panel window is a page of its own: whatever becomes of the window it came from, it goes on, and text goes both ways. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { chipOf, detach, dock, linesOf, panelOf } from '../support/panels.ts'
import type { Window } from '../support/window.ts'

interface Apart {
  readonly main: Window
  readonly second: Page
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Document' })

async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

const expectText = (page: Page, text: string) => expect.poll(() => linesOf(page)).toBe(text)
const expectSaved = (page: Page) =>
  expect(page.getByRole('status', { name: 'Save state' })).toHaveText('Saved')

const withSecondEditor = test.extend<{ apart: Apart }>({
  apart: async ({ door, openWindow }, use) => {
    const main = await openWindow((await door.newDocument()).url('editor'))
    await main.append('one')
    await dock(main.page, 'Second editor')
    const second = await detach(main.page, 'Second editor')
    await expectText(second, 'one')
    await use({ main, second })
  },
})

withSecondEditor('[W1] main is busy for two seconds and more, and its panel writes on', async ({ apart }) => {
  const { main, second } = apart
  // Until it sees that the panel has saved: a cookie is the one thing that another process can tell a busy page.
  const sawIt = main.page.evaluate(() => {
    const startedAt = performance.now()
    const isSaid = () => document.cookie.includes('panel=saved')
    while (performance.now() - startedAt < 2_000);
    while (!isSaid() && performance.now() - startedAt < 30_000);
    return isSaid()
  })
  await write(second, ' two')
  await expectSaved(second)
  await second.evaluate(() => void (document.cookie = 'panel=saved; path=/'))
  expect(await sawIt).toBe(true)
  await expectText(main.page, 'one two')
  await write(main.page, ' three')
  await expectText(second, 'one two three')
})

withSecondEditor(
  '[W1] main reloads: the panel goes on, and main knows it again',
  { tag: '@long' },
  async ({ apart }) => {
    const { main, second } = apart
    const reloading = main.page.reload()
    await write(second, ' two')
    await reloading
    await expect(chipOf(main.page, 'Second editor')).toBeVisible()
    await expectText(main.page, 'one two')
    await write(main.page, ' three')
    await expectText(second, 'one two three')
  },
)

withSecondEditor(
  '[W1] main closes: the panel goes on, and a new main window knows it',
  async ({ apart, openWindowOf }) => {
    const { main, second } = apart
    const url = main.page.url()
    await main.page.close()
    await write(second, ' two')
    await expectSaved(second)
    const again = await openWindowOf(second.context(), url)
    await expect(chipOf(again.page, 'Second editor')).toBeVisible()
    await expectText(again.page, 'one two')
    await write(again.page, ' three')
    await expectText(second, 'one two three')
  },
)

withSecondEditor('[W1] main crashes: the panel goes on, and saves', async ({ apart, openWindowOf }) => {
  const { main, second } = apart
  const url = main.page.url()
  const crashed = main.page.waitForEvent('crash')
  const session = await main.page.context().newCDPSession(main.page)
  session.send('Page.crash').catch(() => undefined) // nobody is left to answer
  await crashed
  await write(second, ' two')
  await expectSaved(second)
  const again = await openWindowOf(second.context(), url)
  await expectText(again.page, 'one two')
  await write(again.page, ' three')
  await expectText(second, 'one two three')
})

withSecondEditor(
  'a panel window reloads, and its place in main is kept',
  { tag: '@long' },
  async ({ apart }) => {
    const { main, second } = apart
    await second.reload()
    await expectText(second, 'one')
    await expect(chipOf(main.page, 'Second editor')).toBeVisible()
    await write(second, ' two')
    await expectText(main.page, 'one two')
    await second.close()
    await expect(panelOf(main.page, 'Second editor')).toBeVisible()
  },
)
