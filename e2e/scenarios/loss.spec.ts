/**
 * The flow of the benchmark `loss`, small: programs and a browser's window each send one message at the same moment. Each message is
 * counted by its id in all of them and in the store.
 */
import type { YArrayEvent } from 'yjs'
import type { OpenDocument } from '../../lib/client.ts'
import { openSharedDocument } from '../../server/fixtures/shared-document.ts'
import { expect, test } from '../fixtures/test.ts'
import { describeTransports, http2Matrix } from '../fixtures/transport-matrix.ts'
import { summarizeSamples } from './fixtures/latency-export.ts'

const PROGRAMS = 14
/** The window's id comes after those of the programs. */
const allIds = Array.from({ length: PROGRAMS + 1 }, (_, id) => id)

describeTransports(({ transport }) => {
  test(`[D1] ${PROGRAMS} programs and a window by ${transport} send one message each at once: each is everywhere once, and in the store`, async ({
    server,
    scheme,
    createDocument,
    openWindow,
  }, info) => {
    const document = await createDocument()
    const openProgram = () => openSharedDocument(server.origin(scheme), document, transport)
    const openedWindow = await openWindow(document.url('editor'))
    const programs = Array.from(allIds.slice(0, PROGRAMS), openProgram)
    await Promise.all(programs.map(({ whenSynced }) => whenSynced))
    const received = programs.map(recordMessages)
    const [acknowledged] = await Promise.all([
      Promise.all(programs.map(sendMessage)),
      openedWindow.page.evaluate(sendMessageInPage, PROGRAMS),
    ])
    for (const messages of received)
      await expect.poll(() => messages.map(({ message }) => message).toSorted(byNumber)).toEqual(allIds)
    const readWindowMessages = () =>
      openedWindow.page.evaluate(() => window.diptych!.doc.getArray<number>('messages').toArray())
    await expect.poll(async () => (await readWindowMessages()).toSorted(byNumber)).toEqual(allIds)
    const arrived = received.flat().map(({ ms }) => ms)
    const figures = { acknowledged: summarizeSamples(acknowledged), arrived: summarizeSamples(arrived) }
    await info.attach('figures', {
      body: JSON.stringify(figures, null, 2),
      contentType: 'application/json',
    })

    await Promise.all(programs.map((program) => program.close()))
    await server.kill()
    await server.start()
    const lateProgram = openProgram()
    await lateProgram.whenSynced
    expect(lateProgram.doc.getArray<number>('messages').toArray().toSorted(byNumber)).toEqual(allIds)
    await lateProgram.close()
  })
}, http2Matrix)

const byNumber = (a: number, b: number): number => a - b

/** Records each message as often as it arrives, and the ms since all of them were sent. */
function recordMessages({ doc }: OpenDocument): { message: number; ms: number }[] {
  const received: { message: number; ms: number }[] = []
  const from = performance.now()
  doc.getArray<number>('messages').observe(({ changes }: YArrayEvent<number>) => {
    for (const { insert = [] } of changes.delta)
      for (const message of insert as number[]) received.push({ message, ms: performance.now() - from })
  })
  return received
}

/** @returns The ms until the message was acknowledged. */
async function sendMessage({ doc, whenSaved }: OpenDocument, message: number): Promise<number> {
  const from = performance.now()
  doc.getArray<number>('messages').push([message])
  await whenSaved()
  return performance.now() - from
}

/** Runs in the page. */
async function sendMessageInPage(message: number): Promise<void> {
  const { doc, whenSaved } = window.diptych!
  doc.getArray<number>('messages').push([message])
  await whenSaved()
}
