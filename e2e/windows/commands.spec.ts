/** What can be done by keyboard: the palette, the help, and the way through the parts of a window. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' })

const paneOf = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane)

test('a command is found by a few letters, done, and the keyboard is back in the text', async ({
  door,
  openWindow,
}) => {
  const { page, text, ...window } = await openWindow((await door.newDocument()).url('editor'))
  await text.click()
  await page.keyboard.type('one ')
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('bol')
  await expect(palette(page).getByRole('option')).toHaveText([/^Bold/])
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  await expect(text).toBeFocused()
  await page.keyboard.type('two')
  await expect(text.locator('strong')).toHaveText('two')

  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type('no such thing')
  await expect(palette(page)).toContainText('No command is called that.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(text).toBeFocused()
  await expect(window.saveState).toHaveText('Saved')
})

test('with a selection Mod+K makes a link', async ({ door, openWindow }) => {
  const { page, text } = await openWindow((await door.newDocument()).url('editor'))
  await text.click()
  await page.keyboard.type('word')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('dialog', { name: 'Link' })).toBeVisible()
  await expect(palette(page)).toBeHidden()
})

test('the help lists the keys of every command', async ({ door, openWindow }) => {
  const { page, text } = await openWindow((await door.newDocument()).url('editor'))
  await text.click()
  await page.keyboard.press('ControlOrMeta+/')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const name of ['Bold', 'Link', 'Say whether everything is saved', 'Show all commands'])
    await expect(help.getByRole('term').filter({ hasText: name })).toBeVisible()
  await page.keyboard.press('F6')
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await expect(text).toBeFocused()
})

test('F6 goes through the parts of a window, both ways, and comes back to where it was', async ({
  door,
  openWindow,
}) => {
  const { page, text } = await openWindow((await door.newDocument()).url('editor'))
  await text.click()
  await page.keyboard.press('F6')
  expect(await paneOf(page)).toBe('bar')
  await page.keyboard.press('F6')
  expect(await paneOf(page)).toBe('toolbar')
  await page.keyboard.press('ArrowRight')
  const button = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await page.keyboard.press('F6')
  await expect(text).toBeFocused()
  await page.keyboard.press('Shift+F6')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(button)
})
