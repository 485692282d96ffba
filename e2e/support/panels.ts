/** Handles panels beside a text, and in their own windows. */
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** Finds a panel that is docked or fills a page. */
export const panelOf = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

export const detachedChipOf = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: `${name} in another window` })

/** Opens the menu of panels and own windows. */
export async function openWindowsMenu(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Windows', exact: true }).click()
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  return menu
}

export async function dockPanels(page: Page, ...names: readonly string[]): Promise<void> {
  const menu = await openWindowsMenu(page)
  for (const name of names) await menu.getByRole('menuitemcheckbox', { name, exact: true }).click()
  await page.keyboard.press('Escape')
  for (const name of names) await expect(panelOf(page, name)).toBeVisible()
}

/** Moves a panel from the dock into its own window. */
export async function detachPanel(page: Page, name: string): Promise<Page> {
  const opening = page.context().waitForEvent('page')
  await panelOf(page, name).getByRole('button', { name: 'Open in its own window' }).click()
  const popup = await opening
  await expect(panelOf(popup, name)).toBeVisible()
  await expect(detachedChipOf(page, name)).toBeVisible()
  return popup
}

/** Returns what a window shows in the text box of the text, without other people's carets. */
export const readLinesIn = (page: Page): Promise<string> =>
  page.getByRole('textbox', { name: 'Document' }).evaluate((element) => {
    const copy = element.cloneNode(true) as HTMLElement
    for (const caret of copy.querySelectorAll('.ProseMirror-widget')) caret.remove()
    return [...copy.children].map((block) => block.textContent.replaceAll('\u2060', '')).join('\n')
  })
