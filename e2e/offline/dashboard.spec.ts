import { expect, test } from '../fixtures/test.ts'

test.use({ serviceWorkers: 'allow' })

test(
  'a dashboard whose page the service worker serves knows the protocol of its requests',
  { tag: '@long' },
  async ({ page, server, scheme }) => {
    await page.goto(`${server.origin(scheme)}/lab/dashboard`)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await page.getByRole('button', { name: 'Draw 50 charts' }).click()
    const drawn = page.getByRole('region', { name: 'Time until all are drawn' }).locator('tr[data-ms]')
    await expect(drawn).toHaveCount(1, { timeout: 60_000 })
    await expect(drawn.getByRole('rowheader')).toHaveText('Requests, HTTP/2')
  },
)
