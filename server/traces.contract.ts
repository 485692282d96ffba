/** Real typing: every replica and the store end as the trace says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { OpenDocument } from '../lib/client.ts'
import { RealServer, type SharedDocument, type Way } from './fixtures/real-server.ts'
import { arrival, replay, textOf } from './fixtures/replay.ts'
import { readTrace, tracesFolder, typeInto } from './fixtures/traces.ts'

/** A writer waits for the disk after so many transactions: the measure of back-pressure. */
const UNSAVED = 300
/** So many transactions are typed in one turn of the event loop, and go out together. */
const TOGETHER = 5
const MINUTES = 60_000

const reason = tracesFolder ? '' : ' (skipped: TRACES_DIR does not name the folder of editing-traces)'

const agree = (a: Y.Doc, b: Y.Doc): boolean => Y.equalSnapshots(Y.snapshot(a), Y.snapshot(b))

/** @param alone The ways of one writer. @param together The ways of two who write at the same time. */
export function describeTraces({ alone, together }: Record<'alone' | 'together', readonly Way[]>): void {
  describe.skipIf(!tracesFolder)(`recorded typing${reason}`, () => {
    let server: RealServer
    const written: { document: SharedDocument; end: string }[] = []

    beforeAll(async () => {
      server = await RealServer.start()
    })
    afterAll(() => server[Symbol.asyncDispose]())

    async function windows(way: Way, count: number, end: string): Promise<OpenDocument[]> {
      const document = await server.newDocument()
      written.push({ document, end })
      const opened = Array.from({ length: count }, () => server.open(document, way))
      await Promise.all(opened.map(({ whenSynced }) => whenSynced))
      return opened
    }

    async function ends(opened: readonly OpenDocument[], end: string): Promise<void> {
      const [first] = opened as [OpenDocument]
      for (const { doc } of opened) {
        await arrival(doc, () => textOf(doc).length === textOf(first.doc).length && agree(doc, first.doc))
        expect(textOf(doc).toJSON() === end).toBe(true)
      }
      for (const one of opened) expect(one.stats().links).toBe(1)
      await Promise.all(opened.map((one) => one.close()))
    }

    describe.concurrent('one writer, and one who follows', () => {
      test.each(alone)(
        'json-crdt-patch by $transport over $scheme',
        async (way) => {
          const { txns, endContent } = readTrace('json-crdt-patch')
          const opened = await windows(way, 2, endContent)
          const [writer] = opened as [OpenDocument]
          for (const [index, transaction] of txns.entries()) {
            typeInto(textOf(writer.doc), transaction)
            if (index % TOGETHER === 0) await new Promise((resolve) => setImmediate(resolve))
            if (index % UNSAVED === 0) await writer.whenSaved()
          }
          await writer.whenSaved()
          await ends(opened, endContent)
        },
        3 * MINUTES,
      )
    })

    describe.concurrent('two writers at the same time', () => {
      test.each(together)(
        'friendsforever by $transport over $scheme',
        async (way) => {
          const trace = readTrace('friendsforever')
          const opened = await windows(way, 2, trace.endContent)
          await replay(opened as [OpenDocument, OpenDocument], trace)
          await ends(opened, trace.endContent)
        },
        3 * MINUTES,
      )
    })

    test('the store holds the same', async () => {
      await server.stop()
      for (const { document, end } of written)
        expect(textOf(await server.stored(document.id)).toJSON() === end).toBe(true)
      expect(written).toHaveLength(alone.length + together.length)
    })
  })
}
