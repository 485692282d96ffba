/** Opens windows in one Chromium, each in a context with its own connections and storage, and all on one clock. */
import { chromium } from '@playwright/test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { chromiumArguments, findFullBrowser, noChromiumMessage } from '../../e2e/fixtures/chromium.ts'
import type { Scope } from './context.ts'
import { installRecorder } from './page-recorder.ts'

/** Starts a browser that ends with the scope. @throws {Error} where no Chromium is installed. */
export async function launchBrowser(scope: Scope): Promise<Browser> {
  const executablePath = findFullBrowser()
  if (!executablePath) throw new Error(noChromiumMessage)
  const browser = await chromium.launch({ executablePath, args: chromiumArguments })
  scope.defer(() => browser.close())
  return browser
}

/** Opens a context without cookies and caches. Its pages have a `PageRecorder`. */
export async function freshContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce', ...options })
  await context.addInitScript(installRecorder)
  return context
}

/** Creates something by the HTTP API, as the person of that context. */
export async function createResource(
  { request }: BrowserContext,
  origin: string,
  path: string,
  data: object = {},
): Promise<Record<string, string>> {
  const response = await request.post(origin + path, { data, headers: { Origin: origin } })
  if (response.status() !== 201)
    throw new Error(`POST ${path}: ${response.status()} ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}

export const createDocumentIn = async (context: BrowserContext, origin: string): Promise<string> =>
  (await createResource(context, origin, '/api/documents')).id!

/**
 * Opens a window on screen, as the product does. A page in a tab behind another is not drawn: after a few frames the browser gives it
 * only one a second.
 */
export async function openBeside(opener: Page, address: string, index: number): Promise<Page> {
  const features = `popup,noopener,width=480,height=600,left=${index * 60},top=${index * 30}`
  const [page] = await Promise.all([
    opener.context().waitForEvent('page'),
    opener.evaluate(([url, how]) => void open(url, '_blank', how), [address, features] as const),
  ])
  return page
}

/**
 * Returns by how many ms the clock of one page is ahead of the other's. Each process guesses when the machine's monotonic clock was at
 * zero, and adds that to it; the browser reports a page's start on the monotonic clock, and the page reports it on its own.
 */
export async function clockDifference(one: Page, other: Page): Promise<number> {
  return (await zeroOf(one)) - (await zeroOf(other))
}

const zeroOf = async (page: Page): Promise<number> =>
  (await page.evaluate(() => performance.timeOrigin)) - (await readSeconds(page, 'NavigationStart')) * 1000

/** Returns the processor time of all threads of the page's process, in ms. */
export const processorMs = async (page: Page): Promise<number> =>
  (await readSeconds(page, 'ProcessTime')) * 1000

async function readSeconds(page: Page, metric: 'NavigationStart' | 'ProcessTime'): Promise<number> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Performance.enable')
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === metric)?.value
    if (seconds === undefined) throw new Error(`This browser does not report ${metric}.`)
    return seconds
  } finally {
    await session.detach()
  }
}
