/** Two texts in one window, or one text twice. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { dock, panelOf } from '../support/panels.ts'

const second = (page: Page) => panelOf(page, 'Second editor')
const secondText = (page: Page) => second(page).getByRole('textbox', { name: 'Document' })

async function write(page: Page, text: string): Promise<void> {
  await secondText(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

test('one text twice in one window: no letter is doubled, and the others see one caret', async ({
  door,
  openWindow,
}) => {
  const document = await door.newDocument()
  const { page } = await openWindow(document.url('editor'))
  const other = await openWindow(document.url('editor'))
  const first = page.locator('#text').getByRole('textbox', { name: 'Document' })
  await dock(page, 'Second editor')
  let expected = ''
  for (const word of ['one', ' two', ' three', ' four']) {
    const isFirst = expected.length % 2 === 0
    await (isFirst ? first : secondText(page)).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(word)
    expected += word
    await expect(first).toHaveText(expected)
    await expect(secondText(page)).toHaveText(expected)
    await expect(other.page.locator('.caret')).toHaveCount(1)
  }
  await other.expectLines(expected)
  await expect(page.getByRole('status', { name: 'Save state' })).toHaveText('Saved')
})

test('another document beside this one: chosen by name, kept over a reload, and the save state speaks of both', async ({
  server,
  scheme,
  openWindow,
}) => {
  const { page, saveState } = await openWindow(`${server.origin(scheme)}/new`)
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  await expect(saveState).toHaveText('Saved')
  await dock(page, 'Second editor')
  await second(page).getByRole('combobox', { name: 'Document shown' }).selectOption('Welcome to Diptych')
  await expect(secondText(page)).toContainText('Hello')

  await server.holdCommits()
  await write(page, 'beside')
  await expect(saveState).toHaveText(/Sending \d+ changes?/)
  await server.releaseCommits()
  await expect(saveState).toHaveText('Saved')

  await page.reload()
  await expect(secondText(page)).toContainText('beside')
  await expect(page.locator('#text').getByRole('textbox', { name: 'Document' })).not.toContainText('beside')
})
