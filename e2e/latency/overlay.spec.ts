import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { expectSaved } from '../fixtures/save-state.ts'

const overlayOf = (page: Page) => page.getByRole('region', { name: 'Latency' })

/** Reads a row of the overlay: p50, p95, max, and a verdict. */
const readRow = (page: Page, name: string) =>
  overlayOf(page).getByRole('row', { name, exact: false }).getByRole('cell').allTextContents()

const anyFigure: unknown = expect.stringMatching(/^[\d,.]+$/)

test('[L1] the overlay shows each stage of what is typed, here and in another window, and moves nothing', async ({
  editorWindow: { page, text },
}) => {
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  const preview = await page.context().newPage()
  await preview.goto(`${page.url()}/p/preview`)
  await expectSaved(preview)
  await page.bringToFront()
  const boxBefore = await text.boundingBox()
  await page.keyboard.press('Control+Alt+L')
  const overlay = overlayOf(page)
  await expect(overlay).toContainText('Type something')
  await expect(overlay).toContainText('WebSocket')
  expect(await text.boundingBox()).toEqual(boxBefore)
  await text.focus()
  await page.keyboard.type('every key is timed', { delay: 25 })
  for (const stage of ['Own paint', 'Acknowledged', 'Saved', 'Received', 'Painted'])
    await expect
      .poll(() => readRow(page, stage), stage)
      .toEqual([anyFigure, anyFigure, anyFigure, expect.stringMatching(/^(good|fair|poor)$/)])
  await expect(overlay).toContainText('Preview')
  await expect(overlay).toContainText(/within the browser|by the server/)
  await expect(overlay).toContainText(/Round trip[\d.]+ ms/)
  await page.keyboard.press('Control+Alt+L')
  await expect(overlay).toBeHidden()
})

test(
  'the overlay goes to the chosen corner in all windows, and stays open over a reload',
  { tag: '@long' },
  async ({ editorWindow: { page } }) => {
    const button = page.getByRole('button', { name: 'Latency' })
    await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    const overlay = overlayOf(page)
    await overlay.getByRole('button', { name: 'Move to the bottom left' }).click()
    const readCorner = async (shownPage: Page) => {
      const box = (await overlayOf(shownPage).boundingBox())!
      const { width, height } = shownPage.viewportSize()!
      return [
        box.y + box.height / 2 < height / 2 ? 'top' : 'bottom',
        box.x + box.width / 2 < width / 2 ? 'left' : 'right',
      ]
    }
    await expect.poll(() => readCorner(page)).toEqual(['bottom', 'left'])
    await page.reload()
    await expect.poll(() => readCorner(page)).toEqual(['bottom', 'left'])
    const outline = await page.context().newPage()
    await outline.goto(`${page.url()}/p/outline`)
    await outline.getByRole('button', { name: 'Latency' }).click()
    await expect.poll(() => readCorner(outline)).toEqual(['bottom', 'left'])
    await overlay.getByRole('button', { name: 'Show less' }).focus()
    await page.keyboard.press('Escape')
    await expect(overlay).toBeHidden()
  },
)

test('on a phone the Connection dialog opens the overlay, as one line that expands @long', async ({
  editorWindow: { page },
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(page.getByRole('button', { name: 'Latency' })).toBeHidden()
  await page.getByRole('button', { name: 'Connection', exact: true }).click()
  await page.getByRole('button', { name: 'Latency overlay' }).click()
  const overlay = overlayOf(page)
  await expect(overlay).toContainText('Round trip')
  await expect(overlay).not.toContainText('Type something')
  await overlay.getByRole('button', { name: 'Show more' }).click()
  await expect(overlay).toContainText('Type something')
  await page.context().setOffline(true)
  const banner = page.getByText('You’re offline.')
  await expect(banner).toBeVisible()
  const bottomOf = async () => {
    const { y, height } = (await overlay.boundingBox())!
    return y + height
  }
  const top = (await banner.locator('..').boundingBox())!.y
  await expect.poll(bottomOf).toBeLessThan(top)
})
