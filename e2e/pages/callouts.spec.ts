import type { Page } from '@playwright/test'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const calloutsIn = ({ text }: DocumentWindow) => text.locator('[data-callout]')

/** The lines within callouts, without other people's carets. */
const expectLines = (window: DocumentWindow, lines: readonly string[]): Promise<void> =>
  expect
    .poll(() =>
      calloutsIn(window)
        .locator('p')
        .evaluateAll((all) =>
          all.map((line) => {
            const copy = line.cloneNode(true) as HTMLElement
            for (const widget of copy.querySelectorAll('.ProseMirror-widget')) widget.remove()
            return copy.textContent.replaceAll('\u2060', '')
          }),
        ),
    )
    .toEqual(lines)

async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

test('a callout is typed, left by Enter and lifted by Backspace', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await text.click()
  await page.keyboard.type('> [!TIP] one')
  const callout = calloutsIn(editorWindow)
  await expect(callout).toHaveAttribute('data-callout', 'tip')
  await expect(callout.locator('p')).toHaveText(['one'])
  // An empty line between two others stays within it.
  await page.keyboard.press('Enter')
  await page.keyboard.type('three')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(callout.locator('p')).toHaveText(['one', '', '', 'three'])
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('after')
  await expect(callout.locator('p')).toHaveText(['one', '', '', 'three'])
  await expect(text.locator('> p')).toHaveText(['after'])
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Backspace')
  await expect(text.locator('> p')).toHaveText(['one', 'after'])
  await expect(callout.locator('p')).toHaveText(['', '', 'three'])
})

test('a command makes a callout of a kind, and changes the one at the caret', async ({ editorWindow }) => {
  const { page, text } = editorWindow
  await text.click()
  await page.keyboard.type('words')
  await runCommand(page, 'Callout: warning')
  const callout = calloutsIn(editorWindow)
  await expect(callout).toHaveAttribute('data-callout', 'warning')
  await runCommand(page, 'Callout: important')
  await expect(callout).toHaveAttribute('data-callout', 'important')
  await expect(callout.locator('p')).toHaveText(['words'])
  await expect(callout).toHaveCount(1)
})

test('two writers in one callout keep what both wrote, and undo takes back one’s own @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await one.text.click()
  await one.page.keyboard.type('[!NOTE] mine')
  await expectLines(two, ['mine'])
  await two.page.context().setOffline(true)
  await two.text.click()
  await two.page.keyboard.press('Control+End')
  const theirs = ' theirs'
  await two.page.keyboard.type(theirs)
  await runCommand(one.page, 'Callout: tip')
  await one.focusStart()
  await one.page.keyboard.type('all ')
  await two.page.context().setOffline(false)
  for (const window of [one, two]) {
    await expect(calloutsIn(window)).toHaveAttribute('data-callout', 'tip')
    await expectLines(window, ['all mine theirs'])
  }
  // On a slow machine each letter is a step of its own.
  for (const _letter of theirs) await two.page.keyboard.press('ControlOrMeta+z')
  await expectLines(one, ['all mine'])
  await expect(calloutsIn(one)).toHaveAttribute('data-callout', 'tip')
})

test('the four kinds have their word @long', async ({ editorWindow }, info) => {
  const { page, text } = editorWindow
  await text.click()
  for (const kind of ['note', 'tip', 'important', 'warning']) {
    await page.keyboard.type(`[!${kind}] Some words`)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
  }
  await expectSaved(page)
  const words = () =>
    calloutsIn(editorWindow).evaluateAll((callouts) =>
      callouts.map((one) => (one as HTMLElement).dataset.label),
    )
  expect(await words()).toEqual(['Note', 'Tip', 'Important', 'Warning'])
  await expectCleanPage(page, 'callouts', info)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectCleanPage(page, 'callouts dark', info)
})
