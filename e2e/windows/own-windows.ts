/** The windows of one person, as they list and open each other: real popups, and devices that are contexts with the same cookie. */
import { expect } from '@playwright/test'
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { openWindowsMenu } from '../support/panels.ts'

const windowsDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Windows' })

export async function openWindows(page: Page): Promise<Locator> {
  const dialog = windowsDialog(page)
  if (!(await dialog.isVisible()))
    await (await openWindowsMenu(page)).getByRole('menuitem', { name: 'Your windows…' }).click()
  await expect(dialog).toBeVisible()
  return dialog
}

/** What the click opens, with its text on screen. */
export async function popupOf(page: Page, click: () => Promise<void>): Promise<Page> {
  const opening = page.context().waitForEvent('page')
  await click()
  const popup = await opening
  await expectLive(popup)
  return popup
}

export const expectLive = (page: Page): Promise<void> =>
  expect(page.getByRole('status', { name: 'Save state' })).toHaveText('Saved')

/** A panel of the document that the page shows, in a window of its own. */
export async function openPanel(page: Page, panel: string): Promise<Page> {
  const dialog = await openWindows(page)
  const popup = await popupOf(page, () =>
    dialog.getByRole('list', { name: 'Open in its own window' }).getByRole('button', { name: panel }).click(),
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  return popup
}

/** From the menu, so that the text says where it is. */
export const detach = (page: Page, panel: string): Promise<Page> =>
  popupOf(page, async () => {
    await (
      await openWindowsMenu(page)
    )
      .getByRole('menuitem', { name: `Open ${panel} in its own window` })
      .click()
  })

/** The names of the windows listed, those of this browser first. */
export const listed = (page: Page): Promise<string[]> =>
  windowsDialog(page)
    .getByRole('list', { name: 'Windows: ' })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.querySelector('span > span')?.textContent ?? ''))

/** Another device of the same person: a browser with the same cookie and nothing else. */
export async function anotherDevice(browser: Browser, context: BrowserContext): Promise<BrowserContext> {
  const { cookies } = await context.storageState()
  return browser.newContext({ storageState: { cookies, origins: [] } })
}
