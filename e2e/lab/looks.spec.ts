import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark, withPageOfWidth } from '../fixtures/page-appearance.ts'

const createPercentiles = (p50: number, count = 100) => ({
  count,
  p50,
  p95: p50 * 1.8,
  p99: p50 * 2.1,
  max: p50 * 3,
})
const createWindowFigures = (p50: number, sameBrowser: boolean) => ({
  name: 'Lab',
  device: 'Firefox on Mac',
  sameBrowser,
  boundMs: sameBrowser ? 0 : 1.4,
  applied: createPercentiles(p50),
  painted: createPercentiles(p50 + 8),
  hidden: 0,
})
const createLane = (transport: string, protocol: string, p50: number) => ({
  transport,
  protocol,
  up: transport === 'websocket' ? 'frames' : 'batched posts',
  acknowledged: createPercentiles(p50 * 0.8),
  saved: createPercentiles(p50),
  windows: [createWindowFigures(p50, true), createWindowFigures(p50 + 3, false)],
})
const result = {
  version: 2,
  at: Date.UTC(2026, 10, 1, 12),
  browser: 'Chrome on Linux',
  scheme: 'https:',
  edits: 100,
  intervalMs: 100,
  lanes: [
    createLane('websocket', 'h2', 5.2),
    createLane('sse', 'h2', 6.4),
    { ...createLane('long-poll', 'h2', 14.8), simulated: true },
    { ...createLane('poll', 'h2', 180), problem: 'Lab did not switch to Polling.' },
  ],
}
const drawings = {
  version: 2,
  at: Date.UTC(2026, 10, 1, 12),
  browser: 'Chrome on Linux',
  scheme: 'https:',
  drawings: [
    { way: 'requests', protocol: 'http/1.1', seed: 1, ms: 28_912, failed: 0 },
    { way: 'requests', protocol: 'h2', seed: 1, ms: 5_148, failed: 0 },
    { way: 'session', transport: 'websocket', protocol: 'h2', seed: 1, ms: 5_103, failed: 0 },
    { way: 'session', transport: 'sse', protocol: 'h2', seed: 1, ms: 5_120, failed: 1 },
  ],
}
const fragmentOf = (value: unknown): string =>
  `result=${Buffer.from(JSON.stringify(value)).toString('base64url')}`

const sharedResultIn = (page: Page) => page.getByRole('region', { name: 'A result from a link' })
const chartsIn = (page: Page) => page.getByRole('list', { name: 'Charts' })

/** How many of the fifty charts are answered. */
const DRAWN_CHARTS = 30

const pageStates: Record<string, (page: Page, origin: string) => Promise<void>> = {
  lab: async (page, origin) => {
    await page.goto(`${origin}/lab`)
    await page.getByRole('button', { name: 'Open the scratch document' }).click()
    await expect(page.getByRole('button', { name: 'Measure' })).toBeVisible()
  },
  'lab with a result': async (page, origin) => {
    await page.goto(`${origin}/lab#${fragmentOf(result)}`)
    await expect(sharedResultIn(page).getByRole('table')).toBeVisible()
  },
  'lab with a broken link': async (page, origin) => {
    await page.goto(`${origin}/lab#result=broken`)
    await expect(sharedResultIn(page).getByRole('alert')).toBeVisible()
  },
  dashboard: async (page, origin) => {
    await page.goto(`${origin}/lab/dashboard`)
    await page.getByRole('button', { name: 'Draw 50 charts' }).click()
    await expect(page.locator('tr[data-ms]')).toHaveCount(1, { timeout: 60_000 })
  },
  'dashboard drawing': async (page, origin) => {
    await page.route(/\/api\/lab\/figures\/(\d+)/, (route, request) =>
      Number(request.url().match(/figures\/(\d+)/)![1]) < DRAWN_CHARTS ? route.continue() : undefined,
    )
    await page.goto(`${origin}/lab/dashboard`)
    await page.getByRole('button', { name: 'Draw 50 charts' }).click()
    await expect(chartsIn(page).getByRole('heading')).toHaveCount(DRAWN_CHARTS, { timeout: 60_000 })
  },
  'dashboard with a result': async (page, origin) => {
    await page.goto(`${origin}/lab/dashboard#${fragmentOf(drawings)}`)
    await expect(sharedResultIn(page).getByRole('table')).toBeVisible()
  },
}

for (const [name, openState] of Object.entries(pageStates)) {
  for (const width of [1440, 390]) {
    test(`${name}, ${width} px, light and dark`, ({ browser, server, scheme }, info) =>
      withPageOfWidth(browser, width, async (page) => {
        await openState(page, server.origin(scheme))
        await forLightAndDark(page, (colorScheme) =>
          expectCleanPage(page, `${name} ${colorScheme} ${width}`, info),
        )
        await page.setViewportSize({ width: 320, height: 700 })
        await expectCleanPage(page, `${name} 320`, info, false)
      }))
  }
}
