/** A crowd in browser windows: as many pages as are asked for, some clients in each. Chromium chooses what carries the transport. */
import type { BrowserContext, Page } from '@playwright/test'
import type { TransportId } from '../../../lib/transports/transport.ts'
import { samplesOf } from '../../support/histogram.ts'
import { clientsOf, type CrowdLoad } from '../crowd.ts'
import { sumOf, type Tally } from '../tally.ts'
import { PAGE, serveModules } from './modules.ts'

const HEAD_START_MS = 1_000
const PATIENCE_MS = 20_000

export interface PagesOptions {
  readonly origin: string
  readonly document: string
  readonly transport: TransportId
  readonly pages: number
  readonly perPage: number
}

export class PageCrowd {
  readonly #pages: readonly Page[]
  #written = 0

  static async open(context: BrowserContext, options: PagesOptions): Promise<PageCrowd> {
    const { origin, document, transport, perPage } = options
    await serveModules(context, origin)
    const all = options.pages * perPage
    const clients = clientsOf({ clients: all, perDocument: all, documents: [{ id: document, token: '' }] })
    const pages: Page[] = []
    while (pages.length < options.pages) {
      const page = await context.newPage()
      await page.goto(origin + PAGE)
      await page.waitForFunction(() => window.crowd !== undefined)
      const own = clients.slice(pages.length * perPage, (pages.length + 1) * perPage)
      await page.evaluate((order) => window.crowd!.open(order), { transport, clients: own })
      pages.push(page)
    }
    return new PageCrowd(pages)
  }

  private constructor(pages: readonly Page[]) {
    this.#pages = pages
  }

  async run({ rhythm, intervalMs, edits, patienceMs = PATIENCE_MS }: CrowdLoad): Promise<Tally> {
    const startAt = performance.timeOrigin + performance.now() + HEAD_START_MS
    const order = { startAt, rhythm, intervalMs, edits, firstClock: this.#written, patienceMs }
    this.#written += edits
    const tallies = this.#pages.map((page) => page.evaluate((wanted) => window.crowd!.run(wanted), order))
    const sum = sumOf(await Promise.all(tallies))
    // Clocks of two pages may differ by a little more than nothing took.
    const kept = (times: readonly (readonly number[])[]) => [
      samplesOf(times.flat().map((ms) => Math.max(0, ms))),
    ]
    return {
      ...sum,
      delivery: kept(sum.delivery),
      acknowledgement: kept(sum.acknowledgement),
      lateness: kept(sum.lateness),
    }
  }
}
