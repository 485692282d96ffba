/** One person's document, and browsers of theirs that have never been there. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { panelPath, type PanelId } from '../../lib/windows/panels.ts'
import {
  createDocumentIn,
  freshContext as newContext,
  launchIn,
  openBeside as openPopup,
} from '../support/browser.ts'
import type { Scope } from '../support/context.ts'
import { diptych } from '../support/server.ts'
import { watchUsable } from './window-probes.ts'

export interface BrowserSetup {
  readonly browser: Browser
  readonly origin: string
  readonly document: string
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>
}

export type WindowKind = 'main' | PanelId

export const addressOf = ({ origin, document }: BrowserSetup, what: WindowKind): string =>
  origin + (what === 'main' ? `/d/${document}` : panelPath(document, what))

/** A browser of the same person that has never been here: nothing is cached, nothing is kept. */
export async function freshContext({ browser, cookies }: BrowserSetup): Promise<BrowserContext> {
  const context = await newContext(browser, { serviceWorkers: 'block' })
  await context.addCookies(cookies)
  await context.addInitScript(watchUsable)
  return context
}

export async function openUsable(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return usable(page)
}

export const openBeside = async (opener: Page, address: string, index: number): Promise<Page> =>
  usable(await openPopup(opener, address, index))

async function usable(page: Page): Promise<Page> {
  await page.waitForFunction(() => window.usableAt !== undefined)
  return page
}

/** A server with its pages, a person and a document of theirs. */
export async function startBrowserSetup(scope: Scope): Promise<BrowserSetup> {
  const { origin } = await scope.startServer(diptych({ pages: true }))
  const browser = await launchIn(scope)
  const writer = await newContext(browser)
  return {
    browser,
    origin,
    document: await createDocumentIn(writer, origin),
    cookies: await writer.cookies(),
  }
}
