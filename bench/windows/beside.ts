/** Typing in one window while others of the same person are open. */
import type { Page } from '@playwright/test'
import type { PanelId } from '../../lib/windows/panels.ts'
import { clockDifference, processorMs } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { rhythm, textOf, type } from '../support/typing.ts'
import { match } from './match.ts'
import { keysOf, paintsOf, recordKeys, recordPaints } from './window-probes.ts'
import {
  freshContext,
  newDocument,
  openBeside,
  openUsable,
  pathOf,
  QUIET_MS,
  type BrowserSetup,
} from './browser-setup.ts'

export interface TypingSamples {
  readonly others: number
  /** Time on a processor of the window that is typed in, all its threads, in ms a key. */
  readonly cpuMs: number
  /** Key → painted in another own window, in ms. */
  readonly seen: readonly number[]
}

interface BesideOptions {
  readonly keys: number
  readonly interval: number
  readonly panels: readonly PanelId[]
  readonly measure: Context['measure']
}

/** One of the others shows the text, as the preview does; the rest are whatever a person may have open. */
export async function typeBeside(
  setup: BrowserSetup,
  others: number,
  round: number,
  { keys, interval, panels, measure }: BesideOptions,
): Promise<TypingSamples> {
  const context = await freshContext(setup)
  try {
    const fresh = { ...setup, document: await newDocument(context, setup.origin) }
    const address = (what: 'main' | PanelId) => fresh.origin + pathOf(fresh.document, what)
    const main = await openUsable(context, address('main'))
    const seenBy: Page[] = []
    for (let index = 0; index < others; index++) {
      const panel = index === 0 ? 'preview' : panels[index % panels.length]!
      seenBy.push(await openBeside(main, address(panel), index))
    }
    await main.bringToFront()
    await main.getByRole('textbox', { name: 'Document' }).focus()
    await main.evaluate(recordKeys)
    await seenBy[0]?.evaluate(recordPaints, '[data-panel-body=preview] .text')
    await untilQuiet(QUIET_MS)
    const text = textOf(keys).replaceAll(' ', '_')
    const before = await processorMs(main)
    await measure(() => type(main, text, rhythm(text.length, interval, round)))
    const cpuMs = ((await processorMs(main)) - before) / text.length
    return { others, cpuMs, seen: seenBy[0] ? await seenAfter(main, seenBy[0], text.length) : [] }
  } finally {
    await context.close()
  }
}

async function seenAfter(main: Page, other: Page, keys: number): Promise<number[]> {
  await other.waitForFunction((count) => (window.paints?.at(-1)?.letters ?? 0) >= count, keys)
  const difference = await clockDifference(main, other)
  const keysAt = await main.evaluate(keysOf)
  if (keysAt.length !== keys) throw new Error(`${keys} keys were typed, ${keysAt.length} went down.`)
  return match(keysAt, await other.evaluate(paintsOf), difference)
}
