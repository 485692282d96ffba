/** The flow of the benchmark `keystrokes`: what the program says of its delays, beside records kept apart from it. */
import { match } from '../../bench/diptych/match.ts'
import { readerDone, recordReader, recordWriter, writerDone } from '../../bench/diptych/page.ts'
import type { Samples } from '../../lib/latency/state.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectEqual, type Window } from '../support/window.ts'
import { areShownAs, clientOf, exportWhole, figuresOf, measure, reset, shownIn, warmUp } from './exported.ts'
import { everyTransport, windowsBy } from './ways.ts'

/** So many that p50 and p95 are one of them each. */
const KEYS = 60
const text = 'each key is followed from the hand to the screens of others '.slice(0, KEYS)
/** Two clocks' grains, and what passes between two stamps of one moment. */
const GRAIN_MS = 1.5

for (const transport of everyTransport) {
  test(`[L1] keystrokes by ${transport}: every edit arrives once and in order, and the figures shown are those of the samples`, async ({
    browser,
    door,
    openWindowOf,
  }, info) => {
    const document = await door.newDocument()
    const url = document.url('editor')
    const windows = await windowsBy(browser, openWindowOf, transport, [url, url, url])
    const [writer, ...readers] = windows as [Window, Window, Window]
    await measure(writer)
    const before = await warmUp(writer, readers.length)
    await reset(writer)
    await writer.focusEnd()
    await writer.page.evaluate(recordWriter)
    for (const { page } of readers) await page.evaluate(recordReader)
    await writer.type(text)

    await expectEqual(windows, before + text)
    const samples = await exportWhole(writer, KEYS, readers.length)
    await info.attach('samples', { body: JSON.stringify(samples), contentType: 'application/json' })
    await expectOneForOne(writer, readers, samples)
    await expectShown(writer, readers, samples)
  })
}

/** Each edit has a record of its own where it was sent and in each window where it arrived, of the same moments. */
async function expectOneForOne(
  writer: Window,
  readers: readonly Window[],
  { edits }: Samples,
): Promise<void> {
  await writer.page.waitForFunction(writerDone)
  const written = await writer.page.evaluate(() => window.writerRecord!)
  const numbers = edits.map(({ edit }) => edit)
  expect(numbers).toEqual(numbers.map((_number, index) => numbers[0]! + index))
  expect(written.edits).toHaveLength(edits.length)
  for (const reader of readers) {
    const last = { client: written.client, clock: written.edits.at(-1)!.clock }
    await reader.page.waitForFunction(readerDone, last)
    const id = await clientOf(reader.page)
    const records = match(written, await reader.page.evaluate(() => window.readerRecord!))
    for (const [index, { key, made, arrivals }] of edits.entries()) {
      const record = records[index]!
      expect(Math.abs(key - record.key), `the key of edit ${index}`).toBeLessThan(GRAIN_MS)
      expect(made, `edit ${index} is made after its key`).toBeGreaterThanOrEqual(0)
      const own = arrivals.filter(({ window }) => window === id)
      expect(own, `edit ${index} in ${id}`).toHaveLength(1)
      const { applied, painted, boundMs } = own[0]!
      const within = boundMs + GRAIN_MS
      // What the product calls applied lies between the document's having it and the frame that shows it.
      expect(key + applied, `edit ${index} applied`).toBeGreaterThanOrEqual(record.applied - within)
      expect(key + applied, `edit ${index} applied`).toBeLessThanOrEqual(record.painted + within)
      expect(key + Number(painted), `edit ${index} painted`).toBeGreaterThanOrEqual(record.rendered - within)
    }
  }
}

async function expectShown(writer: Window, readers: readonly Window[], samples: Samples): Promise<void> {
  const { edits } = samples
  const own = {
    'Own paint': edits.map(({ ownPaint }) => Number(ownPaint)),
    Acknowledged: edits.map(({ acknowledged }) => acknowledged!),
    Saved: edits.map(({ saved }) => saved!),
  }
  for (const [station, values] of Object.entries(own)) await expectRow(writer, station, values)
  for (const reader of readers) {
    const id = await clientOf(reader.page)
    const person = samples.windows.find((window) => window.id === id)!.person
    const arrivals = edits.flatMap((edit) => edit.arrivals.filter(({ window }) => window === id))
    await expectRow(
      writer,
      'Received',
      arrivals.map(({ received }) => received),
      person,
    )
    await expectRow(
      writer,
      'Painted',
      arrivals.map(({ painted }) => Number(painted)),
      person,
    )
  }
}

async function expectRow(
  writer: Window,
  station: string,
  values: readonly number[],
  person?: string,
): Promise<void> {
  const exact = figuresOf(values)
  let shown: number[] = []
  await expect
    .poll(
      async () => {
        shown = await shownIn(writer, station, person)
        return areShownAs(exact, shown)
      },
      { message: `${station} is to be shown as ${exact.join(', ')}` },
    )
    .toBe(true)
}
