/** A crowd in browser windows: as many pages as are asked for, some clients in each. Chromium chooses what carries the transport. */
import type { BrowserContext, Page } from '@playwright/test'
import type { TransportId } from '../../../lib/transports/transport.ts'
import { samplesOf } from '../../support/histogram.ts'
import type { Load } from '../crowd.ts'
import { sumOfSeconds } from '../seconds.ts'
import { sumOfAudits, type Tally } from '../tally.ts'
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
    const pages: Page[] = []
    const clients = options.pages * perPage
    while (pages.length < options.pages) {
      const page = await context.newPage()
      await page.goto(origin + PAGE)
      await page.waitForFunction(() => window.crowd !== undefined)
      const own = Array.from({ length: perPage }, (_, index) => pages.length * perPage + index)
      await page.evaluate((order) => window.crowd!.open(order), { transport, document, clients, own })
      pages.push(page)
    }
    return new PageCrowd(pages)
  }

  private constructor(pages: readonly Page[]) {
    this.#pages = pages
  }

  async run({ rhythm, intervalMs, edits, patienceMs = PATIENCE_MS }: Load): Promise<Tally> {
    const startAt = performance.timeOrigin + performance.now() + HEAD_START_MS
    const schedule = { startAt, rhythm, intervalMs, edits, firstClock: this.#written }
    this.#written += edits
    await this.#all((page) => page.evaluate((wanted) => window.crowd!.write(wanted), schedule))
    // What is still out when the patience is over is counted as missing.
    const arrived = this.#all((page) =>
      page.waitForFunction(() => window.crowd!.lacking() === 0, undefined, { timeout: patienceMs }),
    )
    await arrived.catch(() => {})
    const records = await this.#all((page) => page.evaluate(() => window.crowd!.record()))
    const times = (of: 'delivery' | 'acknowledgement' | 'lateness') => {
      // Clocks of two pages may differ by a little more than nothing took.
      return [samplesOf(records.flatMap((record) => record[of]).map((ms) => Math.max(0, ms)))]
    }
    const missing = records.reduce((sum, record) => sum + record.lacking, 0)
    const acknowledgement = times('acknowledgement')
    const delivery = times('delivery')
    return {
      sent: records.reduce((sum, { sent }) => sum + sent, 0),
      acknowledged: acknowledgement[0]!.count,
      delivered: delivery[0]!.count,
      audit: { ...sumOfAudits(records.flatMap(({ audits }) => audits)), missing },
      lost: { count: 0, why: '' },
      delivery,
      acknowledgement,
      lateness: times('lateness'),
      perSecond: sumOfSeconds(records.map(({ perSecond }) => perSecond)),
    }
  }

  #all<Result>(work: (page: Page) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.#pages.map(work))
  }
}
