/** Typing in one window while others of the same person are open; and a window opened from nothing. */
import type { Page } from '@playwright/test'
import type { PanelId } from '../../lib/windows/panels.ts'
import { clockDifference, createDocumentIn, processorMs } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { keysOf, matchPaints } from '../support/typed-windows.ts'
import { PAGES_QUIET_MS, textOf, type } from '../support/typing.ts'
import {
  addressOf,
  type BrowserSetup,
  freshContext,
  openBeside,
  openUsable,
  type WindowKind,
} from './browser-setup.ts'
import { recordPaints, scriptsLoaded } from './window-probes.ts'

export interface WindowOpening {
  readonly usableMs: number
  /** Of scripts, as they came over the wire. */
  readonly bytes: number
}

export async function openCold(setup: BrowserSetup, what: WindowKind): Promise<WindowOpening> {
  const context = await freshContext(setup)
  try {
    await untilQuiet(PAGES_QUIET_MS)
    const page = await openUsable(context, addressOf(setup, what))
    const usableMs = await page.evaluate(() => window.usableAt!)
    return { usableMs, ...(await page.evaluate(scriptsLoaded)) }
  } finally {
    await context.close()
  }
}

export interface TypingSamples {
  /** Time on a processor of the window that is typed in, all its threads, in ms a key. */
  readonly cpuMs: number
  /** Key → painted in another own window, in ms. */
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

/** One of the others shows the text, as the preview does; the rest are whatever a person may have open. */
export async function typeBeside(
  setup: BrowserSetup,
  { others, round, keys, interval, panels, measure }: BesideOptions,
): Promise<TypingSamples> {
  const context = await freshContext(setup)
  try {
    const fresh = { ...setup, document: await createDocumentIn(context, setup.origin) }
    const main = await openUsable(context, addressOf(fresh, 'main'))
    const seenBy: Page[] = []
    for (let index = 0; index < others; index++) {
      const panel = index === 0 ? 'preview' : panels[index % panels.length]!
      seenBy.push(await openBeside(main, addressOf(fresh, panel), index))
    }
    await main.bringToFront()
    await main.getByRole('textbox', { name: 'Document' }).focus()
    await seenBy[0]?.evaluate(recordPaints, '[data-panel-body=preview] .text')
    await untilQuiet(PAGES_QUIET_MS)
    const before = await processorMs(main)
    await measure(() => type(main, textOf(keys).replaceAll(' ', '_'), { interval, seed: round }))
    const cpuMs = ((await processorMs(main)) - before) / keys
    return { cpuMs, seen: seenBy[0] ? await seenAfter(main, seenBy[0], keys) : [] }
  } finally {
    await context.close()
  }
}

async function seenAfter(main: Page, other: Page, keys: number): Promise<number[]> {
  await other.waitForFunction((count) => (window.paints?.at(-1)?.letters ?? 0) >= count, keys)
  const difference = await clockDifference(main, other)
  return matchPaints(await keysOf(main, keys), await other.evaluate(() => window.paints!), difference)
}
