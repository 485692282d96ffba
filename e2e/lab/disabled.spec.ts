import { expect, test } from '../fixtures/test.ts'
import { BrowserTestServer } from '../fixtures/browser-test-server.ts'

test(
  'with LAB=off the dashboard says that this server shows no figures, and keystrokes can be measured',
  { tag: '@long' },
  async ({ browser, scheme }) => {
    await using server = await BrowserTestServer.launch({ LAB: 'off' })
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.origin(scheme)}/lab/dashboard`)
    const drawings = page.getByRole('region', { name: 'Time until all are drawn' })
    const problem = page.getByRole('region', { name: 'Measurement' }).getByRole('alert')
    for (const radioName of [/^Plain requests/, 'Requests inside the session']) {
      await page.getByRole('radio', { name: radioName }).click()
      await page.getByRole('button', { name: 'Draw 50 charts' }).click()
      await expect(problem).toContainText('LAB=off')
      await expect(page.getByRole('list', { name: 'Charts' })).toHaveCount(0)
      // Nothing was drawn, so no time is shown.
      await expect(drawings).toContainText('Nothing has been drawn here yet.')
    }
    await page.goto(`${server.origin(scheme)}/lab`)
    await page.getByRole('button', { name: 'Open the scratch document' }).click()
    await expect(page.getByRole('button', { name: 'Measure' })).toBeVisible()
    await context.close()
  },
)
