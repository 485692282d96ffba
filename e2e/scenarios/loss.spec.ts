/**
 * The flow of the benchmark `loss`, small: programs and a browser's window say one message at the same moment; each is counted by
 * its id in all of them and in the store.
 */
import type { YArrayEvent } from 'yjs'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { expect, test } from '../fixtures/test.ts'
import { describeTransports, http2Matrix } from '../fixtures/transport-matrix.ts'
import { summarizeSamples } from './fixtures/latency-export.ts'

const PROGRAMS = 14
/** The window's id comes behind those of the programs. */
const allIds = Array.from({ length: PROGRAMS + 1 }, (_, id) => id)

describeTransports(({ transport }) => {
  test(`[D1] ${PROGRAMS} programs and a window by ${transport} say one message at once: each is everywhere once, and in the store`, async ({
    server,
    scheme,
    door,
    openWindow,
  }, info) => {
    const { id, tokens, url } = await door.createDocument()
    const openProgram = () =>
      openDocument({
        url: server.origin(scheme),
        document: id,
        token: tokens.editor,
        transport,
        insecure: true,
      })
    const openedWindow = await openWindow(url('editor'))
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
      openedWindow.page.evaluate(() => window.diptych!.doc.getArray<number>('said').toArray())
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
    expect(lateProgram.doc.getArray<number>('said').toArray().toSorted(byNumber)).toEqual(allIds)
    await lateProgram.close()
  })
}, http2Matrix)

const byNumber = (a: number, b: number): number => a - b

/** Every message as often as it comes, and how long after everybody spoke. */
function recordMessages({ doc }: OpenDocument): { message: number; ms: number }[] {
  const received: { message: number; ms: number }[] = []
  const from = performance.now()
  doc.getArray<number>('said').observe(({ changes }: YArrayEvent<number>) => {
    for (const { insert = [] } of changes.delta)
      for (const message of insert as number[]) received.push({ message, ms: performance.now() - from })
  })
  return received
}

/** @returns After how many ms it was acknowledged. */
async function sendMessage({ doc, whenSaved }: OpenDocument, message: number): Promise<number> {
  const from = performance.now()
  doc.getArray<number>('said').push([message])
  await whenSaved()
  return performance.now() - from
}

/** In the page; it stands alone. */
async function sendMessageInPage(message: number): Promise<void> {
  const { doc, whenSaved } = window.diptych!
  doc.getArray<number>('said').push([message])
  await whenSaved()
}
