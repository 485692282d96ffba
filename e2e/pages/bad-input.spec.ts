/**
 * Texts that no page writes, in a browser: each opens, shows its letter, and is written in, or the server refuses it from anybody. The longest task of each window is attached, and asserted nowhere: BAD_INPUT_FIGURES=1 leaves the test's own check of the
 * screen out of it.
 */
import * as Y from 'yjs'
import { badTexts, letter } from '../chaos/editor/bad-texts.ts'
import { recordDrawnBlocks } from '../fixtures/drawn-blocks.ts'
import { openWriter } from '../fixtures/document-writer.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const withLine =
  (line: string) =>
  (text: Y.XmlFragment): void => {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(letter + line)])
    text.insert(0, [paragraph])
  }

const unknownBlocks = (text: Y.XmlFragment): void => {
  const blocks = Array.from({ length: 100_000 }, () => new Y.XmlElement('hologram'))
  text.insert(0, [new Y.XmlText(letter), ...blocks])
}

const texts = [
  ...badTexts,
  ['a text of 1 MiB', withLine('word '.repeat(209_715))],
  ['a word of 1 MiB', withLine('w'.repeat(1_048_575))],
  ['100,000 unknown blocks', unknownBlocks],
] as const

/** Types nested deeper than MAX_TYPE_DEPTH, and a name that every object of JavaScript has. */
const refused: readonly string[] = [
  '10,000 quotes in each other',
  '10,000 paragraphs in each other',
  '10,000 unknown blocks in each other',
  '10,000 lists and items in each other',
  '10,000 known and unknown blocks in turn',
  'texts in each other',
  'a value of 1,000 levels',
  'an element "__proto__"',
]

declare global {
  /** In ms. */
  var longestTask: number | undefined
}

const isMeasured = process.env['BAD_INPUT_FIGURES'] === '1'

/** Runs in the page. */
function recordLongTasks(isAlone: boolean): void {
  if (isAlone) Object.defineProperty(globalThis, 'diptychChecksScreen', { value: false })
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      globalThis.longestTask = Math.max(duration, globalThis.longestTask ?? 0)
  })
  observer.observe({ type: 'longtask', buffered: true })
}

for (const [what, build] of texts.filter(([what]) => refused.includes(what)))
  test(`${what}: the server refuses it @long`, async ({ server, scheme, createDocument }) => {
    const document = await createDocument()
    const writer = await openWriter(server.origin(scheme), document)
    writer.doc.transact(() => build(writer.doc.getXmlFragment('default')))
    await expect(writer.whenSaved()).rejects.toThrow()
    await writer.close()
  })

for (const [what, build] of texts.filter(([what]) => !refused.includes(what)))
  test(`${what}: it opens, its letter is shown, and it is written in @long`, async ({
    server,
    scheme,
    browser,
    createDocument,
    openWindow,
  }, info) => {
    const document = await createDocument()
    const writer = await openWriter(server.origin(scheme), document)
    writer.doc.transact(() => build(writer.doc.getXmlFragment('default')))
    await writer.whenSaved()
    await writer.close()

    browser.once('context', (context) => {
      void context.addInitScript(recordLongTasks, isMeasured)
      void context.addInitScript(recordDrawnBlocks)
    })
    const { page, text } = await openWindow(document.url('editor'))
    await expect(text).toContainText(letter)
    await text.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('丁')
    await expect(text).toContainText('丁')
    await expectSaved(page)
    expect(Math.max(...(await page.evaluate(() => globalThis.drawnBlocks!)))).toBeLessThanOrEqual(1_000)
    const longest = await page.evaluate(() => globalThis.longestTask ?? 0)
    info.annotations.push({ type: 'longest task', description: `${Math.round(longest)} ms` })
    const reader = await openWriter(server.origin(scheme), document)
    expect(reader.doc.getXmlFragment('default').toJSON()).toContain('丁')
    await reader.close()
  })
