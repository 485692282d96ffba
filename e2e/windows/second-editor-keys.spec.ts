/** The keys and commands of the text act on the editor that has the focus. */
import type { Locator } from '@playwright/test'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expect, test } from '../fixtures/test.ts'

test('a link, a comment and a command belong to the second editor while that has the focus @long', async ({
  editorWindow,
}) => {
  const { page } = editorWindow
  await page.setViewportSize({ width: 1440, height: 900 })
  const main = page.locator('#text')
  await main.getByRole('textbox').click()
  await page.keyboard.type('first\nsecond\nthird')
  // What is selected here gets neither link nor comment.
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('Shift+End')
  await dockPanels(page, 'Second editor')
  const second = panelOf(page, 'Second editor').getByRole('textbox', { name: 'Document' })
  const selectLine = async (line: Locator) => {
    await line.click()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+Home')
  }
  await selectLine(second.getByText('third'))
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('example.org')
  await page.keyboard.press('Enter')
  await expect(main.getByRole('link')).toHaveText(['third'])
  await expect(second).toBeFocused()

  await selectLine(second.getByText('second'))
  await page.keyboard.press('ControlOrMeta+Alt+m')
  await page.keyboard.type('why?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(second.locator('.comment-mark')).toHaveText('second')
  await expect(second).toBeFocused()

  await page.keyboard.press('ControlOrMeta+Shift+p')
  await page.keyboard.type('Code block')
  await page.keyboard.press('Enter')
  await expect(main.locator('pre')).toHaveText('second')
  await page.keyboard.press('ControlOrMeta+Shift+p')
  await page.keyboard.type('Code language')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Search languages' })).toBeFocused()
  await page.keyboard.type('python')
  await page.keyboard.press('Enter')
  await expect(main.getByRole('button', { name: 'Language: Python' })).toBeVisible()
  await expect(second).toBeFocused()

  await selectLine(main.getByText('first'))
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('example.com')
  await page.keyboard.press('Enter')
  await expect(second.getByRole('link')).toHaveText(['first', 'third'])
  await expect(main.getByRole('textbox')).toBeFocused()
})
