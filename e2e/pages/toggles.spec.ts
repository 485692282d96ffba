import type { DocumentWindow } from '../fixtures/document-window.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const buttonIn = ({ text }: DocumentWindow) => text.locator('.toggle-button')

/** Types a toggle with one line in it, and a line after it. */
async function typeToggle({ page, text }: DocumentWindow): Promise<void> {
  await text.click()
  await page.keyboard.type('+++ summary')
  await page.keyboard.press('Enter')
  await page.keyboard.type('hidden words')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('after')
}

test('a toggle is typed, opened and closed by keys, and taken away by Backspace @long', async ({
  editorWindow,
}) => {
  const { page, text } = editorWindow
  await typeToggle(editorWindow)
  const [summary, content] = [text.locator('summary'), text.locator('.toggle-content > p')]
  await expect(summary).toHaveText('summary')
  await expect(content).toHaveText(['hidden words'])
  await expect(text.locator('> p')).toHaveText(['after'])
  await expect(buttonIn(editorWindow)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(content).toBeHidden()
  // The caret has gone to the summary.
  await page.keyboard.type('!')
  await expect(summary).toHaveText('summary!')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(content).toBeVisible()
  // Enter within the summary takes what is behind the caret along.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(summary).toHaveText('summary')
  await expect(content).toHaveText(['!', 'hidden words'])
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Backspace')
  await expect(text.locator('> p')).toHaveText(['summary', '!', 'hidden words', 'after'])
  await expectSaved(page)
})

test('whether a toggle is open is one’s own, and stays on this device', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('viewer'))]
  await typeToggle(one)
  await expectSaved(one.page)
  const [shown, theirs] = [one.text.locator('.toggle-content > p'), two.text.locator('.toggle-content > p')]
  await expect(theirs).toHaveCount(1)
  await expect(theirs).toBeHidden()
  await buttonIn(two).click()
  await expect(theirs).toBeVisible()
  await buttonIn(one).click()
  await expect(shown).toBeHidden()
  await expect(theirs).toBeVisible()
  await two.page.reload()
  await expect(theirs).toBeVisible()
  await one.page.emulateMedia({ media: 'print' })
  await expect(shown).toBeVisible()
})

test('what is found in a closed toggle is shown @long', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await typeToggle(editorWindow)
  await buttonIn(editorWindow).click()
  const content = text.locator('.toggle-content > p')
  await expect(content).toBeHidden()
  await page.keyboard.press('ControlOrMeta+f')
  await page.getByRole('searchbox', { name: 'Find' }).fill('hidden')
  await page.keyboard.press('Enter')
  await expect(content).toBeVisible()
})

test('two writers in one toggle keep what both wrote @long', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await typeToggle(one)
  await expect(two.text.locator('summary')).toContainText('summary')
  await buttonIn(two).click()
  await two.page.context().setOffline(true)
  await two.text.locator('.toggle-content > p').click()
  await two.page.keyboard.press('End')
  await two.page.keyboard.type(' theirs')
  await one.page.keyboard.press('Control+Home')
  await one.page.keyboard.type('my ')
  await two.page.context().setOffline(false)
  for (const { text } of [one, two]) {
    // Another caret may stand in it.
    await expect(text.locator('summary')).toHaveText(/^my [\u2060]*summary$/)
    await expect(text.locator('.toggle-content > p')).toContainText('hidden words theirs')
  }
})

test('HTML, Markdown and the Preview have a toggle @long', async ({ editorWindow }, info) => {
  const { page, text } = editorWindow
  await text.click()
  await pasteInto(text, { 'text/html': '<details><summary>one</summary><p>two</p></details><p>three</p>' })
  await expect(text.locator('summary')).toHaveText('one')
  await buttonIn(editorWindow).click()
  await expectSaved(page)
  await expectCleanPage(page, 'toggle', info)
  await dockPanels(page, 'Preview')
  const preview = panelOf(page, 'Preview')
  await preview.locator('summary').click()
  await expect(preview.locator('details > p')).toBeVisible()
  await preview.getByRole('button', { name: 'Markdown' }).click()
  await expect(preview.locator('pre')).toContainText('<details>\n<summary>one</summary>\n\ntwo\n\n</details>')
})
