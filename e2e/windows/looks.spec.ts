import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import {
  openOtherDevice,
  readListedWindows,
  openPanelWindow,
  openWindowsDialog,
} from '../fixtures/own-windows.ts'
import { expectSaved } from '../fixtures/save-state.ts'

for (const width of [1440, 390]) {
  test(`Windows, ${width} px, light and dark`, async ({ browser, editorWindow: { page } }, info) => {
    await page.setViewportSize({ width, height: width > 400 ? 900 : 844 })
    await page
      .getByRole('textbox', { name: 'Title' })
      .fill('Budget plan for the coming year, with all its appendices')
    await openPanelWindow(page, 'Outline')
    const tablet = await openOtherDevice(browser, page.context())
    const preview = await tablet.newPage()
    await preview.goto(`${page.url()}/p/preview`)
    await expectSaved(preview)
    await openWindowsDialog(page)
    await expect.poll(() => readListedWindows(page)).toHaveLength(3)
    await forLightAndDark(page, (scheme) => expectCleanPage(page, `windows ${scheme} ${width}`, info))
    await tablet.close()
  })
}
