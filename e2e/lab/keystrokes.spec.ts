import type { Page } from '@playwright/test'
import { downloadText } from '../fixtures/download-text.ts'
import { expect, test } from '../fixtures/test.ts'

/** Opens the scratch document, and so many windows, each by a click. */
async function openScratchDocument(page: Page, origin: string, windows: number): Promise<Page[]> {
  await page.goto(`${origin}/lab`)
  await page.getByRole('button', { name: 'Open the scratch document' }).click()
  const opened: Page[] = []
  for (let count = 1; count <= windows; count++) {
    const opening = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Open a window' }).click()
    opened.push(await opening)
    await expect(
      page.getByRole('list', { name: 'Windows that are measured' }).getByRole('listitem'),
    ).toHaveCount(count)
  }
  return opened
}

const chooseTransports = async (page: Page, ...chosen: string[]): Promise<void> => {
  for (const box of await page.getByRole('group', { name: 'Transports' }).getByRole('checkbox').all()) {
    const name = await box.evaluate((input) => input.closest('label')?.textContent ?? '')
    await box.setChecked(chosen.includes(name))
  }
}

test(
  'keystrokes to a window of one’s own, by two transports: measured, saved, exported and shared',
  { tag: '@long' },
  async ({ browser, server, scheme }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const origin = server.origin(scheme)
    const [window] = await openScratchDocument(page, origin, 1)
    await chooseTransports(page, 'WebSocket', 'Long polling')
    await page.getByLabel('Edits per transport').selectOption('50')
    await page.getByLabel('Interval, ms').selectOption('50')
    await page.getByRole('button', { name: 'Measure' }).click()
    await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible()
    const table = page
      .getByRole('region', { name: 'Result' })
      .getByRole('table', { name: 'Result in figures' })
    await expect(table).toBeVisible({ timeout: 60_000 })
    for (const transport of ['WebSocket', 'Long polling']) {
      const group = table.getByRole('rowgroup').filter({ hasText: transport })
      for (const row of ['To server', 'To disk', 'To text, window 1', 'To screen, window 1'])
        await expect(group.getByRole('row').filter({ hasText: row }).getByRole('cell').first()).toHaveText(
          '50',
        )
    }
    // The text stands in the other window, once and in order, and that window is back on the transport it used before.
    await expect(window!.getByRole('textbox', { name: 'Document' })).toContainText(
      'the quick brown fox jumps over',
    )
    await expect(
      window!.getByRole('button', { name: 'Connection', exact: true }),
    ).toHaveAccessibleDescription('Connected by WebSocket')

    const json = await downloadText(page.getByRole('button', { name: 'Export JSON' }))
    const exported = JSON.parse(json) as {
      edits: number
      lanes: { transport: string; up: string; windows: unknown[] }[]
    }
    expect(exported.edits).toBe(50)
    expect(exported.lanes.map(({ transport, up, windows }) => [transport, up, windows.length])).toEqual([['websocket', 'frames', 1], ['long-poll', expect.stringMatching(/./), 1]]) // prettier-ignore

    await page.getByRole('button', { name: 'Save on this device' }).click()
    await page.getByRole('button', { name: 'Share by a link' }).click()
    const link = await page.getByRole('textbox', { name: 'Link to this result' }).inputValue()
    await page.reload()
    await expect(
      page.getByRole('region', { name: 'Saved on this device' }).getByText('2 transports'),
    ).toBeVisible()

    const strangerPage = await (await browser.newContext()).newPage()
    await strangerPage.goto(link)
    const sharedResult = strangerPage.getByRole('region', { name: 'A result from a link' })
    await expect(sharedResult.getByRole('row').filter({ hasText: 'To screen, window 1' })).toHaveCount(2)
    await strangerPage.goto(`${origin}/lab#result=nonsense`)
    await expect(sharedResult.getByRole('alert')).toContainText('cannot be read')
    await strangerPage.context().close()
    await context.close()
  },
)

test(
  'a measurement is cancelled, and another one begins afresh',
  { tag: '@long' },
  async ({ browser, server, scheme }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await openScratchDocument(page, server.origin(scheme), 0)
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Cancelled: this measurement is not counted.')).toBeVisible()
    await chooseTransports(page, 'Server-sent events')
    await page.getByLabel('Edits per transport').selectOption('50')
    await page.getByLabel('Interval, ms').selectOption('50')
    await page.getByRole('button', { name: 'Measure' }).click()
    const table = page.getByRole('table', { name: 'Result in figures' })
    await expect(table.getByRole('row').filter({ hasText: 'To disk' })).toHaveCount(1, { timeout: 60_000 })
    await context.close()
  },
)
