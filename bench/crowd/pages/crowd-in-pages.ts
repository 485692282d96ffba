/** Opens a crowd in pages of a browser, with some clients in each. Chromium chooses the connection that carries the transport. */
import type { BrowserContext, Page } from '@playwright/test'
import type { TransportId } from '../../../lib/transports/transport.ts'
import { clientsOf, Crowd, type CrowdPart } from '../crowd.ts'
import { PAGE_PATH, serveClientPage } from './serve-client-page.ts'

export interface PagesOptions {
  /** The folder for the page's script. */
  readonly folder: string
  readonly origin: string
  readonly document: string
  readonly transport: TransportId
  readonly pages: number
  readonly perPage: number
}

/** This process and the pages share the machine's clock. */
const times = {
  now: () => performance.timeOrigin + performance.now(),
  headStartMs: 1_000,
  patienceMs: 20_000,
}

export async function openCrowdInPages(context: BrowserContext, options: PagesOptions): Promise<Crowd> {
  const { origin, document, transport, perPage } = options
  await serveClientPage(context, origin, options.folder)
  const all = options.pages * perPage
  const documents = [{ id: document, token: '' }]
  const clients = clientsOf({ origins: [origin], clients: all, perDocument: all, documents })
  const parts: CrowdPart[] = []
  while (parts.length < options.pages) {
    const page = await context.newPage()
    await page.goto(origin + PAGE_PATH)
    await page.waitForFunction(() => window.crowd !== undefined)
    const own = clients.slice(parts.length * perPage, (parts.length + 1) * perPage)
    await page.evaluate((order) => window.crowd!.open(order), { transport, clients: own })
    parts.push(partIn(page))
  }
  return new Crowd(parts, times)
}

const partIn = (page: Page): CrowdPart => ({
  run: (order) => page.evaluate((wanted) => window.crowd!.run(wanted), order),
  end: () => page.close(),
})
