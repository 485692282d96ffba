/** Panels beside a text, and in windows of their own. */
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** A panel wherever it stands: docked, or as a page. */
export const panelOf = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

export const detachedChipOf = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: `${name} in another window` })

/** Of panels, own windows and what they have in common. */
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

/** Out of the dock, into a window of its own. */
export async function detachPanel(page: Page, name: string): Promise<Page> {
  const opening = page.context().waitForEvent('page')
  await panelOf(page, name).getByRole('button', { name: 'Open in its own window' }).click()
  const popup = await opening
  await expect(panelOf(popup, name)).toBeVisible()
  await expect(detachedChipOf(page, name)).toBeVisible()
  return popup
}

/** What a window shows in the textbox of a text, without other people's carets. */
export const readLinesIn = (page: Page): Promise<string> =>
  page.getByRole('textbox', { name: 'Document' }).evaluate((element) => {
    const copy = element.cloneNode(true) as HTMLElement
    for (const caret of copy.querySelectorAll('.ProseMirror-widget')) caret.remove()
    return [...copy.children].map((block) => block.textContent.replaceAll('\u2060', '')).join('\n')
  })
