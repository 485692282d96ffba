import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { countStructs } from '../../lib/yjs-internals/struct-store.ts'
import { editSteps, playSession } from './fixtures/editing-session.ts'
import { type WrittenContent, writeUpdate } from './fixtures/update-writer.ts'
import { RoomDoc } from './integrate-update.ts'
import { countMemory, countMemoryInSteps, readExtent } from './count-memory.ts'
import { memoryBytesOf } from './memory-count.ts'
import { TextMemory } from './text-memory.ts'

const updateOf = (...contents: WrittenContent[]): Uint8Array =>
  writeUpdate({
    runs: [
      {
        client: 7,
        clock: 0,
        structs: contents.map((content) => ({
          content,
          origin: null,
          rightOrigin: null,
          parent: 't',
          key: null,
        })),
      },
    ],
    deletions: [],
  })

const priceOf = (content: WrittenContent): number => {
  const { structs, contentBytes } = countMemory(updateOf(content, { kind: 'string', text: '' }))
  expect(structs).toBe(2) // all of the content was read, and the struct behind it
  return contentBytes
}

describe('a count', () => {
  test.each<[what: string, content: WrittenContent, atLeast: number]>([
    ['empty objects', { kind: 'any', values: Array.from({ length: 1_000 }, () => ({})) }, 68_000],
    ['empty arrays', { kind: 'any', values: Array.from({ length: 1_000 }, () => []) }, 44_000],
    [
      'nested values',
      { kind: 'any', values: [{ a: [1, 'b', [null, {}]], c: { d: true } }, -1e10, 1.5] },
      700,
    ],
    ['bytes', { kind: 'any', values: [new Uint8Array(1_000)] }, 1_096],
    ['objects as JSON', { kind: 'json', texts: ['[{},{},{}]', '{"a":"{{{"}'] }, 400],
    ['an embed', { kind: 'embed', text: '{"a":"\\"["}' }, 150],
    ['a format', { kind: 'format', key: 'bold', text: 'true' }, 40],
    ['letters', { kind: 'string', text: 'ä€😀' }, 9],
    ['an element', { kind: 'type', type: 3, name: 'paragraph' }, 440],
    ['a text', { kind: 'type', type: 6, name: '' }, 440],
    ['a binary', { kind: 'binary', length: 50 }, 146],
  ])('of %s is what they take', (_what, content, atLeast) => {
    const price = priceOf(content)
    expect(price).toBeGreaterThanOrEqual(atLeast)
    expect(price).toBeLessThan(3 * atLeast)
  })

  test('has the structs, deletions and clocks that Yjs reads, of what editors send', () =>
    fc.assert(
      fc.property(editSteps(), (session) => {
        const doc = new RoomDoc()
        playSession(session, doc, (update) => {
          const { structs, ds } = Y.decodeUpdate(update)
          const ranges = [...ds.clients.values()].flat()
          const deleted = ranges.reduce((sum, { len }) => sum + len, 0)
          expect(countMemory(update)).toMatchObject({
            bytes: update.length,
            structs: structs.length + 2 * ranges.length,
            deleted,
          })
          expect(readExtent(update).clocks).toEqual(Y.parseUpdateMeta(update).to)
          Y.applyUpdate(doc, update)
        })
        const whole = countMemory(Y.encodeStateAsUpdate(doc), { isSnapshot: true })
        expect(whole.structs).toBe(countStructs(doc))
      }),
      { numRuns: 200 },
    ))

  test('leaves out what the server has', () =>
    fc.assert(
      fc.property(editSteps(), editSteps(), (first, second) => {
        const doc = new RoomDoc()
        const updates: Uint8Array[] = []
        playSession([...first, ...second], doc, (update) => {
          Y.applyUpdate(doc, update)
          updates.push(update)
        })
        const known = new RoomDoc()
        for (const update of updates.slice(0, updates.length / 2)) Y.applyUpdate(known, update)
        const knownClocks = Y.decodeStateVector(Y.encodeStateVector(known))
        const whole = countMemory(Y.encodeStateAsUpdate(doc), { knownClocks })
        const missing = countMemory(Y.encodeStateAsUpdate(doc, Y.encodeStateVector(known)))
        expect(whole).toMatchObject({ structs: missing.structs, deleted: missing.deleted })
        expect(countMemory(Y.encodeStateAsUpdate(known), { knownClocks }).contentBytes).toBe(0)
      }),
      { numRuns: 200 },
    ))

  test('ends where bytes are no update', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { structs, contentBytes } = countMemory(bytes)
        expect(structs).toBeLessThanOrEqual(2 * bytes.length)
        expect(Number.isSafeInteger(contentBytes)).toBe(true)
      }),
    )
    const huge = updateOf({ kind: 'any', values: [{}] })
    expect(countMemory(huge.subarray(0, huge.length - 1)).structs).toBe(1)
  })

  test('pauses within a long value and within many structs', () => {
    const values = Array.from({ length: 300_000 }, () => null)
    const one = updateOf({ kind: 'any', values })
    const many = updateOf(...Array.from({ length: 50_000 }, () => ({ kind: 'string', text: 'x' }) as const))
    for (const update of [one, many]) {
      const pauses = [...countMemoryInSteps(update)].length
      expect(pauses).toBe(Math.floor(update.length / (64 * 1024)))
    }
  })
})

test('a running estimate counts merged items once a Y.Doc has them', () => {
  const doc = new RoomDoc()
  const memory = new TextMemory(countMemory(Y.encodeStateAsUpdate(doc)))
  const author = new Y.Doc()
  author.on('update', (update: Uint8Array) => {
    memory.add(countMemory(update))
    Y.applyUpdate(doc, update)
  })
  for (let typed = 0; typed < 5_000; typed++) author.getText('t').insert(typed, 'a')
  const sum = memory.bytes(1, null)
  const merged = memory.bytes(1, () => countStructs(doc))
  expect(sum).toBeGreaterThan(1_000_000)
  expect(merged).toBeLessThan(sum / 5)
  const rebuilt = new TextMemory(countMemory(Y.encodeStateAsUpdate(doc), { isSnapshot: true }))
  expect(rebuilt.bytes(1, null)).toBeLessThan(12_000)
})

test('an edit that is refused once the Y.Doc was built anew hides nothing', () => {
  const doc = new RoomDoc()
  for (let typed = 0; typed < 100; typed++) doc.getText('t').insert(0, 'a')
  const memory = new TextMemory(countMemory(Y.encodeStateAsUpdate(doc), { isSnapshot: true }))
  const before = memory.bytes(1, () => countStructs(doc))
  const edit = { bytes: 1_000, structs: 50, contentBytes: 100, deleted: 0 }
  memory.add(edit)
  memory.setBuilt(countStructs(doc))
  memory.remove(edit)
  expect(memory.bytes(1, () => countStructs(doc))).toBe(before)
})

test('a million letters, each typed elsewhere, fit into a document', () => {
  expect(memoryBytesOf({ bytes: 0, structs: 1_000_000, contentBytes: 2_000_000, deleted: 0 })).toBeLessThan(
    256 * 1024 * 1024,
  )
})
