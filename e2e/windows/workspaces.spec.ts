import { expect, test } from '../support/fixtures.ts'
import { dock } from '../support/panels.ts'
import { expectFit } from '../support/sight.ts'
import { anotherDevice, detach, expectLive, openPanel, openWindows, popupOf } from './own-windows.ts'

test(
  'a workspace opens what belongs to it, closes what does not, and is one window on another device',
  { tag: '@long' },
  async ({ browser, door, openWindow }, info) => {
    const { page } = await openWindow((await door.newDocument()).url('editor'))
    await dock(page, 'Outline')
    const outline = await detach(page, 'Outline')
    const windows = await openWindows(page)
    await windows.getByRole('textbox', { name: 'Name of a workspace' }).fill('Review on two screens')
    await windows.getByRole('button', { name: 'Save as', exact: true }).click()
    await expect(windows.getByRole('list', { name: 'Workspaces' }).getByRole('listitem')).toContainText(
      '1 window',
    )
    await expectFit(page, 'workspaces', info)
    await page.keyboard.press('Escape')

    await outline.close()
    await expect(page.getByRole('region', { name: 'Outline' })).toBeVisible()
    const statistics = await openPanel(page, 'Statistics')
    const closed = statistics.waitForEvent('close')
    await openWindows(page)
    const again = await popupOf(page, () =>
      windows.getByRole('button', { name: 'Apply Review on two screens' }).click(),
    )
    await closed
    expect(new URL(again.url()).pathname).toMatch(/outline$/)
    await expect(page.getByRole('group', { name: 'Outline in another window' })).toBeVisible()

    const tablet = await anotherDevice(browser, page.context())
    const there = await tablet.newPage()
    await there.goto(page.url())
    await expectLive(there)
    await again.close()
    const dialog = await openWindows(there)
    await expect(dialog.getByText('here in one window')).toBeVisible()
    await dialog.getByRole('button', { name: 'Apply Review on two screens' }).click()
    await expect(there.getByRole('region', { name: 'Outline' })).toBeVisible()
    expect(tablet.pages()).toHaveLength(1)
    await tablet.close()
  },
)

test(
  'a workspace is renamed, removed and had again; one of another version is empty and breaks nothing',
  { tag: '@long' },
  async ({ door, openWindow }) => {
    const { page } = await openWindow((await door.newDocument()).url('editor'))
    await page.evaluate(() => {
      const workspaces = window.diptych!.desk!.doc.getMap('workspaces')
      workspaces.set('Of tomorrow', { version: 9, windows: 'all' })
    })
    const dialog = await openWindows(page)
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
    await expectLive(page)
  },
)
