/** The flow of the benchmark `broadcast`, small: everybody writes at once, and receives what the others write. */
import { recordReader, recordWriter } from '../../bench/diptych/edit-recorder.ts'
import { installRecorder } from '../../bench/support/page-recorder.ts'
import { isAllAnswered, matchEdits } from '../../bench/support/typed-windows.ts'
import { expect, test } from '../fixtures/test.ts'
import { type NetworkTransportId, networkTransports } from '../../lib/transports/descriptors.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { summarizeSamples } from './fixtures/latency-export.ts'

test.use({ transport: 'websocket' })

const LETTERS = 'abc'
const MESSAGES = 8

test(
  '[S1] broadcast by every transport in turn: three windows write at once, each message arrives once and in order',
  { tag: '@long' },
  async ({ createDocument, openWindow }, info) => {
    test.slow()
    const document = await createDocument()
    const windows: DocumentWindow[] = []
    while (windows.length < LETTERS.length) windows.push(await openWindow(document.url('editor')))
    // Each writer has a paragraph, so that no message is split by another writer's letters.
    const lines = LETTERS.split('')
    await windows[0]!.typeAtEnd(lines.join('\n'))
    for (const window of windows) await window.expectLines(lines.join('\n'))
    for (const { page } of windows)
      for (const record of [installRecorder, recordWriter, recordReader]) await page.evaluate(record)
    const figures: Record<string, unknown> = {}
    for (const transport of networkTransports)
      await test.step(`by ${transport}`, async () => {
        for (const window of windows) await switchTransport(window, transport)
        for (const [index, window] of windows.entries()) await putCaretInLine(window, index)
        await Promise.all(windows.map((window, index) => typeMessages(window, LETTERS.charAt(index))))
        for (const [index, letter] of LETTERS.split('').entries()) lines[index] += messagesOf(letter)
        for (const window of windows) {
          await window.expectLines(lines.join('\n'))
          await expect(window.saveState).toHaveText('Saved')
        }
        figures[transport] = await collectTimes(windows)
      })
    await info.attach('figures', { body: JSON.stringify(figures, null, 2), contentType: 'application/json' })
  },
)

/** Returns for each key since the last call the ms until it was acknowledged, and until each other window had it. */
async function collectTimes(
  windows: readonly DocumentWindow[],
): Promise<Record<'acknowledged' | 'arrived', unknown>> {
  for (const { page } of windows) await page.waitForFunction(isAllAnswered)
  const records = await Promise.all(windows.map(({ page }) => page.evaluate(takeRecords)))
  const acknowledgedMs = records.flatMap(({ written }) =>
    written.edits.map((edit) => edit.answered - edit.edited),
  )
  const arrived = records.flatMap(({ keys, written }) =>
    records
      .filter((other) => other.written.author !== written.author)
      // This throws when a key made no edit of its own, or an edit did not arrive.
      .flatMap(({ arrivals }) =>
        matchEdits(keys, written, arrivals).map(({ edited, applied }) => applied - edited),
      ),
  )
  return { acknowledged: summarizeSamples(acknowledgedMs), arrived: summarizeSamples(arrived) }
}

/** Runs in the page. */
function takeRecords() {
  const { author, edits } = window.writerRecord!
  return {
    keys: window.recorder.keys.splice(0),
    written: { author, edits: edits.splice(0) },
    arrivals: window.editArrivals!.splice(0),
  }
}

async function switchTransport(writer: DocumentWindow, transport: NetworkTransportId): Promise<void> {
  await writer.page.evaluate((id) => window.diptych!.switchTransport(id), transport)
  await writer.expectTransport(transport)
}

/** Puts the caret after a letter: in an empty paragraph it would move when another window begins a new paragraph after it. */
async function putCaretInLine({ page, text }: DocumentWindow, index: number): Promise<void> {
  await text.locator('p').nth(index).click()
  await page.keyboard.press('End')
}

async function typeMessages(window: DocumentWindow, letter: string): Promise<void> {
  for (let count = 0; count < MESSAGES; count++) await window.type(`${letter}${count} `)
}

const messagesOf = (letter: string): string =>
  Array.from({ length: MESSAGES }, (_, count) => `${letter}${count} `).join('')
