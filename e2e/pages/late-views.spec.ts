/** What draws a block is loaded when a text first shows one. The block of a task stands for all that have a view. */
import { holdScripts } from '../fixtures/hold-scripts.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'
import { InputDriver } from './fixtures/input-driver.ts'

test('a block is written in while its view is on the way, and drawn by the view afterwards', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await page.keyboard.type('- [ ] rent')
  const box = text.getByRole('checkbox')
  await expect(box).toHaveCount(1)
  await expect(box).toHaveAccessibleName('')
  await releaseScripts()
  await expect(box).toHaveAccessibleName('rent')
  await page.keyboard.type('al')
  await expect(box).toHaveAccessibleName('rental')
  await box.click()
  await expect(box).toBeChecked()
  await page.keyboard.type(' car')
  await expect(text).toHaveText('rental car')
  await box.click()
  await expect(box).not.toBeChecked()
  await expectSaved(page)
})

test('a word is composed in a block whose view arrives meanwhile, and the view comes once the word is there', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await page.keyboard.type('- [ ] rent')
  const driver = await InputDriver.attachTo(page)
  driver.composeText('に')
  await expect(text).toHaveText('rentに')
  const loaded = page.waitForEvent('requestfinished')
  await releaseScripts()
  await loaded
  await page.waitForLoadState('networkidle')
  driver.composeText('にほ')
  driver.composeText('日本')
  await expect(text).toHaveText('rent日本')
  await expect(text.getByRole('checkbox')).toHaveAccessibleName('')
  driver.commitText('日本')
  await expect(text.getByRole('checkbox')).toHaveAccessibleName('rent日本')
  await expect(text).toHaveText('rent日本')
  await expectSaved(page)
})

test('a block whose view does not load stays as it is, and is drawn by its view when the next one is shown @long', async ({
  editorWindow: { page, text },
}) => {
  await page.route('**/_next/static/**', (route) => route.abort())
  await text.click()
  const failed = page.waitForEvent('requestfailed')
  await page.keyboard.type('- [x] one')
  await failed
  const boxes = text.getByRole('checkbox')
  await expect(boxes).toBeChecked()
  await expect(boxes).toHaveAccessibleName('')
  await page.unroute('**/_next/static/**')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await expect(text.getByRole('checkbox', { name: 'one' })).toBeChecked()
  await expect(text.getByRole('checkbox', { name: 'two' })).not.toBeChecked()
  await expectSaved(page)
})

test('a block whose view throws is shown as its text, which is edited and saved', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await page.evaluate(() =>
    Object.defineProperty(Element.prototype, 'ariaLabel', {
      set() {
        throw new Error('This view is broken.')
      },
    }),
  )
  await text.click()
  await page.keyboard.type('- [ ] rent')
  await expect(text.getByText('This part could not be drawn. Here is its text.')).toBeVisible()
  await page.keyboard.type('al')
  await expect(text.getByRole('paragraph')).toHaveText('rental')
  await page.keyboard.press('Enter')
  await page.keyboard.type('car')
  await expect(text.getByRole('paragraph')).toHaveText(['rental', 'car'])
  await expectSaved(page)
  expect(new Set(window.errors)).toEqual(new Set(['Error: This view is broken.']))
  window.errors.length = 0
})

test('a view that throws once it is on screen is replaced, and no edit of anybody is lost @long', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await text.click()
  await page.keyboard.type('- [ ] rent')
  await expect(text.getByRole('checkbox')).toHaveAccessibleName('rent')
  await page.evaluate(() =>
    Object.defineProperty(Element.prototype, 'ariaLabel', {
      set() {
        throw new Error('This view is broken.')
      },
    }),
  )
  await page.keyboard.type('al')
  await expect(text.getByText('This part could not be drawn. Here is its text.')).toBeVisible()
  await expect(text.getByRole('paragraph')).toHaveText('rental')
  await expectSaved(page)
  expect(new Set(window.errors)).toEqual(new Set(['Error: This view is broken.']))
  window.errors.length = 0
})
