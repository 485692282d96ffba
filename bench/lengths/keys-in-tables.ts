/**
 * Measures what a key in a table of 10,000 cells costs the page's main thread, beside one in a paragraph below that table. They take turns, each
 * round in a window of its own; the thread's processor time is counted and not a clock. Run it by
 * `node --import ./server/require-node.js bench/lengths/keys-in-tables.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import * as Y from 'yjs'
import { freshContext, launchBrowser } from '../support/browser.ts'
import { type Context, ScenarioScope } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { createText, PAGES_QUIET_MS, typeText, WARM_UP_KEYS } from '../support/type-text.ts'
import { type EditorProgram, startProgram } from './editor-programs.ts'
import { countMainThreadTime, type MainThreadTime } from './main-thread.ts'

const sizes = [
  [100, 100],
  [2_500, 4],
] as const

const ROUNDS = 2
const KEYS = 40
const INTERVAL_MS = 150
const LIMIT = { ms: 1_200_000, words: 'it takes too long' }

function element(name: string, ...children: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const made = new Y.XmlElement(name)
  made.insert(0, children)
  return made
}

const times = (count: number, make: () => Y.XmlElement): Y.XmlElement[] => Array.from({ length: count }, make)

const createCell = (): Y.XmlElement => element('tableCell', element('paragraph', new Y.XmlText('word')))

function createTableDocument(rows: number, columns: number): Uint8Array {
  const doc = new Y.Doc()
  const table = element('table', ...times(rows, () => element('tableRow', ...times(columns, createCell))))
  doc.transact(() => doc.getXmlFragment('default').push([table, element('paragraph', new Y.XmlText())]))
  return Y.encodeStateAsUpdate(doc)
}

/** A person types in one of these places. */
const places: Readonly<Record<string, (text: Locator, rows: number, columns: number) => Locator>> = {
  'in a cell': (text, rows, columns) =>
    text
      .locator('tr')
      .nth(rows / 2)
      .locator('td, th')
      .nth(columns / 2),
  'in the paragraph below': (text) => text.locator('> p').last(),
}

async function measureKey(
  ctx: Context,
  program: EditorProgram,
  update: Uint8Array,
  find: (text: Locator) => Locator,
): Promise<MainThreadTime> {
  const browser = await ctx.shared('browser', launchBrowser)
  await using context = await freshContext(browser)
  const page = await program.openWindow(context, await program.newDocument(update))
  const place = find(page.locator('[role=textbox].ProseMirror:not([aria-busy])'))
  await place.click()
  await page.keyboard.press('End')
  await untilQuiet(PAGES_QUIET_MS)
  const pace = { interval: INTERVAL_MS, seed: 1 }
  const letters = createText(WARM_UP_KEYS + KEYS)
  const hasLetters = (count: number): Promise<void> =>
    place.filter({ hasText: letters.slice(0, count).trim() }).waitFor()
  await typeText(page, letters.slice(0, WARM_UP_KEYS), pace)
  await hasLetters(WARM_UP_KEYS)
  const read = await countMainThreadTime(page)
  await typeText(page, letters.slice(WARM_UP_KEYS), pace)
  await hasLetters(letters.length)
  const { all, scripts } = await read()
  return { all: all / KEYS, scripts: scripts / KEYS }
}

const folder = await mkdtemp(join(tmpdir(), 'keys-in-tables-'))
const scenario = new ScenarioScope(folder, new AbortController().signal, console.log)
try {
  await scenario.runTrial(async (ctx) => {
    const program = await startProgram.diptych(ctx)
    for (let round = 1; round <= ROUNDS; round++)
      for (const [rows, columns] of sizes)
        for (const [name, find] of Object.entries(places)) {
          const update = createTableDocument(rows, columns)
          const cost = await measureKey(ctx, program, update, (text) => find(text, rows, columns))
          const [all, scripts] = [cost.all.toFixed(1), cost.scripts.toFixed(1)]
          ctx.say(
            `round ${round}, ${rows} × ${columns}, ${name}: ${all} ms a key, ${scripts} of them in scripts`,
          )
        }
  }, LIMIT)
} finally {
  await scenario[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
