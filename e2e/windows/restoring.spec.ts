import type { Page } from '@playwright/test'
import { crash } from '../support/device.ts'
import { expect, test } from '../support/fixtures.ts'
import { detach, expectLive, popupOf } from './own-windows.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Windows that were open' })

const chip = (page: Page, panel: string) => page.getByRole('group', { name: `${panel} in another window` })

test(
  'windows that an earlier visit had are offered again, each by a button of its own, or docked',
  { tag: '@long' },
  async ({ door, openWindow }) => {
    const { page } = await openWindow((await door.newDocument()).url('editor'))
    const outline = await detach(page, 'Outline')
    const statistics = await detach(page, 'Statistics')
    await expect(chip(page, 'Outline')).toBeVisible()
    await expect(chip(page, 'Statistics')).toBeVisible()

    // As when the browser was closed: with the text first, or its closing would dock them.
    const address = page.url()
    const another = await page.context().newPage()
    await another.goto(new URL('/', address).href)
    for (const window of [page, outline, statistics]) await window.close()
    await another.goto(address)
    await expectLive(another)
    await expect(bar(another)).toContainText('2 windows were open')

    await popupOf(another, () => bar(another).getByRole('button', { name: 'Open Outline' }).click())
    await expect(chip(another, 'Outline')).toBeVisible()
    await expect(bar(another)).toContainText('A window was open')
    await bar(another).getByRole('button', { name: 'Dock it' }).click()
    await expect(another.getByRole('region', { name: 'Statistics' })).toBeVisible()
    await expect(bar(another)).toBeHidden()
  },
)

for (const how of ['reloads', 'crashes'] as const) {
  test(`[W1] the text ${how}, its panels go on, and it finds them again`, async ({ door, openWindow }) => {
    const { page } = await openWindow((await door.newDocument()).url('editor'))
    const outline = await detach(page, 'Outline')
    const again = how === 'reloads' ? page : await page.context().newPage()
    if (how === 'reloads') await page.reload()
    else {
      await crash(page)
      await expectLive(outline)
      await again.goto(outline.url().replace('/p/outline', ''))
    }
    await expectLive(again)
    await expect(chip(again, 'Outline')).toBeVisible()
    await expect(bar(again)).toBeHidden()
    const closed = outline.waitForEvent('close')
    await chip(again, 'Outline').getByRole('button', { name: 'Bring back' }).click()
    await closed
    await expect(again.getByRole('region', { name: 'Outline' })).toBeVisible()
  })
}
