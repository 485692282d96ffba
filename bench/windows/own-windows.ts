/** Opens a person's own windows of one document, and types into one of them while others are open beside it. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { panelPath, type PanelId } from '../../lib/windows/panels.ts'
import {
  clockDifference,
  createDocumentIn,
  freshContext,
  launchBrowser,
  openBeside,
  processorMs,
} from '../support/browser.ts'
import type { Context, Scope } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { diptych } from '../support/server.ts'
import { keysOf, matchPaints } from '../support/typed-windows.ts'
import { PAGES_QUIET_MS, createText, typeText } from '../support/type-text.ts'
import { recordPaints, scriptsLoaded, watchUsable } from './window-probes.ts'

export interface BrowserSetup {
  readonly browser: Browser
  readonly origin: string
  readonly document: string
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>
}

export type WindowKind = 'main' | PanelId

/** Starts a server with pages, and creates a person with a document. */
export async function startBrowserSetup(scope: Scope): Promise<BrowserSetup> {
  const { origin } = await scope.startServer(diptych({ pages: true }))
  const browser = await launchBrowser(scope)
  const writer = await freshContext(browser)
  return {
    browser,
    origin,
    document: await createDocumentIn(writer, origin),
    cookies: await writer.cookies(),
  }
}

const addressOf = ({ origin, document }: BrowserSetup, what: WindowKind): string =>
  origin + (what === 'main' ? `/d/${document}` : panelPath(document, what))

/** Opens a context of the same person, with nothing in its caches and stores. */
async function openColdContext({ browser, cookies }: BrowserSetup): Promise<BrowserContext> {
  const context = await freshContext(browser, { serviceWorkers: 'block' })
  await context.addCookies(cookies)
  await context.addInitScript(watchUsable)
  return context
}

async function openUsable(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return waitUntilUsable(page)
}

async function waitUntilUsable(page: Page): Promise<Page> {
  await page.waitForFunction(() => window.usableAt !== undefined)
  return page
}

export interface WindowOpening {
  readonly usableMs: number
  /** The bytes of scripts, as they came over the wire. */
  readonly bytes: number
}

export async function openCold(setup: BrowserSetup, what: WindowKind): Promise<WindowOpening> {
  await using context = await openColdContext(setup)
  await untilQuiet(PAGES_QUIET_MS)
  const page = await openUsable(context, addressOf(setup, what))
  const usableMs = await page.evaluate(() => window.usableAt!)
  return { usableMs, ...(await page.evaluate(scriptsLoaded)) }
}

/** Opens the editor of a new document in front, and panels of it beside. They are closed after the work. */
export async function withWindows<Result>(
  setup: BrowserSetup,
  panels: readonly PanelId[],
  work: (main: Page, beside: readonly Page[]) => Promise<Result>,
): Promise<Result> {
  await using context = await openColdContext(setup)
  const fresh = { ...setup, document: await createDocumentIn(context, setup.origin) }
  const main = await openUsable(context, addressOf(fresh, 'main'))
  const beside: Page[] = []
  for (const panel of panels)
    beside.push(await waitUntilUsable(await openBeside(main, addressOf(fresh, panel), beside.length)))
  await main.bringToFront()
  return await work(main, beside)
}

/** Focuses the editor, and waits for a quiet machine. */
export async function prepareTyping(main: Page): Promise<void> {
  await main.getByRole('textbox', { name: 'Document' }).focus()
  await untilQuiet(PAGES_QUIET_MS)
}

export interface TypingSamples {
  /** The processor time of the window that is typed into, with all its threads, in ms a key. */
  readonly cpuMs: number
  /** The ms from each key to its paint in another own window. */
  readonly seen: readonly number[]
}

interface BesideOptions {
  readonly others: number
  readonly round: number
  readonly keys: number
  readonly interval: number
  readonly panels: readonly PanelId[]
  readonly measure: Context['measure']
}

/** Types while `others` windows are open: the first is the preview, which shows the text, and the rest are other panels. */
export function typeBeside(
  setup: BrowserSetup,
  { others, round, keys, interval, panels, measure }: BesideOptions,
): Promise<TypingSamples> {
  const open = Array.from({ length: others }, (_, index) =>
    index === 0 ? 'preview' : panels[index % panels.length]!,
  )
  return withWindows(setup, open, async (main, [preview]) => {
    await preview?.evaluate(recordPaints, '[data-panel-body=preview] .text')
    await prepareTyping(main)
    const before = await processorMs(main)
    await measure(() => typeText(main, createText(keys).replaceAll(' ', '_'), { interval, seed: round }))
    const cpuMs = ((await processorMs(main)) - before) / keys
    return { cpuMs, seen: preview ? await seenAfter(main, preview, keys) : [] }
  })
}

async function seenAfter(main: Page, other: Page, keys: number): Promise<number[]> {
  await other.waitForFunction((count) => (window.paints?.at(-1)?.letters ?? 0) >= count, keys)
  const difference = await clockDifference(main, other)
  return matchPaints(await keysOf(main, keys), await other.evaluate(() => window.paints!), difference)
}
