/** Axe on what lies above the text, and on blocks with controls of their own, in light and in dark. */
import type { Page, TestInfo } from '@playwright/test'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { bringPicture } from '../fixtures/paste-picture.ts'
import { expect, test } from '../fixtures/test.ts'

const expectClean = (page: Page, name: string, info: TestInfo): Promise<void> =>
  forLightAndDark(page, (scheme) => expectCleanPage(page, `${name} ${scheme}`, info))

test('a table with its handles, selected cells and its menu', async ({
  editorWindow: { page, text },
}, info) => {
  await text.click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await expect(text.locator('.table-frame')).toBeVisible()
  await page.keyboard.type('Name')
  await text.locator('th').first().hover()
  await expect(text.getByRole('button', { name: 'Change row' })).toBeVisible()
  await expectClean(page, 'table handles', info)
  await page.keyboard.press('Shift+ArrowRight')
  await expect(text.locator('.selected-cell')).toHaveCount(2)
  await text.locator('th').first().hover()
  await text.getByRole('button', { name: 'Change column' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete column' })).toBeVisible()
  await expectClean(page, 'table menu', info)
})

test('a table and its menu on a phone @long', async ({ editorWindow: { page, text } }, info) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await text.click()
  await page.keyboard.type('/table')
  await page.getByRole('option', { name: 'Table', exact: true }).click()
  await page.keyboard.type('Name')
  await page.getByRole('toolbar').getByRole('button', { name: 'Change table' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete table' })).toBeVisible()
  await expectClean(page, 'table menu phone', info)
})

test('the bar on a selection @long', async ({ editorWindow: { page, text } }, info) => {
  await text.click()
  await page.keyboard.type('some words')
  await text.locator('p').dblclick({ position: { x: 15, y: 12 } })
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toBeVisible()
  await expectClean(page, 'selection bar', info)
  await page.keyboard.press('Alt+F10')
  await expect(bar.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
})

test('a callout and a toggle with the caret in them @long', async ({
  editorWindow: { page, text },
}, info) => {
  await text.click()
  await page.keyboard.type('[!TIP] Try this')
  await expect(text.locator('[data-callout]')).toContainText('Try this')
  await expectClean(page, 'callout in use', info)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('+++ Details')
  await expect(text.locator('.toggle-button')).toBeVisible()
  await expectClean(page, 'toggle in use', info)
})

test('a picture with its bar and its caption @long', async ({ editorWindow: { page, text } }, info) => {
  await text.click()
  await bringPicture(text, 'paste', { name: 'cat.png', width: 600, height: 400 })
  const picture = text.locator('figure[data-picture]')
  await expect(picture.locator('.picture-frame > img')).toHaveAttribute('src', /^blob:/)
  await picture.locator('figcaption').click()
  await page.keyboard.type('On a wall')
  await picture.hover()
  await expectClean(page, 'picture in use', info)
})
