/** The flows of the benchmarks `open`, `handshake`, `payload`, `replay`, `durable`, `idle` and `rooms`, small, in one pair of windows. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenableDocument } from '../fixtures/openable-document.ts'
import { expect, test } from '../fixtures/test.ts'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { describeTransports, type TransportCase } from '../fixtures/transport-matrix.ts'
import { expectSameLines, type DocumentWindow } from '../fixtures/document-window.ts'
import { carrierOf } from '../fixtures/page-network-log.ts'
import { exchangePayloads } from './fixtures/payload.ts'
import { replayInTurns } from './fixtures/replay-in-turns.ts'
import { expectRoomsSeparate } from './fixtures/separate-rooms.ts'

const IDLE_MS = 1_000
const PARAGRAPHS = 60

type WindowPair = readonly [DocumentWindow, DocumentWindow]

describeTransports((transportCase) => {
  test(`[S1] by ${transportCase.name}: two windows open a text, exchange edits of all sizes, replay, save, rest, and hear only their room`, async ({
    server,
    scheme,
    createDocument,
    openWindow,
  }, info) => {
    const origin = server.origin(scheme)
    const document = await createDocument()
    const text = await createText(origin, document)
    const figures: Record<string, unknown> = {}
    /** What a flow measures is attached, and never asserted. */
    const runFlow = async (name: string, run: () => Promise<unknown>): Promise<void> => {
      const startedAt = performance.now()
      const result = await test.step(name, run)
      figures[name] = { tookMs: performance.now() - startedAt, result }
    }

    let windows: DocumentWindow[] = []
    await runFlow('open', async () => {
      const url = document.url('editor')
      windows = [await openWindow(url), await openWindow(url)]
      await expectSameLines(windows, text)
    })
    const pair = windows as unknown as WindowPair
    await runFlow('handshake', () =>
      Promise.all(pair.map((window) => expectTransportCase(window, transportCase))),
    )
    await runFlow('payload', () => exchangePayloads(pair))
    await runFlow('replay', () => replayInTurns(pair))
    await runFlow('durable', () => expectDurableEdit(pair, text, origin, document))
    await runFlow('idle', () => expectEditsAfterIdle(pair, `${text} kept`))
    await runFlow('rooms', async () => {
      const other = await createDocument()
      await pair[1].page.goto(other.url('editor'))
      await pair[1].expectReady()
      await pair[1].expectTransport(transportCase.transport)
      const rooms = [document, other].map((room, index) => ({ document: room, window: pair[index]! }))
      await expectRoomsSeparate(rooms, origin, transportCase.transport)
    })
    await info.attach('figures', {
      body: JSON.stringify(figures, null, 2),
      contentType: 'application/json',
    })
  })
})

/** Writes the text by a program, before any window is open. */
async function createText(origin: string, document: OpenableDocument): Promise<string> {
  const lines = Array.from({ length: PARAGRAPHS }, (_, line) => `Paragraph ${line + 1} was there before.`)
  const { doc, whenSaved, close } = await openWriter(origin, document)
  const body = doc.getXmlFragment('default')
  doc.transact(() => {
    body.delete(0, body.length)
    body.insert(
      0,
      lines.map((line) => createTextBlock('paragraph', line)),
    )
  })
  await whenSaved()
  await close()
  return lines.join('\n')
}

/** Checks that the window reports the requested transport, and that the browser's own tools confirm it. */
async function expectTransportCase(
  { page, networkLog }: DocumentWindow,
  { transport, protocol }: TransportCase,
): Promise<unknown> {
  const link = await page.evaluate(() => window.diptych!.transport)
  expect(link).toMatchObject({ transport, protocol })
  const [kind, path] = carrierOf(transport)
  // The browser tells of its requests in its own time.
  await expect.poll(() => networkLog.findLastExchange(kind, path)?.protocol).toBe(protocol)
  return link
}

/** @returns How long each edit waited until it was acknowledged, in ms. */
async function expectDurableEdit(
  pair: WindowPair,
  text: string,
  origin: string,
  document: OpenableDocument,
): Promise<number[]> {
  const [writer] = pair
  await writer.focusEnd()
  const saveTimes = await writer.page.evaluateHandle(recordSaveTimes)
  await writer.type(' kept')
  await expectSameLines(pair, `${text} kept`)
  const times = await saveTimes.jsonValue()
  // A newcomer has the text from the server alone; a window that reloads may have a copy of its own.
  const newcomer = await openWriter(origin, document)
  const body = newcomer.doc.getXmlFragment('default').toJSON()
  expect(body).toContain(`<paragraph>${text.split('\n').at(-1)} kept</paragraph>`)
  await newcomer.close()
  await writer.page.reload()
  await writer.expectReady()
  await expectSameLines(pair, `${text} kept`)
  return times
}

/** Runs in the page. */
function recordSaveTimes(): number[] {
  const { doc, whenSaved } = window.diptych!
  const times: number[] = []
  doc.on('update', (_update: Uint8Array, _origin: unknown, _doc: unknown, { local }: { local: boolean }) => {
    if (!local) return
    const editedAt = performance.now()
    void whenSaved().then(() => times.push(performance.now() - editedAt))
  })
  return times
}

/** Lets time pass without any edit. @returns The traffic before and after. */
async function expectEditsAfterIdle(pair: WindowPair, text: string): Promise<unknown> {
  const readStats = ({ page }: DocumentWindow) => page.evaluate(() => window.diptych!.stats())
  const before = await Promise.all(pair.map(readStats))
  await sleep(IDLE_MS)
  const after = await Promise.all(pair.map(readStats))
  await pair[0].typeAtEnd(', one wakes')
  await expectSameLines(pair, `${text}, one wakes`)
  await pair[1].typeAtEnd(', the other one too')
  await expectSameLines(pair, `${text}, one wakes, the other one too`)
  const links = (await Promise.all(pair.map(readStats))).map((now) => now.links)
  expect(links).toEqual(before.map((then) => then.links))
  return { idleMs: IDLE_MS, before, after }
}
