/** A long paste is drawn in pieces here and in other windows, and is one step of undo. The blocks of each piece are counted. */
import { recordDrawnBlocks } from '../fixtures/drawn-blocks.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const LINES = 20_000

test(
  'lines are pasted in pieces in two windows, what is typed meanwhile stays, and one undo takes them back',
  { tag: '@long' },
  async ({ browser, createDocument, openWindow }) => {
    const document = await createDocument()
    browser.on('context', (context) => void context.addInitScript(recordDrawnBlocks))
    const [window, other] = [
      await openWindow(document.url('editor')),
      await openWindow(document.url('editor')),
    ]
    await window.typeAtEnd('before ')
    await other.expectLines('before ')

    const lines = Array.from({ length: LINES }, (_, index) => `line ${index} of many`)
    await pasteInto(window.text, { 'text/plain': lines.join('\n') })
    await window.page.keyboard.type('!')
    // The end of the text comes with its beginning, and the rest goes between them.
    await other.text.locator('p').first().click()
    await other.page.keyboard.press('Home')
    await other.page.keyboard.type('theirs ')
    for (const { page, text } of [window, other]) {
      await expect(text.locator('p')).toHaveCount(LINES)
      await expect(text.locator('p').first()).toContainText('theirs ')
      await expect(text.locator('p').first()).toContainText('before line 0 of many')
      await expect(text.locator('p').last()).toContainText('!')
      await expectSaved(page)
      const drawn = await page.evaluate(() => globalThis.drawnBlocks!)
      expect(Math.max(...drawn)).toBeLessThanOrEqual(1_100)
    }

    await window.page.keyboard.press('ControlOrMeta+z')
    await expect(window.text.locator('p').last()).not.toContainText('!')
    await window.page.keyboard.press('ControlOrMeta+z')
    for (const { text } of [window, other]) await expect(text.locator('p')).toHaveCount(1)
    for (const one of [window, other]) await one.expectLines('theirs before ')
  },
)
