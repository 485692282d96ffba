/** The flow of the benchmark `keystrokes`: compares the delays that the program reports with records kept apart from it. */
import type { LatencySamples } from '../../lib/latency/latency-state.ts'
import { expect, test } from '../fixtures/test.ts'
import { describeTransports, shortMatrix } from '../fixtures/transport-matrix.ts'
import { expectSameLines, type DocumentWindow } from '../fixtures/document-window.ts'
import { expectSameInCsv } from './fixtures/exported-csv.ts'
import {
  areRoundedTo,
  readClientId,
  exportSamples,
  exportCompleteSamples,
  figuresOf,
  startMeasuring,
  resetMeasurement,
  readOverlayRow,
  typeUntilMeasured,
} from './fixtures/latency-export.ts'
import { expectSamplesMatchRecords, startRecording } from './fixtures/sample-comparison.ts'

/** With so many keys, p50 and p95 are each one of the samples. */
const KEY_COUNT = 60
const text = 'each key is followed from the hand to the screens of others '.slice(0, KEY_COUNT)

// What is compared are figures of the same program: window-pair.spec.ts has every transport.
describeTransports(({ name, transport, protocol }) => {
  test(`[L1] keystrokes by ${name}: every edit arrives once and in order, and the figures shown are those of the samples`, async ({
    createDocument,
    openWindow,
  }, info) => {
    const url = (await createDocument()).url('editor')
    const windows = [await openWindow(url), await openWindow(url), await openWindow(url)]
    const [writer, ...readers] = windows as [DocumentWindow, DocumentWindow, DocumentWindow]
    await startMeasuring(writer)
    const warmUpText = await typeUntilMeasured(writer, readers.length)
    // A letter that is still on its way would be in only the second of a reader's two records.
    await expectSameLines(windows, warmUpText)
    await resetMeasurement(writer)
    await writer.focusEnd()
    await startRecording(writer, readers)
    await writer.type(text)

    await expectSameLines(windows, warmUpText + text)
    const samples = await exportCompleteSamples(writer, KEY_COUNT, readers.length)
    await info.attach('samples', { body: JSON.stringify(samples), contentType: 'application/json' })
    for (const { link } of samples.edits) expect(link).toMatchObject({ transport, protocol })
    expectSameInCsv(await exportSamples(writer, 'CSV'), samples)
    await expectSamplesMatchRecords(writer, readers, samples)
    await expectFiguresShown(writer, readers, samples)
  })
}, shortMatrix)

async function expectFiguresShown(
  writer: DocumentWindow,
  readers: readonly DocumentWindow[],
  samples: LatencySamples,
): Promise<void> {
  const { edits } = samples
  const own = {
    'Own paint': edits.map(({ ownPaint }) => Number(ownPaint)),
    Acknowledged: edits.map(({ acknowledged }) => acknowledged!),
    Saved: edits.map(({ saved }) => saved!),
  }
  for (const [stage, values] of Object.entries(own)) await expectRow(writer, stage, values)
  for (const reader of readers) {
    const id = await readClientId(reader.page)
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
  writer: DocumentWindow,
  stage: string,
  values: readonly number[],
  person?: string,
): Promise<void> {
  const exactFigures = figuresOf(values)
  let shownFigures: number[] = []
  await expect
    .poll(
      async () => {
        shownFigures = await readOverlayRow(writer, stage, person)
        return areRoundedTo(exactFigures, shownFigures)
      },
      { message: `${stage} is to be shown as ${exactFigures.join(', ')}` },
    )
    .toBe(true)
}
