import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { panelOf } from '../fixtures/panels.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expectSaved } from '../fixtures/save-state.ts'

const sizes = [
  [1440, 900],
  [320, 640],
] as const

/** The longest wait for a page to be idle, which it may never be on a busy machine. */
const IDLE_TIMEOUT_MS = 200

const sentences = [
  'Every key is on its way somewhere, and here is how long. ',
  'Its own window shows it first, then the disk has it, then everybody else. ',
]

/** Types each key when the page is idle, so that the picture shows the page's own delays and not those of a busy machine. */
async function typeWhenIdle(page: Page, overlay: Locator): Promise<void> {
  const figures = overlay.getByRole('table')
  let typed = 0
  for (const sentence of sentences) {
    for (const letter of sentence) {
      await page.evaluate(
        (timeout) => new Promise((resolve) => requestIdleCallback(resolve, { timeout })),
        IDLE_TIMEOUT_MS,
      )
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
    }
    typed += sentence.length
    await expect(figures).toContainText(`Last ${typed} edits`)
    await expect(figures.getByRole('row', { name: /^Painted [\d.]/ })).toBeVisible()
    // The first keys of a page meet code that is still being loaded: the next ones make up for them.
    if ((await figures.getByText('poor').count()) === 0) return
  }
}

test('the latency overlay, and the inspector with figures in it: light and dark, 1440 and 320 px', async ({
  createDocument,
  openWindow,
}, info) => {
  test.slow()
  const { page, text } = await openWindow((await createDocument()).url('editor'))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  const inspector = await page.context().newPage()
  await inspector.goto(`${page.url()}/p/connection`)
  await expectSaved(inspector)
  await page.bringToFront()
  await page.getByRole('button', { name: 'Latency' }).click()
  const overlay = page.getByRole('region', { name: 'Latency' })
  await expect(overlay).toContainText('Type something')
  await page.getByRole('button', { name: 'Not now' }).click()
  await text.focus()
  await typeWhenIdle(page, overlay)
  await expect(panelOf(inspector, 'Connection inspector').getByRole('table', { name: /^Edit/ })).toBeVisible()
  const views = { 'latency overlay': page, 'inspector with figures': inspector }
  for (const [viewName, shownPage] of Object.entries(views))
    for (const [width, height] of sizes) {
      await shownPage.bringToFront()
      await shownPage.setViewportSize({ width, height })
      await forLightAndDark(shownPage, (scheme) =>
        expectCleanPage(shownPage, `${viewName} ${scheme} ${width}`, info),
      )
    }
})
