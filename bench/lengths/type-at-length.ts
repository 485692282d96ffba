/** Types into one window while others show the text, and measures it in the same way for every program. */
import type { Browser, Page } from '@playwright/test'
import { clockDifference, freshContext } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { keysOf, matchPaints, type Paint } from '../support/typed-windows.ts'
import { PAGES_QUIET_MS, createText, typeText, type TypingPace, WARM_UP_KEYS } from '../support/type-text.ts'
import {
  hasBlocks,
  hasCarets,
  hasPainted,
  isCaretInLastBlock,
  readWindow,
  recordWindow,
  type WindowRecord,
} from './window-recorder.ts'
import type { EditorProgram } from './editor-programs.ts'
import { countMainThreadTime, type MainThreadTime } from './main-thread.ts'
import { createParagraphs, createProseDocument } from './prose-document.ts'

const READERS = 2
export const WINDOWS = 1 + READERS
const ARRIVAL_MS = 60_000

export interface LengthSamples {
  /** The ms from each key to its paint in the window that is typed into. */
  readonly own: readonly number[]
  /** The ms from each key until another window's document had it, for each of the other windows. */
  readonly applied: readonly (readonly number[])[]
  /** The ms from each key to its paint in another window, for each of the other windows. */
  readonly painted: readonly (readonly number[])[]
  /** How long a key takes the window that is typed into. */
  readonly mainThread?: MainThreadTime
  /** The ms of each task over 50 ms, in the window that is typed into, and in each of the others. */
  readonly longTasks: readonly (readonly number[])[]
  /** The largest difference between the clocks of two windows, in ms. Times between windows are corrected by it. */
  readonly clockDifference: number
  /** By how many ms the latest key was late. */
  readonly latest: number
}

export interface LengthOrder extends TypingPace {
  readonly characters: number
  readonly others: number
  /** The ms between two letters of one of the others. */
  readonly pace: number
  readonly keys: number
}

interface Windows {
  readonly writer: Page
  readonly readers: readonly Page[]
}

export async function typeAtLength(
  ctx: Context,
  browser: Browser,
  program: EditorProgram,
  order: LengthOrder,
): Promise<LengthSamples> {
  const { characters, others, pace, keys } = order
  const place = await program.newDocument(createProseDocument(characters, others + 1))
  const blocks = createParagraphs(characters).length + others + 1
  const windows = await openWindows(ctx, blocks, async () => {
    const context = await freshContext(browser)
    ctx.defer(() => context.close())
    return program.openWindow(context, place)
  })
  const { writer, readers } = windows
  await untilQuiet(PAGES_QUIET_MS)
  if (others > 0) await program.startOthers(ctx, { ...place, count: others, interval: pace })
  for (const page of readers) await page.waitForFunction(hasCarets, 1 + others)
  const text = createText(WARM_UP_KEYS + keys)
  const readMainThread = await countMainThreadTime(writer)
  const latest = await ctx.measure(async () => {
    const late = await typeText(writer, text, order)
    for (const page of [writer, ...readers])
      await page.waitForFunction(hasPainted, text.length, { timeout: ARRIVAL_MS })
    return late
  })
  const { all, scripts } = await readMainThread()
  const mainThread = { all: all / text.length, scripts: scripts / text.length }
  return { latest, mainThread, ...(await collect(windows, text)) }
}

/** @param blocks The number of paragraphs that must be on screen before anything is recorded. */
async function openWindows(ctx: Context, blocks: number, open: () => Promise<Page>): Promise<Windows> {
  const pages: Page[] = []
  while (pages.length < WINDOWS) {
    ctx.signal.throwIfAborted()
    const page = await open()
    await page.waitForFunction(hasBlocks, blocks)
    await page.evaluate(recordWindow)
    pages.push(page)
  }
  const [writer, ...readers] = pages as [Page, ...Page[]]
  await placeCaret(writer)
  return { writer, readers }
}

/** Places it in the empty paragraph at the end of the text. */
async function placeCaret(page: Page): Promise<void> {
  await page.locator('[role=textbox].ProseMirror').focus()
  await page.keyboard.press('Control+End')
  await page.waitForFunction(isCaretInLastBlock)
}

async function collect(
  { writer, readers }: Windows,
  text: string,
): Promise<Omit<LengthSamples, 'latest' | 'mainThread'>> {
  const keys = await keysOf(writer, text.length)
  const since = keys[WARM_UP_KEYS]!
  const own = await recordOf(writer, text)
  const elsewhere = []
  for (const reader of readers) {
    const record = await recordOf(reader, text)
    elsewhere.push({ record, difference: await clockDifference(writer, reader) })
  }
  const times = (paints: readonly Paint[], difference: number): number[] =>
    matchPaints(keys, paints, difference).slice(WARM_UP_KEYS)
  return {
    own: times(own.painted, 0),
    applied: elsewhere.map(({ record, difference }) => times(record.applied, difference)),
    painted: elsewhere.map(({ record, difference }) => times(record.painted, difference)),
    longTasks: [{ record: own, difference: 0 }, ...elsewhere].map(({ record, difference }) =>
      record.longTasks.filter(({ at, ms }) => at + ms + difference >= since).map(({ ms }) => ms),
    ),
    clockDifference: Math.max(...elsewhere.map(({ difference }) => Math.abs(difference))),
  }
}

/** @throws {Error} when a letter is missing, doubled or out of order. */
async function recordOf(page: Page, typed: string): Promise<WindowRecord> {
  const record = await page.evaluate(readWindow)
  if (record.text !== typed)
    throw new Error(`typed were "${typed}", and the last paragraph reads "${record.text}"`)
  return record
}
