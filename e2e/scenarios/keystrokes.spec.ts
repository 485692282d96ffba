/** The flow of the benchmark `keystrokes`: what the program says of its delays, beside records kept apart from it. */
import type { Samples } from '../../lib/latency/state.ts'
import { expect, test } from '../support/fixtures.ts'
import { describeTransports } from '../support/transport-matrix.ts'
import { expectEqual, type Window } from '../support/window.ts'
import { expectSameInCsv } from './csv.ts'
import {
  areShownAs,
  clientOf,
  exportAs,
  exportWhole,
  figuresOf,
  measure,
  reset,
  shownIn,
  warmUp,
} from './exported.ts'
import { expectOneForOne, record } from './one-for-one.ts'

/** So many that p50 and p95 are one of them each. */
const KEYS = 60
const text = 'each key is followed from the hand to the screens of others '.slice(0, KEYS)

describeTransports(({ name, transport, protocol }) => {
  test(`[L1] keystrokes by ${name}: every edit arrives once and in order, and the figures shown are those of the samples`, async ({
    door,
    openWindow,
  }, info) => {
    const url = (await door.newDocument()).url('editor')
    const windows = [await openWindow(url), await openWindow(url), await openWindow(url)]
    const [writer, ...readers] = windows as [Window, Window, Window]
    await measure(writer)
    const before = await warmUp(writer, readers.length)
    await reset(writer)
    await writer.focusEnd()
    await record(writer, readers)
    await writer.type(text)

    await expectEqual(windows, before + text)
    const samples = await exportWhole(writer, KEYS, readers.length)
    await info.attach('samples', { body: JSON.stringify(samples), contentType: 'application/json' })
    for (const { link } of samples.edits) expect(link).toMatchObject({ transport, protocol })
    expectSameInCsv(await exportAs(writer, 'CSV'), samples)
    await expectOneForOne(writer, readers, samples)
    await expectShown(writer, readers, samples)
  })
})

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
