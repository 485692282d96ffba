/** The estimate beside the heap that Yjs takes. Heap is not time: it is alike on every machine, within what V8 leaves uncollected. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { MAX_EDIT_OBJECTS } from '../../lib/protocol/limits.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { DocumentMemory } from './document-memory.ts'
import { openRoomsFixture, RoomWindow } from './fixtures/rooms-fixture.ts'
import { type WrittenContent, type WrittenStruct, writeUpdate } from './fixtures/update-writer.ts'
import type { RoomRefusal } from './rooms.ts'
import { countMemory } from './count-memory.ts'
import { memoryBytesOf } from './memory-count.ts'

let collectGarbage: () => void

beforeAll(() => {
  setFlagsFromString('--expose-gc')
  collectGarbage = runInNewContext('gc') as () => void
})

/** Kept, so that nothing of it is collected while it is measured. */
let keptDoc: Y.Doc | null = null
afterAll(() => {
  keptDoc = null
})

function heapOf(update: Uint8Array): number {
  keptDoc = null
  const before = heapUsed()
  keptDoc = new Y.Doc()
  keptDoc.transact(() => Y.applyUpdate(keptDoc!, update.slice()))
  return heapUsed() - before
}

function heapUsed(): number {
  for (let time = 0; time < 2; time++) collectGarbage()
  const { heapUsed: heap, external } = process.memoryUsage()
  return heap + external
}

const PLACE = { origin: null, rightOrigin: null, parent: 't', key: null }
const COUNT = 50_000

const structsOf = (structAt: (clock: number) => Partial<WrittenStruct> & { content: WrittenContent }) =>
  Array.from({ length: COUNT }, (_, clock) => ({ ...PLACE, ...structAt(clock) }))
const valuesOf = (valueAt: (index: number) => unknown) => [
  { ...PLACE, content: { kind: 'any', values: Array.from({ length: COUNT }, (_, index) => valueAt(index)) } },
] as const // prettier-ignore
const before = (clock: number) => (clock === 0 ? null : { client: 7, clock: clock - 1 })

const texts: readonly [what: string, structs: () => readonly WrittenStruct[]][] = [
  ['letters', () => structsOf((clock) => ({ content: { kind: 'string', text: 'a' }, rightOrigin: before(clock) }))],
  ['long words', () => structsOf((clock) => ({ content: { kind: 'string', text: 'ä'.repeat(40) }, rightOrigin: clock === 0 ? null : { client: 7, clock: 40 * (clock - 1) } }))],
  ['elements', () => structsOf((clock) => ({ content: { kind: 'type', type: 3, name: 'p' }, rightOrigin: before(clock) }))],
  ['embeds', () => structsOf((clock) => ({ content: { kind: 'embed', text: '{"a":1}' }, rightOrigin: before(clock) }))],
  ['formats', () => structsOf((clock) => ({ content: { kind: 'format', key: 'bold', text: '{}' }, rightOrigin: before(clock) }))],
  ['map entries', () => structsOf((clock) => ({ content: { kind: 'any', values: [clock] }, key: `k${clock}` }))],
  ['binaries', () => structsOf((clock) => ({ content: { kind: 'binary', length: 1 }, rightOrigin: before(clock) }))],
  ['nulls', () => valuesOf(() => null)],
  ['empty objects', () => valuesOf(() => ({}))],
  ['objects of one key', () => valuesOf((index) => ({ [`k${index % 1_000}`]: index }))],
  ['arrays', () => valuesOf((index) => [index])],
  ['strings', () => valuesOf((index) => `text ${index}`)],
  ['JSON', () => [{ ...PLACE, content: { kind: 'json', texts: Array.from({ length: COUNT }, () => '{"a":[1,2]}') } }]],
] // prettier-ignore

describe('the estimate', () => {
  test.each(texts)(
    'of %s is neither below two thirds of the heap nor above the threefold',
    (_what, structs) => {
      const update = writeUpdate({ runs: [{ client: 7, clock: 0, structs: structs() }], deletions: [] })
      const ratio = memoryBytesOf(countMemory(update)) / heapOf(update)
      expect(ratio).toBeGreaterThan(2 / 3)
      expect(ratio).toBeLessThan(3)
    },
  )

  test('of a text that deletions cut in pieces holds them', () => {
    const doc = new Y.Doc()
    doc.getText('t').insert(0, 'abc'.repeat(10_000))
    doc.transact(() => {
      for (let at = 0; at < 10_000; at++) doc.getText('t').delete(at * 2, 1)
    })
    const update = Y.encodeStateAsUpdate(doc)
    expect(memoryBytesOf(countMemory(update, { isSnapshot: true }))).toBeGreaterThan(heapOf(update) * (2 / 3))
  })
})

test('a document of a million letters, each typed before the one before, opens and is edited', async () => {
  await using fixture = await openRoomsFixture()
  const { id, owner } = await fixture.document()
  const author = new Y.Doc()
  author.transact(() => {
    for (let typed = 0; typed < 1_000_000; typed++) author.getText('trace').insert(0, 'a')
  })
  const edit = { document: id, part: 'body', principal: owner.id, session: 's', number: 1 } as const
  await fixture.store.append([{ ...edit, update: Y.encodeStateAsUpdate(author), clients: [author.clientID] }])
  const [ada, bob] = [
    await RoomWindow.open(fixture.rooms, id, owner),
    await RoomWindow.open(fixture.rooms, id, owner),
  ]
  expect(ada.text.length).toBe(1_000_000)
  await ada.type('one more')
  await expect.poll(() => bob.text.endsWith('one more'), { timeout: 60_000 }).toBe(true)
}, 180_000)

test('two documents of empty objects by one guest take no more than its share', async () => {
  const counts = new ServerCounts()
  const memory = new DocumentMemory({ counts, now: () => 0 }) // on a slow machine the first one would be idle by then
  await using fixture = await openRoomsFixture({ memory })
  const { principal } = await fixture.createPerson()
  const objects = Array.from({ length: MAX_EDIT_OBJECTS }, () => ({}))
  const refusals: string[] = []
  for (let time = 0; time < 2; time++) {
    const window = await RoomWindow.open(fixture.rooms, await fixture.createDocument(principal), principal)
    for (let edit = 0; edit < 12; edit++) {
      const before = Y.encodeStateVector(window.doc)
      window.doc.getArray('objects').push(objects)
      const sent = window.send(Y.encodeStateAsUpdate(window.doc, before))
      const refusal = await sent.then(
        () => null,
        (error: RoomRefusal) => error.reason.code,
      )
      if (refusal) refusals.push(refusal)
      if (refusal) break
    }
  }
  expect(refusals).toEqual(['too-large', 'overloaded'])
  expect(memory.bytes).toBeLessThan(304 * 1024 * 1024)
}, 180_000)
