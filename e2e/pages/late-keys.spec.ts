/** Keys that are pressed before the code that takes them has loaded do what they do afterwards, in their order. */
import type { Page } from '@playwright/test'
import { holdScripts } from '../fixtures/hold-scripts.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expect, test } from '../fixtures/test.ts'

const failScripts = (page: Page) => page.route('**/_next/static/**', (route) => route.abort())

test('a block is chosen before the menu has loaded, and what is typed then goes into it', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await page.keyboard.type('/heading')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Title')
  await page.keyboard.press('Enter')
  await page.keyboard.type('text')
  await page.keyboard.press('Backspace')
  await expect(text).toHaveText('/heading')
  await releaseScripts()
  await expect(text.getByRole('heading', { level: 2 })).toHaveText('Title')
  await expect(text.locator('p')).toHaveText('tex')
})

test('where the menu does not load, its keys are those of the text', async ({
  editorWindow: { page, text },
}) => {
  await failScripts(page)
  await text.click()
  await page.keyboard.type('/h')
  await page.keyboard.press('Enter')
  await page.keyboard.type('next')
  await expect(text.locator('p')).toHaveText(['/h', 'next'])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('Escape and the keys after it act on the block once their code has loaded', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await page.keyboard.type('one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Delete')
  await expect(text.locator('p')).toHaveText(['one', 'two'])
  await releaseScripts()
  await expect(text.locator('p')).toHaveText(['two'])
})

test('Escape opens the menu of the block by Enter, and before its code a letter and Tab are as ever', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await page.keyboard.type('one')
  await page.keyboard.press('Escape')
  await page.keyboard.type(' two')
  await expect(text).toHaveText('one two')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(text).not.toBeFocused()
  // The text may be the last that Tab reaches: then it leads out of the page, where no key leads back.
  await text.focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await releaseScripts()
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(text.locator('p')).toHaveText(['one two'])
})

test('Tab and arrows go through a table whose keys are on their way', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('/table')
  const releaseScripts = await holdScripts(page)
  await page.keyboard.press('Enter')
  const cells = text.locator('th, td')
  await expect(cells).toHaveCount(9)
  for (const letter of 'ab') {
    await page.keyboard.type(letter)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('cx')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('d')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('e')
  await releaseScripts()
  await expect(cells).toHaveText(['a', 'b', 'dx', '', '', 'e', '', '', ''])
})

test('a paste comes after the keys before it, which are the text’s own then', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await page.keyboard.type('/heading')
  await page.keyboard.press('Enter')
  await page.keyboard.type('one ')
  await pasteInto(text, { 'text/plain': 'pasted' })
  await expect(text.locator('p')).toHaveText(['/heading', 'one '])
  await releaseScripts()
  await expect(text.locator('p')).toHaveText(['/heading', 'one pasted'])
})

test('letters behind a key whose code hangs are in the text before the page is left, and when there are many', async ({
  editorWindow: { page, text },
}) => {
  await holdScripts(page)
  await text.click()
  await page.keyboard.type('/x')
  await page.keyboard.press('Enter')
  await page.keyboard.type('one two')
  await expect(text).toHaveText('/x')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(text.locator('p')).toHaveText(['/x', 'one two'])

  await holdScripts(page)
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' /y')
  await page.keyboard.press('Enter')
  const many = 'abc '.repeat(15)
  await page.keyboard.type(many)
  await expect(text.locator('p').last()).toContainText(many.trim())
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
