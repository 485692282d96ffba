/** Real typing over each transport: every replica and the store end as the trace says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { OpenDocument } from '../lib/client.ts'
import { RealServer, type SharedDocument, type Way, ways } from './fixtures/real-server.ts'
import { readTrace, seenOfOther, tracesFolder, type Transaction, typeInto } from './fixtures/traces.ts'

/** A writer waits for the disk after so many transactions: the measure of back-pressure. */
const UNSAVED = 300
/** So many transactions are typed in one turn of the event loop, and go out together. */
const TOGETHER = 5
const MINUTES = 60_000

/** By agent. At one place both typed at once, and the end of the trace has it in the order that Yjs gives to these. */
const clientIds = [1, 2]

const reason = tracesFolder ? '' : ' (skipped: TRACES_DIR does not name the folder of editing-traces)'

const agree = (a: Y.Doc, b: Y.Doc): boolean => Y.equalSnapshots(Y.snapshot(a), Y.snapshot(b))

const textOf = (doc: Y.Doc): Y.Text => doc.getText('trace')

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
    test.each(ways)(
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
    test.each(ways)(
      'friendsforever by $transport over $scheme',
      async (way) => {
        const trace = readTrace('friendsforever')
        const opened = await windows(way, 2, trace.endContent)
        const authors = opened.map((window, agent) => new Author(window, clientIds[agent] as number))
        const [ada, bob] = authors as [Author, Author]
        const seen = seenOfOther(trace)
        for (const [index, transaction] of trace.txns.entries()) {
          const [author, other] = transaction.agent === 0 ? [ada, bob] : [bob, ada]
          await author.hear(other, seen[index] ?? 0)
          await author.type(transaction)
        }
        await Promise.all(opened.map((window) => window.whenSaved()))
        await Promise.all([ada.hear(bob, bob.updates.length), bob.hear(ada, ada.updates.length)])
        await ends(opened, trace.endContent)
      },
      3 * MINUTES,
    )
  })

  test('the store holds the same', async () => {
    await server.stop()
    for (const { document, end } of written)
      expect(textOf(await server.stored(document.id)).toJSON() === end).toBe(true)
    expect(written).toHaveLength(2 * ways.length)
  })
})

/**
 * Types into a document of its own, which takes in no more of the other's than the author of the trace had seen, and not before
 * that has come over the wire to the window.
 */
class Author {
  readonly updates: Uint8Array[] = []
  readonly #own = new Y.Doc()
  readonly #window: OpenDocument
  #heard = 0

  constructor(window: OpenDocument, clientId: number) {
    this.#window = window
    this.#own.clientID = clientId
    this.#own.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === 'heard') return
      this.updates.push(update)
      Y.applyUpdate(window.doc, update)
    })
  }

  async type(transaction: Transaction): Promise<void> {
    typeInto(textOf(this.#own), transaction)
    if (this.updates.length % UNSAVED === 0) await this.#window.whenSaved()
  }

  async hear(other: Author, count: number): Promise<void> {
    for (; this.#heard < count; this.#heard++) {
      const update = other.updates[this.#heard] as Uint8Array
      const { doc } = this.#window
      await arrival(doc, () => contains(doc, update))
      Y.applyUpdate(this.#own, update, 'heard')
    }
  }
}

function contains({ store }: Y.Doc, update: Uint8Array): boolean {
  const { structs, ds } = Y.decodeUpdate(update)
  const has = structs.every(({ id, length }) => Y.getState(store, id.client) >= id.clock + length)
  return (
    has &&
    [...ds.clients].every(([client, ranges]) => ranges.every((range) => isDeleted(store, client, range)))
  )
}

function isDeleted(
  store: Y.Doc['store'],
  client: number,
  { clock, len }: { clock: number; len: number },
): boolean {
  for (let at = clock; at < clock + len; at++)
    if (!Y.getItem(store, Y.createID(client, at)).deleted) return false
  return true
}

function arrival(doc: Y.Doc, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve()
  return new Promise((resolve) => {
    const check = (): void => {
      if (!holds()) return
      doc.off('update', check)
      resolve()
    }
    doc.on('update', check)
  })
}
