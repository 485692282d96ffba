import { expect, test } from '../support/fixtures.ts'
import { panelOf } from '../support/panels.ts'
import { expectFit, inLightAndDark } from '../support/sight.ts'
import { expectLive } from '../windows/own-windows.ts'

const sizes = [
  [1440, 900],
  [320, 640],
] as const

test('the latency overlay, and the inspector with figures in it: light and dark, 1440 and 320 px', async ({
  door,
  openWindow,
}, info) => {
  test.slow()
  const { page, text } = await openWindow((await door.newDocument()).url('editor'))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  const inspector = await page.context().newPage()
  await inspector.goto(`${page.url()}/p/connection`)
  await expectLive(inspector)
  await page.bringToFront()
  await page.getByRole('button', { name: 'Latency' }).click()
  const overlay = page.getByRole('region', { name: 'Latency' })
  await expect(overlay).toContainText('Type something')
  await text.focus()
  await page.keyboard.type('Every key is on its way somewhere, and here is how long.', { delay: 30 })
  await expect(overlay).toContainText('Connection inspector')
  await expect(panelOf(inspector, 'Connection inspector').getByRole('table', { name: /^Edit/ })).toBeVisible()
  const views = { 'latency overlay': page, 'inspector with figures': inspector }
  for (const [what, shown] of Object.entries(views))
    for (const [width, height] of sizes) {
      await shown.bringToFront()
      await shown.setViewportSize({ width, height })
      await inLightAndDark(shown, (scheme) => expectFit(shown, `${what} ${scheme} ${width}`, info))
    }
})
