/** One person's document, and browsers of theirs that have never been there. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { freshContext as newContext, launch } from '../support/browser.ts'
import type { Scope } from '../support/context.ts'
import { diptych } from '../support/server.ts'
import { panelPath, type PanelId } from '../../lib/windows/panels.ts'
import { watchUsable } from './window-probes.ts'

/** As long as a trial waits at most for the machine to have nothing else to do. */
export const QUIET_MS = 20_000

export interface BrowserSetup {
  readonly browser: Browser
  readonly origin: string
  readonly document: string
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>
}

export async function newDocument({ request }: BrowserContext, origin: string): Promise<string> {
  const response = await request.post(`${origin}/api/documents`, { data: {}, headers: { Origin: origin } })
  if (response.status() !== 201) throw new Error(`POST /api/documents: ${response.status()}`)
  return ((await response.json()) as { id: string }).id
}

export const pathOf = (document: string, what: 'main' | PanelId): string =>
  what === 'main' ? `/d/${document}` : panelPath(document, what)

/** A browser of the same person that has never been here: nothing is cached, nothing is kept. */
export async function freshContext({ browser, cookies }: BrowserSetup): Promise<BrowserContext> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  await context.addCookies(cookies)
  await context.addInitScript(watchUsable)
  return context
}

export async function openUsable(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return usable(page)
}

/**
 * As the product does it: a window of its own on screen. A page in a tab that is not in front is drawn nowhere, and the browser gives
 * it a frame a second once it has made a few in vain.
 */
export async function openBeside(opener: Page, address: string, index: number): Promise<Page> {
  const features = `popup,noopener,width=480,height=600,left=${index * 60},top=${index * 30}`
  const [page] = await Promise.all([
    opener.context().waitForEvent('page'),
    opener.evaluate(([url, how]) => void open(url, '_blank', how), [address, features] as const),
  ])
  return usable(page)
}

async function usable(page: Page): Promise<Page> {
  await page.waitForFunction(() => window.usableAt !== undefined)
  return page
}

/** A server with its pages, a person and a document of theirs. */
export async function startBrowserSetup(scope: Scope): Promise<BrowserSetup> {
  const server = await scope.startServer(diptych({ pages: true }))
  const browser = await launch()
  scope.defer(() => browser.close())
  const writer = await newContext(browser)
  const document = await newDocument(writer, server.origin)
  return { browser, origin: server.origin, document, cookies: await writer.cookies() }
}
