/** Menus: letters find their items by name, and they stay where they opened. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

/** Opens a menu for each letter that a name in it begins with: an item whose name does has the focus then. */
async function findItems(page: Page, menu: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name: menu, exact: true })
  const items = page.getByRole('menu').locator('[role^=menuitem]:not([aria-disabled=true], [aria-label])')
  await button.press('Enter')
  await expect(items.first()).toBeFocused()
  const initials = new Set((await items.allInnerTexts()).map((name) => name.slice(0, 1)))
  for (const initial of initials) {
    await page.keyboard.press(initial.toLowerCase())
    await expect(items.and(page.locator(':focus'))).toHaveText(new RegExp(`^${initial}`, 'u'))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await button.press('Enter')
    await expect(items.first()).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
}

test('letters find the items of the menus of the list', async ({ page, server, scheme }) => {
  await page.goto(server.origin(scheme))
  for (const menu of ['More for Welcome to Diptych', 'Theme']) await findItems(page, menu)
})

test('letters find the items of the menus of a document', async ({ editorWindow: { page } }) => {
  for (const menu of ['All blocks', /^Paragraph style/, 'More formats', 'Panels', 'Document options'])
    await findItems(page, menu)
})

test('a menu stays at its button while the page behind it scrolls', async ({ longDocument, openWindow }) => {
  const { page } = await openWindow(longDocument.url('editor'))
  await page.getByRole('button', { name: 'Panels', exact: true }).click()
  const menu = page.getByRole('menu')
  const before = await menu.boundingBox()
  await page.mouse.move(200, 500)
  await page.mouse.wheel(0, 800)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(400)
  expect(await menu.boundingBox()).toEqual(before)
})
