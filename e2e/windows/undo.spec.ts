/** Undo takes back what was done in this window, or in all windows of the person, as set. A toast says what and where. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { expectLinesIn } from '../fixtures/document-text.ts'
import { detachPanel, dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'

async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type(name)
  await page.getByRole('option', { name }).click()
}

const toastIn = (page: Page, words: string | RegExp) => page.getByText(words)

test('a panel takes back what was typed in the text, and the text what was done in the panel', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('# One\nfirst\n')
  await page.keyboard.type('# Two\nsecond')
  await expectSaved(page)
  await runCommand(page, 'Setting: undo applies to changes made in all my windows')
  await dockPanels(page, 'Outline')
  const outline = await detachPanel(page, 'Outline')
  await expect(panelOf(outline, 'Outline')).toContainText('Two')

  await text.click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' budget')
  await expectSaved(page)
  await outline.bringToFront()
  await outline.keyboard.press('ControlOrMeta+Z')
  await expectLinesIn(page, 'One\nfirst\nTwo\nsecond')
  await expect(toastIn(outline, 'Undone: “budget” typed in another window.')).toBeVisible()
  await outline.keyboard.press('ControlOrMeta+Shift+Z')
  await expectLinesIn(page, 'One\nfirst\nTwo\nsecond budget')

  await panelOf(outline, 'Outline').getByRole('button', { name: 'Two', exact: true }).focus()
  await outline.keyboard.press('Alt+ArrowUp')
  await expectLinesIn(page, 'Two\nsecond budget\nOne\nfirst')
  await outline.close()
  await text.focus()
  await page.keyboard.press('ControlOrMeta+Z')
  await expectLinesIn(page, 'One\nfirst\nTwo\nsecond budget')
  await expect(toastIn(page, 'Undone: “Two” moved in Outline.')).toBeVisible()
})

test('by default each window takes back its own @long', async ({
  editorWindow: { page, text },
  openWindowIn,
}) => {
  await text.click()
  await page.keyboard.type('one')
  const otherWindow = await openWindowIn(page.context(), page.url())
  await otherWindow.typeAtEnd(' two')
  await expectLinesIn(page, 'one two')
  await page.keyboard.press('ControlOrMeta+Z')
  await expectLinesIn(otherWindow.page, ' two')
  await page.keyboard.press('ControlOrMeta+Z')
  await expectLinesIn(page, ' two')
  await otherWindow.page.keyboard.press('ControlOrMeta+Z')
  await expectLinesIn(page, '')
})

test('undo in the text never takes the title away, and in the title it leaves the text @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const firstWindow = await openWindow(document.url('editor'))
  const otherWindow = await openWindow(document.url('editor'))
  const title = firstWindow.page.getByRole('textbox', { name: 'Title' })
  await title.fill('Budget')
  await firstWindow.typeAtEnd('first')
  await otherWindow.expectLines('first')
  await otherWindow.text.click()
  await otherWindow.page.keyboard.press('ControlOrMeta+A')
  await otherWindow.page.keyboard.press('Delete')
  await firstWindow.expectLines('')
  await firstWindow.typeAtEnd('second')
  await firstWindow.page.keyboard.press('ControlOrMeta+Z')
  await firstWindow.expectLines('')
  await firstWindow.page.keyboard.press('ControlOrMeta+Z')
  await firstWindow.page.keyboard.press('ControlOrMeta+Z')
  await firstWindow.typeAtEnd('third')
  await expect(title).toHaveValue('Budget')
  await title.focus()
  await firstWindow.page.keyboard.press('ControlOrMeta+Z')
  await expect(title).toHaveValue('')
  await otherWindow.expectLines('third')
})
