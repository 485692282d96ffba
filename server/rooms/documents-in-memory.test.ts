/** Documents that come and go in a small budget, over a real store. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { DocumentMemory } from './document-memory.ts'
import { hasSameState } from './fixtures/editing-session.ts'
import { openRoomsFixture, refusalOf, type RoomsFixture, RoomWindow } from './fixtures/rooms-fixture.ts'
import { nextTurn } from './run-steps.ts'
import { triesAll } from '../../lib/fixtures/runs.ts'

const MIB = 1024 * 1024
/** Their Y.Doc takes some 2.4 MiB, or some 7 MiB. */
const [ITEMS, MANY_ITEMS] = [10_000, 30_000]

let now: number
let counts: ServerCounts
let memory: DocumentMemory
let fixture: RoomsFixture
beforeEach(async () => {
  now = 0
  counts = new ServerCounts()
  memory = new DocumentMemory({ limitBytes: 8 * MIB, shareBytes: 8 * MIB, counts, now: () => now })
  fixture = await openRoomsFixture({ memory })
})
afterEach(() => fixture[Symbol.asyncDispose]())

/** So many letters, each typed before the one before. */
function docOfItems(items: number): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (let item = 0; item < items; item++) doc.getText('trace').insert(0, 'a')
  })
  return doc
}

async function storeDocument(items: number) {
  const { id, owner } = await fixture.document()
  const author = docOfItems(items)
  await fixture.store.append([
    {
      document: id,
      part: 'body',
      update: Y.encodeStateAsUpdate(author),
      principal: owner.id,
      session: 's',
      number: 1,
      clients: [author.clientID],
    },
  ])
  return { id, owner, open: () => RoomWindow.open(fixture.rooms, id, owner) }
}

type StoredDocument = Awaited<ReturnType<typeof storeDocument>>

const openTwice = async ({ open }: StoredDocument) => [await open(), await open()] as const

test.each([['a few thousand', ITEMS] as const, ...(triesAll ? [['many', MANY_ITEMS] as const] : [])])(
  'a Y.Doc of %s items is dropped while its members stay, and built again for the next edit',
  async (_what, items) => {
    const first = await storeDocument(items)
    const [ada, bob] = await openTwice(first)
    await ada.type('before')
    for (const [index, size] of [ITEMS, ITEMS, MANY_ITEMS].entries()) {
      now += 10_001
      const other = await (await storeDocument(size)).open()
      await other.type(`${index}`)
    }
    expect(counts.droppedDocs).toBeGreaterThan(0)
    expect(memory.bytes).toBeLessThan(9 * MIB)
    now += 10_001
    await Promise.all([ada.type('after'), bob.type('meanwhile', 0)])
    await ada.type('!')
    await waitUntil(() => ada.text === bob.text)
    expect(hasSameState(await fixture.read(first.id), ada.doc)).toBe(true)
    expect(hasSameState((await first.open()).doc, ada.doc)).toBe(true)
    expect([ada.evictionReason, counts.memoryRefusals]).toEqual([null, 0])
  },
)

test('an edit that needs a Y.Doc is refused for a while if all others are edited, and taken then', async () => {
  const hog = await (await storeDocument(MANY_ITEMS)).open()
  await hog.type('!')
  const ada = await (await storeDocument(MANY_ITEMS)).open()
  const text = ada.text
  expect(await refusalOf(ada.type('?'))).toMatchObject({ code: 'overloaded', retryAfterMs: 2_000 })
  now += 10_001
  const before = Y.encodeStateVector(new Y.Doc())
  await ada.send(Y.encodeStateAsUpdate(ada.doc, before)) // what a window does after a refusal: it sends what it has
  expect(ada.text).toBe(`${text}?`)
  expect(counts).toMatchObject({ memoryRefusals: 1, droppedDocs: 1 })
})

test.runIf(triesAll)('a small document opens and is edited whatever others hold', async () => {
  const hog = await (await storeDocument(MANY_ITEMS)).open()
  await hog.type('!')
  memory.record(memory.open(), 10 * MIB, 0)
  const { windows } = await fixture.documentWithWindows(2)
  await windows[0]!.type('some words')
  await waitUntil(() => windows[1]!.text === 'some words')
})

test('a large document is not opened while others hold the whole budget, and is once they are closed', async () => {
  const stored = await storeDocument(1)
  const writer = await stored.open()
  await writer.type('long '.repeat(MIB / 4))
  writer.membership.leave()
  const others = memory.open()
  memory.record(others, 10 * MIB, 0)
  expect(await refusalOf(stored.open())).toMatchObject({ code: 'overloaded', retryAfterMs: 2_000 })
  memory.close(others)
  expect((await stored.open()).text).toBe(writer.text)
})

test('an edit that is refused takes no memory', async () => {
  const { windows } = await fixture.documentWithWindows(1)
  await windows[0]!.type('!')
  const before = memory.bytes
  const rubbish = Uint8Array.of(1, 200, 1, ...Array.from({ length: 1_000 }, () => 1))
  expect((await refusalOf(windows[0]!.send(rubbish))).code).toBe('bad-update')
  expect(memory.bytes).toBe(before)
})

test.runIf(triesAll)(
  'an edit that is refused takes nothing of what is counted for one that is being read and integrated',
  async () => {
    const { id, owner, windows } = await fixture.documentWithWindows(1)
    const { principal, token } = await fixture.linkPrincipalTo(id, 'viewer', owner)
    const viewer = await RoomWindow.open(fixture.rooms, id, principal, undefined, { token })
    let isSent = false
    const sending = windows[0]!
      .send(Y.encodeStateAsUpdate(docOfItems(MANY_ITEMS)))
      .then(() => (isSent = true))
    while (memory.bytes < 6 * MIB) await nextTurn()
    while (!isSent) {
      const refused = refusalOf(viewer.type('!'))
      expect(memory.bytes).toBeGreaterThan(6 * MIB)
      expect((await refused).code).toBe('forbidden')
      await nextTurn()
    }
    await sending
    expect(memory.bytes).toBeGreaterThan(6 * MIB)
  },
)

test('a document that nobody has open any more takes nothing', async () => {
  const window = await (await storeDocument(ITEMS)).open()
  await window.type('!')
  expect(memory.bytes).toBeGreaterThan(2 * MIB)
  window.membership.leave()
  await fixture.rooms.close()
  expect(memory.bytes).toBe(0)
})

test('the Y.Doc of an edit of the server is counted', async () => {
  const { id, owner } = await storeDocument(ITEMS)
  await fixture.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(0, 'A title'))
  expect(memory.bytes).toBeGreaterThan(2 * MIB)
})
