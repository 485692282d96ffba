import type { Page } from '@playwright/test'
import { crashPage } from '../fixtures/crash-page.ts'
import { expect, test } from '../fixtures/test.ts'
import { detachFromMenu, waitForPopup } from '../fixtures/own-windows.ts'
import { detachedChipOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'

const restoreBarIn = (page: Page) => page.getByRole('region', { name: 'Windows that were open' })

test(
  'windows that an earlier visit had are offered again, each by a button of its own, or docked',
  { tag: '@long' },
  async ({ editorWindow: { page } }) => {
    const outline = await detachFromMenu(page, 'Outline')
    const statistics = await detachFromMenu(page, 'Statistics')
    await expect(detachedChipOf(page, 'Outline')).toBeVisible()
    await expect(detachedChipOf(page, 'Statistics')).toBeVisible()

    // The windows close as with the browser. The text closes first, because it would dock the panels that close before it.
    const address = page.url()
    const nextVisit = await page.context().newPage()
    await nextVisit.goto(new URL('/', address).href)
    for (const window of [page, outline, statistics]) await window.close()
    await nextVisit.goto(address)
    await expectSaved(nextVisit)
    await expect(restoreBarIn(nextVisit)).toContainText('2 windows were open')

    await waitForPopup(nextVisit, () =>
      restoreBarIn(nextVisit).getByRole('button', { name: 'Open Outline' }).click(),
    )
    await expect(detachedChipOf(nextVisit, 'Outline')).toBeVisible()
    await expect(restoreBarIn(nextVisit)).toContainText('A window was open')
    await restoreBarIn(nextVisit).getByRole('button', { name: 'Dock it' }).click()
    await expect(nextVisit.getByRole('region', { name: 'Statistics' })).toBeVisible()
    await expect(restoreBarIn(nextVisit)).toBeHidden()
  },
)

for (const interruption of ['reloads', 'crashes'] as const) {
  test(`[W1] the text ${interruption}, its panels go on, and it finds them again${interruption === 'reloads' ? '' : ' @long'}`, async ({
    editorWindow: { page },
  }) => {
    const outline = await detachFromMenu(page, 'Outline')
    const nextPage = interruption === 'reloads' ? page : await page.context().newPage()
    if (interruption === 'reloads') await page.reload()
    else {
      await crashPage(page)
      await expectSaved(outline)
      await nextPage.goto(outline.url().replace('/p/outline', ''))
    }
    await expectSaved(nextPage)
    await expect(detachedChipOf(nextPage, 'Outline')).toBeVisible()
    await expect(restoreBarIn(nextPage)).toBeHidden()
    const closed = outline.waitForEvent('close')
    await detachedChipOf(nextPage, 'Outline').getByRole('button', { name: 'Bring back' }).click()
    await closed
    await expect(nextPage.getByRole('region', { name: 'Outline' })).toBeVisible()
  })
}
