/** Holds the samples that a window exports against records kept apart from the program, edit by edit and station by station. */
import { match } from '../../bench/diptych/match.ts'
import {
  readerDone,
  type ReaderRecord,
  recordReader,
  recordWriter,
  writerDone,
  type WriterRecord,
} from '../../bench/diptych/edit-recorder.ts'
import type { LatencySamples } from '../../lib/latency/latency-state.ts'
import { expect } from '../support/fixtures.ts'
import type { DocumentWindow } from '../support/document-window.ts'
import { areBoundsComplete, type StageBoundsRecord, recordBounds } from './stage-bounds.ts'
import { readClientId } from './latency-export.ts'

/** Two clocks' grains, and what passes between two stamps of one moment. */
const GRAIN_MS = 1.5

type SampleEdits = LatencySamples['edits']

export async function startRecording(
  writer: DocumentWindow,
  readers: readonly DocumentWindow[],
): Promise<void> {
  await writer.page.evaluate(recordWriter)
  for (const { page } of readers) await page.evaluate(recordReader)
  for (const { page } of [writer, ...readers]) await page.evaluate(recordBounds)
}

/** Each edit has a record of its own where it was made and in each window where it arrived, of the same moments. */
export async function expectSamplesMatchRecords(
  writer: DocumentWindow,
  readers: readonly DocumentWindow[],
  { edits }: LatencySamples,
): Promise<void> {
  await writer.page.waitForFunction(writerDone)
  const writerRecord = await writer.page.evaluate(() => window.writerRecord!)
  const numbers = edits.map(({ edit }) => edit)
  expect(numbers).toEqual(numbers.map((_number, index) => numbers[0]! + index))
  expect(writerRecord.edits).toHaveLength(edits.length)
  expectOwnStages(edits, writerRecord, await readBounds(writer))
  for (const reader of readers) {
    const lastEdit = { client: writerRecord.client, clock: writerRecord.edits.at(-1)!.clock }
    await reader.page.waitForFunction(readerDone, lastEdit)
    const readerRecord = await reader.page.evaluate(() => window.readerRecord!)
    expectArrivals(
      edits,
      await readClientId(reader.page),
      writerRecord,
      readerRecord,
      await readBounds(reader),
    )
  }
}

async function readBounds({ page }: DocumentWindow): Promise<StageBoundsRecord> {
  await page.waitForFunction(areBoundsComplete)
  return page.evaluate(() => window.boundsRecord!)
}

function expectOwnStages(
  edits: SampleEdits,
  { timeOrigin, keys, edits: recordedEdits }: WriterRecord,
  { own }: StageBoundsRecord,
): void {
  expect(own).toHaveLength(edits.length)
  for (const [index, { key, ...spans }] of edits.entries()) {
    const { edited, answered } = recordedEdits[index]!
    const { handedOver, lastUnsaved, frameStarted, afterFrame } = own[index]!
    const expectStage = (name: keyof typeof spans, [from, to]: readonly [number, number]): void =>
      expectWithin(`${name} of edit ${index}`, key + Number(spans[name]), {
        from: timeOrigin + from - GRAIN_MS,
        to: timeOrigin + to + GRAIN_MS,
      })
    expect(Math.abs(key - timeOrigin - keys[index]!), `the key of edit ${index}`).toBeLessThan(GRAIN_MS)
    expectStage('made', [keys[index]!, edited])
    expectStage('sent', [edited, handedOver])
    expectStage('acknowledged', [edited, answered])
    expectStage('saved', [lastUnsaved, answered])
    expectStage('ownPaint', [frameStarted, afterFrame])
  }
}

function expectArrivals(
  edits: SampleEdits,
  id: string,
  writerRecord: WriterRecord,
  readerRecord: ReaderRecord,
  { remote }: StageBoundsRecord,
): void {
  const records = match(writerRecord, readerRecord)
  for (const [index, { key, arrivals }] of edits.entries()) {
    const { edited, applied, painted } = records[index]!
    const { frameStarted, afterFrame } = remote[findArrivalIndex(writerRecord, index, readerRecord)]!
    const arrivalsThere = arrivals.filter(({ window }) => window === id)
    expect(arrivalsThere, `edit ${index} in ${id}`).toHaveLength(1)
    const expectStage = (name: 'received' | 'applied' | 'painted', [from, to]: readonly [number, number]) =>
      expectWithin(`edit ${index} ${name} in ${id}`, key + Number(arrivalsThere[0]![name]), {
        from: from - arrivalsThere[0]!.boundMs - GRAIN_MS,
        to: to + arrivalsThere[0]!.boundMs + GRAIN_MS,
      })
    expectStage('received', [edited, applied])
    // What the product calls applied lies between the document's having it and the frame that shows it.
    expectStage('applied', [applied, painted])
    expectStage('painted', [readerRecord.timeOrigin + frameStarted, readerRecord.timeOrigin + afterFrame])
  }
}

/** Which change of the reader's document was the first to have it. */
function findArrivalIndex(
  { client, edits }: WriterRecord,
  index: number,
  { arrivals }: ReaderRecord,
): number {
  const { clock } = edits[index]!
  return arrivals.findIndex(({ clocks }) => clocks.some(([of, at]) => of === client && at >= clock))
}

function expectWithin(what: string, at: number, { from, to }: { from: number; to: number }): void {
  const where = `${what}: ${at - from} ms behind the first moment, ${to - at} before the last`
  expect(at, where).toBeGreaterThanOrEqual(from)
  expect(at, where).toBeLessThanOrEqual(to)
}
