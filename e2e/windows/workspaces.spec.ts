import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { detachedChipOf, dockPanels } from '../fixtures/panels.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import {
  openOtherDevice,
  detachFromMenu,
  openPanelWindow,
  openWindowsDialog,
  waitForPopup,
} from '../fixtures/own-windows.ts'
import { expectSaved } from '../fixtures/save-state.ts'

test(
  'a workspace opens what belongs to it, closes what does not, and is one window on another device',
  { tag: '@long' },
  async ({ browser, editorWindow: { page } }, info) => {
    await dockPanels(page, 'Outline')
    const outline = await detachFromMenu(page, 'Outline')
    const windows = await openWindowsDialog(page)
    await windows.getByRole('textbox', { name: 'Name of a workspace' }).fill('Review on two screens')
    await windows.getByRole('button', { name: 'Save as', exact: true }).click()
    await expect(windows.getByRole('list', { name: 'Workspaces' }).getByRole('listitem')).toContainText(
      '1 window',
    )
    await expectCleanPage(page, 'workspaces', info)
    await page.keyboard.press('Escape')

    await outline.close()
    await expect(page.getByRole('region', { name: 'Outline' })).toBeVisible()
    const statistics = await openPanelWindow(page, 'Statistics')
    const closed = statistics.waitForEvent('close')
    await openWindowsDialog(page)
    const appliedPopup = await waitForPopup(page, () =>
      windows.getByRole('button', { name: 'Apply Review on two screens' }).click(),
    )
    await closed
    expect(new URL(appliedPopup.url()).pathname).toMatch(/outline$/)
    await expect(detachedChipOf(page, 'Outline')).toBeVisible()

    const tablet = await openOtherDevice(browser, page.context())
    const otherDevicePage = await tablet.newPage()
    await otherDevicePage.goto(page.url())
    await expectSaved(otherDevicePage)
    await appliedPopup.close()
    const dialog = await openWindowsDialog(otherDevicePage)
    await expect(dialog.getByText('here in one window')).toBeVisible()
    await dialog.getByRole('button', { name: 'Apply Review on two screens' }).click()
    await expect(otherDevicePage.getByRole('region', { name: 'Outline' })).toBeVisible()
    expect(tablet.pages()).toHaveLength(1)
    await tablet.close()
  },
)

test(
  'while the windows of an applied workspace start, nothing says that they are missing',
  { tag: '@long' },
  async ({ editorWindow: { page } }) => {
    // The grace for a missing window passes by this clock, and not by the test's own time.
    await page.clock.install()
    await page.reload()
    await expectSaved(page)
    const panels = ['Outline', 'Statistics'] as const
    const opened: Page[] = []
    for (const panel of panels) opened.push(await detachFromMenu(page, panel))
    const dialog = await openWindowsDialog(page)
    await dialog.getByRole('textbox', { name: 'Name of a workspace' }).fill('Review')
    await dialog.getByRole('button', { name: 'Save as', exact: true }).click()
    for (const popup of opened) await popup.close()
    await page.clock.fastForward(5_000)
    for (const panel of panels) await expect(detachedChipOf(page, panel)).toBeHidden()

    const starting = Promise.withResolvers<void>()
    await page.context().route('**/p/*', async (route) => {
      await starting.promise
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Apply Review' }).click()
    for (const panel of panels) await expect(detachedChipOf(page, panel)).toBeVisible()
    const removedChips = await page.evaluateHandle(recordRemovedChips)
    await page.clock.fastForward(5_000)
    starting.resolve()
    for (const panel of panels)
      await expect(detachedChipOf(page, panel).getByRole('button', { name: 'Show' })).toBeEnabled()
    expect(await removedChips.jsonValue()).toEqual([])
  },
)

test(
  'a workspace is renamed, deleted and restored; one of another version is empty and breaks nothing',
  { tag: '@long' },
  async ({ editorWindow: { page } }) => {
    await page.evaluate(() => {
      const workspaces = window.diptych!.desk!.doc.getMap('workspaces')
      workspaces.set('Of tomorrow', { version: 9, windows: 'all' })
    })
    const dialog = await openWindowsDialog(page)
    const list = dialog.getByRole('list', { name: 'Workspaces' }).getByRole('listitem')
    await expect(list).toHaveText(/Of tomorrow.*The text alone/)
    await dialog.getByRole('button', { name: 'Rename Of tomorrow' }).click()
    const name = dialog.getByRole('textbox', { name: 'New name of Of tomorrow' })
    await expect(name).toBeFocused()
    await name.press('Escape')
    await dialog.getByRole('button', { name: 'Rename Of tomorrow' }).click()
    await name.fill('Writing')
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
    await expect(list).toHaveText(/Writing/)
    await dialog.getByRole('button', { name: 'Delete Writing' }).click()
    await expect(list).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect(list).toHaveText(/Writing/)
    await dialog.getByRole('button', { name: 'Apply Writing' }).click()
    await expect(dialog).toBeHidden()
    await expectSaved(page)
  },
)

/** Runs in the page. A panel that counts as missing loses its chip. */
function recordRemovedChips(): string[] {
  const removed: string[] = []
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ removedNodes }) => [...removedNodes]))
      if (node instanceof HTMLElement && node.dataset.chip) removed.push(node.dataset.chip)
  }).observe(document.body, { childList: true, subtree: true })
  return removed
}
