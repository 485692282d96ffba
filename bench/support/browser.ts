/** One Chromium, a context for each window: own connections, own storage, and yet one clock. */
import { chromium } from '@playwright/test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { chromiumArguments, findFullBrowser, noChromiumMessage } from '../../e2e/fixtures/chromium.ts'
import type { Scope } from './context.ts'
import { installRecorder } from './page-recorder.ts'

/** A browser that ends with the scope. @throws {Error} where no Chromium is installed. */
export async function launchIn(scope: Scope): Promise<Browser> {
  const executablePath = findFullBrowser()
  if (!executablePath) throw new Error(noChromiumMessage)
  const browser = await chromium.launch({ executablePath, args: chromiumArguments })
  scope.defer(() => browser.close())
  return browser
}

/** A browser that has never been anywhere, of the same process and clock. Its pages have a recorder. */
export async function freshContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce', ...options })
  await context.addInitScript(installRecorder)
  return context
}

/** Makes something by the HTTP API, as the person of that context. */
export async function create(
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
  (await create(context, origin, '/api/documents')).id!

/**
 * Opens a window on screen, as the product does. A page in a tab that is not in front is drawn nowhere, and the browser gives it a
 * frame a second once it has made a few in vain.
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
 * How far the clocks of two pages are apart, in ms. Each process adds its own idea of when the machine's monotonic clock was at
 * zero; the browser tells a page's start on the monotonic clock, the page tells it on the other.
 */
export async function clockDifference(one: Page, other: Page): Promise<number> {
  return (await zeroOf(one)) - (await zeroOf(other))
}

const zeroOf = async (page: Page): Promise<number> =>
  (await page.evaluate(() => performance.timeOrigin)) - (await secondsOf(page, 'NavigationStart')) * 1000

/** Of the page's process, all its threads, in ms. */
export const processorMs = async (page: Page): Promise<number> =>
  (await secondsOf(page, 'ProcessTime')) * 1000

async function secondsOf(page: Page, metric: 'NavigationStart' | 'ProcessTime'): Promise<number> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Performance.enable')
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === metric)?.value
    if (seconds === undefined) throw new Error(`This browser does not tell ${metric}.`)
    return seconds
  } finally {
    await session.detach()
  }
}
