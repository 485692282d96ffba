/**
 * Measures the longest task of a page's main thread while what nobody writes by hand is pasted or opens, and while a person types in it then.
 * Run it by `node --import ./server/require-node.js bench/lengths/bad-input.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import * as Y from 'yjs'
import { freshContext, launchBrowser } from '../support/browser.ts'
import { type Context, ScenarioScope } from '../support/context.ts'
import { type EditorProgram, startProgram } from './editor-programs.ts'
import { measureLongestTask } from './longest-task.ts'

const MILLION = 1_000_000
const DEEP = 10_000
const LIMIT = { ms: 1_200_000, words: 'it takes too long' }
/** For what follows a key: workers answer. */
const SETTLE_MS = 2_000
/** A long paste is inserted in pieces. */
const PASTE_MS = 20_000

const codeLines = 'let a = "b" // c\n'.repeat(MILLION / 17)

/** The test pastes these from the clipboard. */
const pastes: Readonly<Record<string, readonly [type: string, data: string]>> = {
  'a table of 1,000 × 1,000 from a page': [
    'text/html',
    `<table>${`<tr>${'<td>x</td>'.repeat(1000)}</tr>`.repeat(1000)}</table>`,
  ],
  'a table of 1,000 × 1,000 from a spreadsheet': ['text/plain', `${'x\t'.repeat(999)}x\n`.repeat(1000)],
  'a table of 100 × 100': ['text/plain', `${'x\t'.repeat(99)}x\n`.repeat(100)],
  'code of 1 MB': ['text/html', `<pre>${codeLines}</pre>`],
  '1 MB of plain lines': ['text/plain', codeLines],
  'a page of 10,000 paragraphs': ['text/html', '<p>some <b>words</b> of a page</p>'.repeat(10_000)],
  '10,000 quotes in each other': [
    'text/html',
    `${'<blockquote>'.repeat(DEEP)}<p>x</p>${'</blockquote>'.repeat(DEEP)}`,
  ],
  '10,000 quotes in each other in Markdown': ['text/plain', `${'> '.repeat(DEEP)}x\n\n- one\n- two`],
  'a formula of 300,000 letters in Markdown': [
    'text/plain',
    `# one\n\n$$\n${'x+'.repeat(149_000)}\n$$\n\n- two`,
  ],
}

const withAttribute = (name: string, attribute: string, value: unknown) => (): Y.XmlElement => {
  const element = new Y.XmlElement(name)
  element.setAttribute(attribute, value as string)
  return element
}

/** The document holds these blocks between two lines. */
const blocks: Readonly<Record<string, () => Y.XmlElement>> = {
  'a formula of a million letters': withAttribute('blockMath', 'latex', '\\left('.repeat(MILLION / 6)),
  'a formula of 2,000 groups': withAttribute(
    'blockMath',
    'latex',
    `${'{'.repeat(2_000)}${'}'.repeat(2_000)}`,
  ),
  'a formula as long as one may be': withAttribute('blockMath', 'latex', `${'x+'.repeat(2_499)}x`),
  'a formula of fractions': withAttribute('blockMath', 'latex', '\\frac{a}{b}'.repeat(450)),
  'a level of a million letters': withAttribute('heading', 'level', 'x'.repeat(MILLION)),
  'a language of a million letters': withAttribute('codeBlock', 'language', 'x'.repeat(MILLION)),
  'a column of a million letters': withAttribute('table', 'col:a', 'x'.repeat(MILLION)),
  'a language that is an object': withAttribute('codeBlock', 'language', { a: [1] }),
}

function documentOf(make?: () => Y.XmlElement): Uint8Array {
  const doc = new Y.Doc()
  const line = () => new Y.XmlElement('paragraph')
  doc.transact(() => doc.getXmlFragment('default').push(make ? [line(), make(), line()] : [line()]))
  return Y.encodeStateAsUpdate(doc)
}

async function focusEnd(page: Page): Promise<void> {
  await page.locator('[role=textbox].ProseMirror:not([aria-busy])').focus()
  await page.keyboard.press('Control+End')
  await page.waitForTimeout(SETTLE_MS)
}

async function measureLetter(page: Page): Promise<number> {
  return measureLongestTask(page, async () => {
    await page.keyboard.press('a')
    await page.waitForTimeout(SETTLE_MS)
  })
}

async function measurePaste(
  ctx: Context,
  page: Page,
  [type, data]: readonly [string, string],
): Promise<void> {
  await focusEnd(page)
  await page.evaluate(
    ([kind, content]) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData(kind, content)
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      addEventListener(
        'keydown',
        (event) => event.key === 'F9' && document.activeElement!.dispatchEvent(paste),
      )
    },
    [type, data] as const,
  )
  const pasted = await measureLongestTask(page, async () => {
    await page.keyboard.press('F9')
    await page.waitForTimeout(PASTE_MS)
  })
  const [first, next] = [await measureLetter(page), await measureLetter(page)]
  ctx.say(`  pasted ${msText(pasted)}, the first letter ${msText(first)}, a letter ${msText(next)}`)
}

async function measureOpening(ctx: Context, page: Page): Promise<void> {
  const opened = await measureLongestTask(page, async () => {
    await page.reload()
    await page.locator('[role=textbox].ProseMirror:not([aria-busy])').waitFor()
    await page.waitForTimeout(SETTLE_MS)
  })
  await focusEnd(page)
  const [first, next] = [await measureLetter(page), await measureLetter(page)]
  ctx.say(`  it opens ${msText(opened)}, the first letter ${msText(first)}, a letter ${msText(next)}`)
}

const msText = (ms: number): string => `${ms.toFixed(0)} ms`

async function inWindow(
  ctx: Context,
  program: EditorProgram,
  update: Uint8Array,
  measure: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await ctx.shared('browser', launchBrowser)
  await using context = await freshContext(browser)
  await measure(await program.openWindow(context, await program.newDocument(update)))
}

const folder = await mkdtemp(join(tmpdir(), 'bad-input-'))
const scenario = new ScenarioScope(folder, new AbortController().signal, console.log)
const isWanted = (name: string): boolean => name.includes(process.argv[2] ?? '')
try {
  await scenario.runTrial(async (ctx) => {
    const program = await startProgram.diptych(ctx)
    for (const [name, paste] of Object.entries(pastes).filter(([name]) => isWanted(name))) {
      ctx.say(`${name}:`)
      await inWindow(ctx, program, documentOf(), (page) => measurePaste(ctx, page, paste))
    }
    for (const [name, make] of Object.entries(blocks).filter(([name]) => isWanted(name))) {
      ctx.say(`${name}:`)

      await inWindow(ctx, program, documentOf(make), (page) => measureOpening(ctx, page))
    }
  }, LIMIT)
} finally {
  await scenario[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
