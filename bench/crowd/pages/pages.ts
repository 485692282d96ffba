/** A crowd in browser windows: as many pages as are asked for, some clients in each. Chromium chooses what carries the transport. */
import type { BrowserContext, Page } from '@playwright/test'
import type { TransportId } from '../../../lib/transports/transport.ts'
import { samplesOf } from '../../support/histogram.ts'
import { clientsOf, Crowd, type CrowdPart } from '../crowd.ts'
import { PAGE, serveModules } from './modules.ts'

export interface PagesOptions {
  readonly origin: string
  readonly document: string
  readonly transport: TransportId
  readonly pages: number
  readonly perPage: number
}

/** Pages of one browser have one clock. */
const times = {
  now: () => performance.timeOrigin + performance.now(),
  headStartMs: 1_000,
  patienceMs: 20_000,
}

export async function openInPages(context: BrowserContext, options: PagesOptions): Promise<Crowd> {
  const { origin, document, transport, perPage } = options
  await serveModules(context, origin)
  const all = options.pages * perPage
  const documents = [{ id: document, token: '' }]
  const clients = clientsOf({ origins: [origin], clients: all, perDocument: all, documents })
  const parts: CrowdPart[] = []
  while (parts.length < options.pages) {
    const page = await context.newPage()
    await page.goto(origin + PAGE)
    await page.waitForFunction(() => window.crowd !== undefined)
    const own = clients.slice(parts.length * perPage, (parts.length + 1) * perPage)
    await page.evaluate((order) => window.crowd!.open(order), { transport, clients: own })
    parts.push(partIn(page))
  }
  return new Crowd(parts, times)
}

const partIn = (page: Page): CrowdPart => ({
  async run(order) {
    const tally = await page.evaluate((wanted) => window.crowd!.run(wanted), order)
    // Clocks of two pages may differ by a little more than nothing took.
    const kept = (samples: readonly (readonly number[])[]) => [
      samplesOf(samples.flat().map((ms) => Math.max(0, ms))),
    ]
    return {
      ...tally,
      delivery: kept(tally.delivery),
      acknowledgement: kept(tally.acknowledgement),
      lateness: kept(tally.lateness),
    }
  },
  end: () => page.close(),
})
