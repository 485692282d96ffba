import type { Page } from '@playwright/test'
import type { AdminFigures, AdminSample } from '../../lib/protocol/admin.ts'
import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark, withPageOfWidth } from '../fixtures/page-appearance.ts'
import { launchAdminServer, signIn } from './fixtures/admin-server.ts'

const wave = (index: number, period: number): number => 1 + Math.sin((index / period) * Math.PI * 2)

const createSample = (index: number): AdminSample => ({
  at: Date.UTC(2026, 10, 1, 12) + index * 5_000,
  sessions: {
    websocket: Math.round(120 + 40 * wave(index, 90)),
    sse: Math.round(30 + 10 * wave(index, 50)),
    'long-poll': index > 60 ? 8 : 0,
    none: Math.round(3 * wave(index, 20)),
  },
  messagesReceivedPerSecond: 90 + 30 * wave(index, 40),
  messagesSentPerSecond: 900 + 400 * wave(index, 40),
  bytesReceivedPerSecond: 9_000 + 3_000 * wave(index, 40),
  bytesSentPerSecond: 310_000 + 90_000 * wave(index, 40),
  acknowledgementP50Ms: index % 30 === 0 ? null : 1.4 + 0.3 * wave(index, 33),
  acknowledgementP99Ms: index % 30 === 0 ? null : 6 + 3 * wave(index, 33) + (index === 100 ? 60 : 0),
  loopDelayP50Ms: 0.2,
  loopDelayP99Ms: 2 + 2 * wave(index, 25),
  storeErrors: index === 100 ? 3 : 0,
  rooms: Math.round(60 + 10 * wave(index, 70)),
  queued: index === 100 ? 40 : 0,
  residentBytes: 210e6 + 10e6 * wave(index, 60),
  heapBytes: 90e6 + 15e6 * wave(index, 12),
})

const figures: AdminFigures = {
  version: '0.1.0',
  uptimeSeconds: 9_300,
  store: 'postgres',
  node: { name: 'nqzhwtbma', count: 2 },
  space: {
    usedBytes: 7.2e9,
    limitBytes: 50 * 2 ** 30,
    personLimitBytes: 2 ** 30,
    freeBytes: 180e9,
    reservedBytes: 512 * 2 ** 20,
  },
  samples: Array.from({ length: 180 }, (_, index) => createSample(index)),
}

const pageStates: Record<string, (page: Page) => Promise<void>> = {
  'admin sign-in': async (page) => {
    await signIn(page, 'not the right token')
    await expect(page.getByRole('alert').filter({ hasText: 'This is not the token.' })).toBeVisible()
  },
  admin: async (page) => {
    await page.route('**/api/admin/figures', (route) => route.fulfill({ json: figures }))
    await page.reload()
    await expect(page.getByRole('figure')).toHaveCount(8)
    await expect(page.locator('canvas')).toHaveCount(8)
    await expect(page.getByText('This is node nqzhwtbma, one of 2.')).toBeVisible()
  },
  'admin idle': async (page) => {
    await page.route('**/api/admin/figures', (route) => route.fulfill({ json: idleFigures }))
    await page.reload()
    await expect(page.locator('canvas')).toHaveCount(6)
    const figureOf = (name: string) => page.getByRole('figure', { name, exact: true })
    await expect(figureOf('Sessions')).toContainText('No window was connected here in this time.')
    await expect(figureOf('Acknowledgement')).toContainText('Nobody wrote here in this time.')
    await expect(page.getByText('up for less than a minute')).toBeVisible()
  },
}

const idleSample: AdminSample = {
  ...createSample(0),
  sessions: {},
  messagesReceivedPerSecond: 0,
  messagesSentPerSecond: 0,
  bytesReceivedPerSecond: 0,
  bytesSentPerSecond: 0,
  acknowledgementP50Ms: null,
  acknowledgementP99Ms: null,
  rooms: 0,
}

const idleFigures: AdminFigures = {
  ...figures,
  uptimeSeconds: 45,
  samples: Array.from({ length: 8 }, (_, index) => ({ ...idleSample, at: idleSample.at + index * 5_000 })),
}

for (const [name, openState] of Object.entries(pageStates)) {
  for (const width of [1440, 390]) {
    test(`${name}, ${width} px, light and dark`, async ({ browser, scheme }, info) => {
      await using server = await launchAdminServer()
      await withPageOfWidth(browser, width, async (page) => {
        await page.goto(`${server.origin(scheme)}/admin`)
        await openState(page)
        await forLightAndDark(page, (colorScheme) =>
          expectCleanPage(page, `${name} ${colorScheme} ${width}`, info),
        )
        await page.setViewportSize({ width: 320, height: 700 })
        await expectCleanPage(page, `${name} 320`, info, false)
      })
    })
  }
}
