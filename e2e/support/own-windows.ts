/** Handles the windows of one person, as they list and open each other: real popups, and devices that are contexts with the same cookie. */
import { expect } from '@playwright/test'
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { openWindowsMenu } from './panels.ts'

const windowsDialogIn = (page: Page): Locator => page.getByRole('dialog', { name: 'Windows' })

export async function openWindowsDialog(page: Page): Promise<Locator> {
  const dialog = windowsDialogIn(page)
  if (!(await dialog.isVisible()))
    await (await openWindowsMenu(page)).getByRole('menuitem', { name: 'Your windows…' }).click()
  await expect(dialog).toBeVisible()
  return dialog
}

/** Returns the window that the click opens, with its text on screen. */
export async function waitForPopup(page: Page, click: () => Promise<void>): Promise<Page> {
  const opening = page.context().waitForEvent('page')
  await click()
  const popup = await opening
  await expectSaved(popup)
  return popup
}

export const expectSaved = (page: Page): Promise<void> =>
  expect(page.getByRole('status', { name: 'Save state' })).toHaveText('Saved')

/** Opens a panel of the page's document in its own window. */
export async function openPanelWindow(page: Page, panel: string): Promise<Page> {
  const dialog = await openWindowsDialog(page)
  const popup = await waitForPopup(page, () =>
    dialog.getByRole('list', { name: 'Open in its own window' }).getByRole('button', { name: panel }).click(),
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  return popup
}

/** Detaches by the menu, so that the text shows where the panel is. */
export const detachFromMenu = (page: Page, panel: string): Promise<Page> =>
  waitForPopup(page, async () => {
    await (
      await openWindowsMenu(page)
    )
      .getByRole('menuitem', { name: `Open ${panel} in its own window` })
      .click()
  })

/** Returns the names of the listed windows, those of this browser first. */
export const readListedWindows = (page: Page): Promise<string[]> =>
  windowsDialogIn(page)
    .getByRole('list', { name: 'Windows: ' })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.querySelector('span > span')?.textContent ?? ''))

/** Opens another device of the same person: a browser with the same cookie and nothing else. */
export async function openOtherDevice(browser: Browser, context: BrowserContext): Promise<BrowserContext> {
  const { cookies } = await context.storageState()
  return browser.newContext({ storageState: { cookies, origins: [] } })
}
