/**
 * The flow of the benchmark `loss`, small: programs and a browser's window say one message at the same moment; each is counted by
 * its id in all of them and in the store.
 */
import type { YArrayEvent } from 'yjs'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { expect, test } from '../support/fixtures.ts'
import { describeTransports, http2Matrix } from '../support/transport-matrix.ts'
import { withFigures } from './exported.ts'

const PROGRAMS = 14
/** The window's id comes behind those of the programs. */
const everybody = Array.from({ length: PROGRAMS + 1 }, (_, id) => id)

describeTransports(({ transport }) => {
  test(`[D1] ${PROGRAMS} programs and a window by ${transport} say one message at once: each is everywhere once, and in the store`, async ({
    server,
    scheme,
    door,
    openWindow,
  }, info) => {
    const { id, tokens, url } = await door.newDocument()
    const open = () =>
      openDocument({
        url: server.origin(scheme),
        document: id,
        token: tokens.editor,
        transport,
        insecure: true,
      })
    const shown = await openWindow(url('editor'))
    const programs = Array.from(everybody.slice(0, PROGRAMS), open)
    await Promise.all(programs.map(({ whenSynced }) => whenSynced))
    const heard = programs.map(hear)
    const [acknowledged] = await Promise.all([
      Promise.all(programs.map(say)),
      shown.page.evaluate(sayInPage, PROGRAMS),
    ])
    for (const messages of heard)
      await expect.poll(() => messages.map(({ message }) => message).toSorted(byNumber)).toEqual(everybody)
    const inWindow = () => shown.page.evaluate(() => window.diptych!.doc.getArray<number>('said').toArray())
    await expect.poll(async () => (await inWindow()).toSorted(byNumber)).toEqual(everybody)
    const arrived = heard.flat().map(({ ms }) => ms)
    const figures = { acknowledged: withFigures(acknowledged), arrived: withFigures(arrived) }
    await info.attach('figures', {
      body: JSON.stringify(figures, null, 2),
      contentType: 'application/json',
    })

    await Promise.all(programs.map((program) => program.close()))
    await server.kill()
    await server.start()
    const late = open()
    await late.whenSynced
    expect(late.doc.getArray<number>('said').toArray().toSorted(byNumber)).toEqual(everybody)
    await late.close()
  })
}, http2Matrix)

const byNumber = (a: number, b: number): number => a - b

/** Every message as often as it comes, and how long after everybody spoke. */
function hear({ doc }: OpenDocument): { message: number; ms: number }[] {
  const heard: { message: number; ms: number }[] = []
  const from = performance.now()
  doc.getArray<number>('said').observe(({ changes }: YArrayEvent<number>) => {
    for (const { insert = [] } of changes.delta)
      for (const message of insert as number[]) heard.push({ message, ms: performance.now() - from })
  })
  return heard
}

/** @returns After how many ms it was acknowledged. */
async function say({ doc, whenSaved }: OpenDocument, message: number): Promise<number> {
  const from = performance.now()
  doc.getArray<number>('said').push([message])
  await whenSaved()
  return performance.now() - from
}

/** In the page; it stands alone. */
async function sayInPage(message: number): Promise<void> {
  const { doc, whenSaved } = window.diptych!
  doc.getArray<number>('said').push([message])
  await whenSaved()
}
