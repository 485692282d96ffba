/** One Chromium, a context for each window: own connections, own storage, and yet one clock. */
import { chromium } from '@playwright/test'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Scope } from './context.ts'
import { chromiumArguments, findFullBrowser, noChromiumMessage } from '../../e2e/fixtures/chromium.ts'

/** @throws {Error} where there is none. */
export function launch(): Promise<Browser> {
  const executablePath = findFullBrowser()
  if (!executablePath) throw new Error(noChromiumMessage)
  return chromium.launch({ executablePath, args: chromiumArguments })
}

/** One that ends with the scope. */
export async function launchIn(scope: Scope): Promise<Browser> {
  const browser = await launch()
  scope.defer(() => browser.close())
  return browser
}

/** A browser that has never been anywhere, of the same process and clock. */
export const freshContext = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' })

/**
 * How far the clocks of two pages are apart, in ms. Each process adds its own idea of when the machine's monotonic clock was at
 * zero; the browser tells a page's start on the monotonic clock, the page tells it on the other.
 */
export async function clockDifference(one: Page, other: Page): Promise<number> {
  return (await zeroOf(one)) - (await zeroOf(other))
}

async function zeroOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Performance.enable')
    const { metrics } = await session.send('Performance.getMetrics')
    const startedAt = metrics.find(({ name }) => name === 'NavigationStart')?.value ?? Number.NaN
    return (await page.evaluate(() => performance.timeOrigin)) - startedAt * 1000
  } finally {
    await session.detach()
  }
}

/** Of the page's process, all its threads, in ms. */
export async function processorMs(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Performance.enable')
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'ProcessTime')?.value
    if (seconds === undefined) throw new Error('This browser does not tell the time of a process.')
    return seconds * 1000
  } finally {
    await session.detach()
  }
}
