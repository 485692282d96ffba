/** Real typing: every replica and the store end as the trace does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { OpenDocument } from '../lib/client.ts'
import { readRefusals } from './fixtures/read-refusals.ts'
import { RealServer, type TransportRoute } from './fixtures/real-server.ts'
import type { SharedDocument } from './fixtures/shared-document.ts'
import { waitForUpdate, replayTrace, traceTextOf } from './fixtures/replay-trace.ts'
import { readTrace, tracesFolder, applyTransaction } from './fixtures/traces.ts'
import { settle } from '../lib/fixtures/wait.ts'

/** A writer waits for the disk after this many transactions, to measure back-pressure. */
const MAX_UNSAVED_TRANSACTIONS = 300
/** So many transactions are typed in one turn of the event loop, and are sent together. */
const TRANSACTIONS_PER_TURN = 5
const MINUTE_MS = 60_000

const skipReason = tracesFolder ? '' : ' (skipped: TRACES_DIR does not name the folder of editing-traces)'

const hasSameState = (a: Y.Doc, b: Y.Doc): boolean => Y.equalSnapshots(Y.snapshot(a), Y.snapshot(b))

/** @param routes Those of one writer, and those of two writers at the same time. */
export function describeTraces({
  singleWriterRoutes,
  twoWriterRoutes,
}: Record<'singleWriterRoutes' | 'twoWriterRoutes', readonly TransportRoute[]>): void {
  describe.skipIf(!tracesFolder)(`recorded typing${skipReason}`, () => {
    let server: RealServer
    const writtenDocuments: { document: SharedDocument; end: string }[] = []

    beforeAll(async () => {
      server = await RealServer.start()
    })
    afterAll(() => server[Symbol.asyncDispose]())

    async function openWindows(
      route: TransportRoute,
      count: number,
      expectedText: string,
    ): Promise<OpenDocument[]> {
      const document = await server.createDocument()
      writtenDocuments.push({ document, end: expectedText })
      const opened = Array.from({ length: count }, () => server.openDocument(document, route))
      await Promise.all(opened.map(({ whenSynced }) => whenSynced))
      return opened
    }

    async function expectEnd(opened: readonly OpenDocument[], expectedText: string): Promise<void> {
      const [first] = opened as [OpenDocument]
      for (const { doc } of opened) {
        await waitForUpdate(
          doc,
          () => traceTextOf(doc).length === traceTextOf(first.doc).length && hasSameState(doc, first.doc),
        )
        expect(traceTextOf(doc).toJSON() === expectedText).toBe(true)
      }
      for (const one of opened) expect(one.stats().links).toBe(1)
      await Promise.all(opened.map((one) => one.close()))
    }

    describe.concurrent('in every window', () => {
      test.each(singleWriterRoutes)(
        'json-crdt-patch, by one writer by $transport over $scheme',
        async (route) => {
          const { txns, endContent } = readTrace('json-crdt-patch')
          const opened = await openWindows(route, 2, endContent)
          const [writer] = opened as [OpenDocument]
          for (const [index, transaction] of txns.entries()) {
            applyTransaction(traceTextOf(writer.doc), transaction)
            if (index % TRANSACTIONS_PER_TURN === 0) await settle()
            if (index % MAX_UNSAVED_TRANSACTIONS === 0) await writer.whenSaved()
          }
          await writer.whenSaved()
          await expectEnd(opened, endContent)
        },
        3 * MINUTE_MS,
      )

      test.each(twoWriterRoutes)(
        'friendsforever, by two writers by $transport over $scheme',
        async (route) => {
          const trace = readTrace('friendsforever')
          const opened = await openWindows(route, 2, trace.endContent)
          await replayTrace(opened as [OpenDocument, OpenDocument], trace)
          await expectEnd(opened, trace.endContent)
        },
        3 * MINUTE_MS,
      )
    })

    test('[honest load] nobody is refused anything, nor waits for a limit', async () => {
      expect(await readRefusals(server.origin('http'))).toEqual({})
    })

    test('the store has the same text', async () => {
      await server.stop()
      for (const { document, end } of writtenDocuments)
        expect(traceTextOf(await server.readStoredDocument(document.id)).toJSON() === end).toBe(true)
      expect(writtenDocuments).toHaveLength(singleWriterRoutes.length + twoWriterRoutes.length)
    })
  })
}
