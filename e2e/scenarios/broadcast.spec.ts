/** The flow of the benchmark `broadcast`, small: everybody writes at once, and everybody hears everybody. */
import { match } from '../../bench/diptych/match.ts'
import { recordReader, recordWriter, writerDone } from '../../bench/diptych/page.ts'
import { expect, test } from '../support/fixtures.ts'
import { everyTransport } from '../support/transport-matrix.ts'
import type { Window } from '../support/window.ts'
import { withFigures } from './exported.ts'

test.use({ transport: everyTransport[0] })

const LETTERS = 'abc'
const MESSAGES = 8

test(
  '[S1] broadcast by every transport in turn: three windows write at once, each message arrives once and in order',
  { tag: '@long' },
  async ({ door, openWindow }, info) => {
    test.slow()
    const document = await door.newDocument()
    const windows: Window[] = []
    while (windows.length < LETTERS.length) windows.push(await openWindow(document.url('editor')))
    // A paragraph each, so that a message is never parted by another one's letters.
    const lines = LETTERS.split('')
    await windows[0]!.append(lines.join('\n'))
    for (const window of windows) await window.expectLines(lines.join('\n'))
    for (const { page } of windows)
      for (const record of [recordWriter, recordReader]) await page.evaluate(record)
    const figures: Record<string, unknown> = {}
    for (const transport of everyTransport)
      await test.step(`by ${transport}`, async () => {
        for (const window of windows) await goOver(window, transport)
        for (const [index, window] of windows.entries()) await caretIn(window, index)
        await Promise.all(windows.map((window, index) => write(window, LETTERS.charAt(index))))
        for (const [index, letter] of LETTERS.split('').entries()) lines[index] += messagesOf(letter)
        for (const window of windows) {
          await window.expectLines(lines.join('\n'))
          await expect(window.saveState).toHaveText('Saved')
        }
        figures[transport] = await timesOf(windows)
      })
    await info.attach('figures', { body: JSON.stringify(figures, null, 2), contentType: 'application/json' })
  },
)

/** Of each key since the last time: until it was acknowledged, and until each other window had it; in ms. */
async function timesOf(windows: readonly Window[]): Promise<Record<'acknowledged' | 'arrived', unknown>> {
  for (const { page } of windows) await page.waitForFunction(writerDone)
  const records = await Promise.all(windows.map(({ page }) => page.evaluate(takeRecords)))
  const answered = records.flatMap(({ written }) => written.edits.map((edit) => edit.answered - edit.edited))
  const arrived = records.flatMap(({ written }) =>
    records
      .filter(({ written: { client } }) => client !== written.client)
      // It throws where a key made no edit of its own, or an edit did not arrive.
      .flatMap(({ read }) => match(written, read).map(({ edited, applied }) => applied - edited)),
  )
  return { acknowledged: withFigures(answered), arrived: withFigures(arrived) }
}

/** In the page; it stands alone. */
function takeRecords() {
  const [written, read] = [window.writerRecord!, window.readerRecord!]
  return {
    written: { ...written, keys: written.keys.splice(0), edits: written.edits.splice(0) },
    read: { ...read, arrivals: read.arrivals.splice(0) },
  }
}

async function goOver(writer: Window, transport: (typeof everyTransport)[number]): Promise<void> {
  await writer.page.evaluate((id) => window.diptych!.switchTransport(id), transport)
  await writer.expectInUse(transport)
}

/** Behind a letter: in an empty paragraph the caret goes along where another window begins a new one behind it. */
async function caretIn({ page, text }: Window, index: number): Promise<void> {
  await text.locator('p').nth(index).click()
  await page.keyboard.press('End')
}

async function write(window: Window, letter: string): Promise<void> {
  for (let count = 0; count < MESSAGES; count++) await window.type(`${letter}${count} `)
}

const messagesOf = (letter: string): string =>
  Array.from({ length: MESSAGES }, (_, count) => `${letter}${count} `).join('')
