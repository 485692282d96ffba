/** Two texts in one window, or one text twice. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { typeAtEndOf } from '../fixtures/document-text.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'

const secondEditorIn = (page: Page) => panelOf(page, 'Second editor')
const secondTextIn = (page: Page) => secondEditorIn(page).getByRole('textbox', { name: 'Document' })

test('one text twice in one window: no letter is doubled, and the others see one caret', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const { page } = await openWindow(document.url('editor'))
  const other = await openWindow(document.url('editor'))
  const first = page.locator('#text').getByRole('textbox', { name: 'Document' })
  await dockPanels(page, 'Second editor')
  let expected = ''
  for (const word of ['one', ' two', ' three', ' four']) {
    const isFirst = expected.length % 2 === 0
    await typeAtEndOf(isFirst ? first : secondTextIn(page), word)
    expected += word
    await expect(first).toHaveText(expected)
    await expect(secondTextIn(page)).toHaveText(expected)
    await expect(other.page.locator('.caret')).toHaveCount(1)
  }
  await other.expectLines(expected)
  await expectSaved(page)
})

test('another document beside this one: chosen by name, kept over a reload, and the save state speaks of both @long', async ({
  server,
  scheme,
  openWindow,
}) => {
  const { page, saveState } = await openWindow(`${server.origin(scheme)}/new`)
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  await expect(saveState).toHaveText('Saved')
  await dockPanels(page, 'Second editor')
  await secondEditorIn(page)
    .getByRole('combobox', { name: 'Document shown' })
    .selectOption('Welcome to Diptych')
  await expect(secondTextIn(page)).toContainText('Hello')

  await server.holdCommits()
  await typeAtEndOf(secondTextIn(page), 'beside')
  await expect(saveState).toHaveText(/Sending \d+ changes?/)
  await server.releaseCommits()
  await expect(saveState).toHaveText('Saved')

  await page.reload()
  await expect(secondTextIn(page)).toContainText('beside')
  await expect(page.locator('#text').getByRole('textbox', { name: 'Document' })).not.toContainText('beside')
})
