/**
 * Measures what a key costs the page's main thread in a document of 50 tables and 200 code blocks, beside one of prose as long. Both take
 * turns, each round in a window of its own; the thread's processor time is counted and not a clock. Run it by
 * `node --import ./server/require-node.js bench/lengths/keys-among-blocks.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Y from 'yjs'
import { freshContext, launchBrowser } from '../support/browser.ts'
import { type Context, ScenarioScope } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { createText, PAGES_QUIET_MS, typeText, WARM_UP_KEYS } from '../support/type-text.ts'
import { type EditorProgram, startProgram } from './editor-programs.ts'
import { countMainThreadTime, type MainThreadTime } from './main-thread.ts'
import { createParagraphs, createProseDocument } from './prose-document.ts'
import { hasPainted, isCaretInLastBlock, recordWindow } from './window-recorder.ts'

const TABLES = 50
const ROWS = 6
const COLUMNS = 4
const CODE_BLOCKS = 200
const CODE = 'export function add(a: number, b: number): number {\n  // The sum.\n  return a + b\n}\n'.repeat(
  4,
)
const CELL = 'a few words'

const ROUNDS = 3
const KEYS = 100
const INTERVAL_MS = 60
const LIMIT = { ms: 1_200_000, words: 'it takes too long' }

const element = (name: string, ...children: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement => {
  const made = new Y.XmlElement(name)
  made.insert(0, children)
  return made
}

const times = <Made>(count: number, make: () => Made): Made[] => Array.from({ length: count }, make)

const createCell = (): Y.XmlElement => element('tableCell', element('paragraph', new Y.XmlText(CELL)))

const createTable = (): Y.XmlElement =>
  element('table', ...times(ROWS, () => element('tableRow', ...times(COLUMNS, createCell))))

function createCode(): Y.XmlElement {
  const code = element('codeBlock', new Y.XmlText(CODE))
  code.setAttribute('language', 'ts')
  return code
}

/** @param characters Of prose among the blocks. */
function createBlocksDocument(characters: number): Uint8Array {
  const doc = new Y.Doc()
  const blocks = [
    ...createParagraphs(characters).map((text) => element('paragraph', new Y.XmlText(text))),
    ...times(TABLES, () => [createTable(), ...times(CODE_BLOCKS / TABLES, createCode)]).flat(),
    element('paragraph'),
  ]
  doc.transact(() => doc.getXmlFragment('default').push(blocks))
  return Y.encodeStateAsUpdate(doc)
}

const CHARACTERS_OF_BLOCKS = TABLES * ROWS * COLUMNS * CELL.length + CODE_BLOCKS * CODE.length
const CHARACTERS = 104_000
const documents = {
  prose: createProseDocument(CHARACTERS, 1),
  blocks: createBlocksDocument(CHARACTERS - CHARACTERS_OF_BLOCKS),
}

async function measureKey(ctx: Context, program: EditorProgram, update: Uint8Array): Promise<MainThreadTime> {
  const browser = await ctx.shared('browser', launchBrowser)
  await using context = await freshContext(browser)
  const page = await program.openWindow(context, await program.newDocument(update))
  const text = page.locator('[role=textbox].ProseMirror:not([aria-busy])')
  await text.focus()
  await page.keyboard.press('Control+End')
  await page.waitForFunction(isCaretInLastBlock)
  await page.evaluate(recordWindow)
  await untilQuiet(PAGES_QUIET_MS)
  const pace = { interval: INTERVAL_MS, seed: 1 }
  const letters = createText(WARM_UP_KEYS + KEYS)
  await typeText(page, letters.slice(0, WARM_UP_KEYS), pace)
  await page.waitForFunction(hasPainted, WARM_UP_KEYS)
  const read = await countMainThreadTime(page)
  await typeText(page, letters.slice(WARM_UP_KEYS), pace)
  await page.waitForFunction(hasPainted, letters.length)
  const { all, scripts } = await read()
  return { all: all / KEYS, scripts: scripts / KEYS }
}

const folder = await mkdtemp(join(tmpdir(), 'keys-among-blocks-'))
const scenario = new ScenarioScope(folder, new AbortController().signal, console.log)
try {
  await scenario.runTrial(async (ctx) => {
    const program = await startProgram.diptych(ctx)
    for (let round = 1; round <= ROUNDS; round++)
      for (const [name, update] of Object.entries(documents)) {
        const { all, scripts } = await measureKey(ctx, program, update)
        ctx.say(
          `round ${round}, ${name}: ${all.toFixed(1)} ms a key, ${scripts.toFixed(1)} of them in scripts`,
        )
      }
  }, LIMIT)
} finally {
  await scenario[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
