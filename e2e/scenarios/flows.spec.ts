/** The flows of the benchmarks `open`, `handshake`, `payload`, `replay`, `durable`, `idle` and `rooms`, small, in one pair of windows. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SharedDocument } from '../support/documents.ts'
import { expect, test } from '../support/fixtures.ts'
import { blockOf, writer as writerOf } from '../support/long-text.ts'
import { describeTransports, type TransportCase } from '../support/transport-matrix.ts'
import { expectEqual, type Window } from '../support/window.ts'
import { carrierOf } from '../support/wire.ts'
import { exchange } from './payload.ts'
import { replayInTurns } from './replaying.ts'
import { expectApart } from './rooms.ts'

const IDLE_MS = 1_000
const PARAGRAPHS = 60

type Pair = readonly [Window, Window]

describeTransports((transportCase) => {
  test(`[S1] by ${transportCase.name}: two windows open a text, exchange edits of all sizes, replay, save, rest, and hear only their room`, async ({
    server,
    scheme,
    door,
    openWindow,
  }, info) => {
    const origin = server.origin(scheme)
    const document = await door.newDocument()
    const text = await writeText(origin, document)
    const figures: Record<string, unknown> = {}
    /** What a flow measures is attached, and never asserted. */
    const flow = async (name: string, run: () => Promise<unknown>): Promise<void> => {
      const began = performance.now()
      const result = await test.step(name, run)
      figures[name] = { tookMs: performance.now() - began, result }
    }

    let windows: Window[] = []
    await flow('open', async () => {
      const url = document.url('editor')
      windows = [await openWindow(url), await openWindow(url)]
      await expectEqual(windows, text)
    })
    const pair = windows as unknown as Pair
    await flow('handshake', () => Promise.all(pair.map((window) => expectCase(window, transportCase))))
    await flow('payload', () => exchange(pair))
    await flow('replay', () => replayInTurns(pair))
    await flow('durable', () => expectDurable(pair, text, origin, document))
    await flow('idle', () => expectAwake(pair, `${text} kept`))
    await flow('rooms', async () => {
      const other = await door.newDocument()
      await pair[1].page.goto(other.url('editor'))
      await pair[1].expectReady()
      await pair[1].expectInUse(transportCase.transport)
      const rooms = [document, other].map((room, index) => ({ document: room, window: pair[index]! }))
      await expectApart(rooms, origin, transportCase.transport)
    })
    await info.attach('figures', {
      body: JSON.stringify(figures, null, 2),
      contentType: 'application/json',
    })
  })
})

/** By a program, before any window is there. */
async function writeText(origin: string, document: SharedDocument): Promise<string> {
  const lines = Array.from({ length: PARAGRAPHS }, (_, line) => `Paragraph ${line + 1} was there before.`)
  const { doc, whenSaved, close } = await writerOf(origin, document)
  const body = doc.getXmlFragment('default')
  doc.transact(() => {
    body.delete(0, body.length)
    body.insert(
      0,
      lines.map((line) => blockOf('paragraph', line)),
    )
  })
  await whenSaved()
  await close()
  return lines.join('\n')
}

/** The window says what was asked for, and the browser's own tools say that it is so. */
async function expectCase({ page, wire }: Window, { transport, protocol }: TransportCase): Promise<unknown> {
  const link = await page.evaluate(() => window.diptych!.transport)
  expect(link).toMatchObject({ transport, protocol })
  const [kind, path] = carrierOf[transport]
  expect(wire.last(kind, path)?.protocol).toBe(protocol)
  return link
}

/** @returns How long each edit waited until it was acknowledged, in ms. */
async function expectDurable(
  pair: Pair,
  text: string,
  origin: string,
  document: SharedDocument,
): Promise<number[]> {
  const [writer] = pair
  await writer.focusEnd()
  const answers = await writer.page.evaluateHandle(timeAnswers)
  await writer.type(' kept')
  await expectEqual(pair, `${text} kept`)
  const times = await answers.jsonValue()
  // A newcomer has it from the server alone; a window that comes back may have a copy of its own.
  const newcomer = await writerOf(origin, document)
  const body = newcomer.doc.getXmlFragment('default').toJSON()
  expect(body).toContain(`<paragraph>${text.split('\n').at(-1)} kept</paragraph>`)
  await newcomer.close()
  await writer.page.reload()
  await writer.expectReady()
  await expectEqual(pair, `${text} kept`)
  return times
}

/** In the page; it stands alone. */
function timeAnswers(): number[] {
  const { doc, whenSaved } = window.diptych!
  const times: number[] = []
  doc.on('update', (_update: Uint8Array, _origin: unknown, _doc: unknown, { local }: { local: boolean }) => {
    if (!local) return
    const made = performance.now()
    void whenSaved().then(() => times.push(performance.now() - made))
  })
  return times
}

/** Nothing is waited for here: time passes. @returns What went over the link meanwhile. */
async function expectAwake(pair: Pair, text: string): Promise<unknown> {
  const stats = ({ page }: Window) => page.evaluate(() => window.diptych!.stats())
  const before = await Promise.all(pair.map(stats))
  await sleep(IDLE_MS)
  const after = await Promise.all(pair.map(stats))
  await pair[0].append(', one wakes')
  await expectEqual(pair, `${text}, one wakes`)
  await pair[1].append(', the other one too')
  await expectEqual(pair, `${text}, one wakes, the other one too`)
  const links = (await Promise.all(pair.map(stats))).map((now) => now.links)
  expect(links).toEqual(before.map((then) => then.links))
  return { idleMs: IDLE_MS, before, after }
}
