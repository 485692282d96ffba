/** Holds the samples that a window exports against records kept apart from the program, edit by edit and station by station. */
import { match } from '../../bench/diptych/match.ts'
import {
  readerDone,
  type ReaderRecord,
  recordReader,
  recordWriter,
  writerDone,
  type WriterRecord,
} from '../../bench/diptych/page.ts'
import type { Samples } from '../../lib/latency/state.ts'
import { expect } from '../support/fixtures.ts'
import type { Window } from '../support/window.ts'
import { boundsDone, type BoundsRecord, recordBounds } from './bounds.ts'
import { clientOf } from './exported.ts'

/** Two clocks' grains, and what passes between two stamps of one moment. */
const GRAIN_MS = 1.5

type Edits = Samples['edits']

export async function record(writer: Window, readers: readonly Window[]): Promise<void> {
  await writer.page.evaluate(recordWriter)
  for (const { page } of readers) await page.evaluate(recordReader)
  for (const { page } of [writer, ...readers]) await page.evaluate(recordBounds)
}

/** Each edit has a record of its own where it was made and in each window where it arrived, of the same moments. */
export async function expectOneForOne(
  writer: Window,
  readers: readonly Window[],
  { edits }: Samples,
): Promise<void> {
  await writer.page.waitForFunction(writerDone)
  const written = await writer.page.evaluate(() => window.writerRecord!)
  const numbers = edits.map(({ edit }) => edit)
  expect(numbers).toEqual(numbers.map((_number, index) => numbers[0]! + index))
  expect(written.edits).toHaveLength(edits.length)
  expectOwn(edits, written, await boundsOf(writer))
  for (const reader of readers) {
    const last = { client: written.client, clock: written.edits.at(-1)!.clock }
    await reader.page.waitForFunction(readerDone, last)
    const read = await reader.page.evaluate(() => window.readerRecord!)
    expectArrivals(edits, await clientOf(reader.page), written, read, await boundsOf(reader))
  }
}

async function boundsOf({ page }: Window): Promise<BoundsRecord> {
  await page.waitForFunction(boundsDone)
  return page.evaluate(() => window.boundsRecord!)
}

function expectOwn(
  edits: Edits,
  { timeOrigin, keys, edits: made }: WriterRecord,
  { own }: BoundsRecord,
): void {
  expect(own).toHaveLength(edits.length)
  for (const [index, { key, ...spans }] of edits.entries()) {
    const { edited, answered } = made[index]!
    const { handed, unsaved, framed, behind } = own[index]!
    const expectStation = (name: keyof typeof spans, [from, to]: readonly [number, number]): void =>
      expectWithin(`${name} of edit ${index}`, key + Number(spans[name]), {
        from: timeOrigin + from - GRAIN_MS,
        to: timeOrigin + to + GRAIN_MS,
      })
    expect(Math.abs(key - timeOrigin - keys[index]!), `the key of edit ${index}`).toBeLessThan(GRAIN_MS)
    expectStation('made', [keys[index]!, edited])
    expectStation('sent', [edited, handed])
    expectStation('acknowledged', [edited, answered])
    expectStation('saved', [unsaved, answered])
    expectStation('ownPaint', [framed, behind])
  }
}

function expectArrivals(
  edits: Edits,
  id: string,
  written: WriterRecord,
  read: ReaderRecord,
  { others }: BoundsRecord,
): void {
  const records = match(written, read)
  for (const [index, { key, arrivals }] of edits.entries()) {
    const { edited, applied, painted } = records[index]!
    const { framed, behind } = others[arrivalOf(written, index, read)]!
    const told = arrivals.filter(({ window }) => window === id)
    expect(told, `edit ${index} in ${id}`).toHaveLength(1)
    const expectStation = (name: 'received' | 'applied' | 'painted', [from, to]: readonly [number, number]) =>
      expectWithin(`edit ${index} ${name} in ${id}`, key + Number(told[0]![name]), {
        from: from - told[0]!.boundMs - GRAIN_MS,
        to: to + told[0]!.boundMs + GRAIN_MS,
      })
    expectStation('received', [edited, applied])
    // What the product calls applied lies between the document's having it and the frame that shows it.
    expectStation('applied', [applied, painted])
    expectStation('painted', [read.timeOrigin + framed, read.timeOrigin + behind])
  }
}

/** Which change of the reader's document was the first to have it. */
function arrivalOf({ client, edits }: WriterRecord, index: number, { arrivals }: ReaderRecord): number {
  const { clock } = edits[index]!
  return arrivals.findIndex(({ clocks }) => clocks.some(([of, at]) => of === client && at >= clock))
}

function expectWithin(what: string, at: number, { from, to }: { from: number; to: number }): void {
  const where = `${what}: ${at - from} ms behind the first moment, ${to - at} before the last`
  expect(at, where).toBeGreaterThanOrEqual(from)
  expect(at, where).toBeLessThanOrEqual(to)
}
