import { expect, test } from '../support/fixtures.ts'
import { expectFit, inLightAndDark } from '../support/sight.ts'
import { anotherDevice, expectLive, listed, openPanel, openWindows } from './own-windows.ts'

for (const width of [1440, 390]) {
  test(`Windows, ${width} px, light and dark`, async ({ browser, door, openWindow }, info) => {
    const { page } = await openWindow((await door.newDocument()).url('editor'))
    await page.setViewportSize({ width, height: width > 400 ? 900 : 844 })
    await page
      .getByRole('textbox', { name: 'Title' })
      .fill('Budget plan for the coming year, with all its appendices')
    await openPanel(page, 'Outline')
    const tablet = await anotherDevice(browser, page.context())
    const preview = await tablet.newPage()
    await preview.goto(`${page.url()}/p/preview`)
    await expectLive(preview)
    await openWindows(page)
    await expect.poll(() => listed(page)).toHaveLength(3)
    await inLightAndDark(page, (scheme) => expectFit(page, `windows ${scheme} ${width}`, info))
    await tablet.close()
  })
}
