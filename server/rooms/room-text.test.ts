import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { type LoadedPart, StoreError } from '../store/store.ts'
import { editSteps, playSession, hasSameState, soundnessOf } from './fixtures/editing-session.ts'
import { type ItemId, type WrittenRun, type WrittenStruct, writeUpdate } from './fixtures/update-writer.ts'
import { IntegrationCost } from './integration-cost.ts'
import { MAX_EDIT_CLIENTS } from '../../lib/protocol/limits.ts'
import { RoomText } from './room-text.ts'
import { RoomRefusal } from './rooms.ts'
import { readExtent } from './count-memory.ts'

const EMPTY: LoadedPart = { updates: [], sequence: 0, logLength: 0 }

/** One letter of each client. */
const lettersOf = (clients: number): Uint8Array => {
  const structs = [{ content: { kind: 'string', text: 'x' }, origin: null, rightOrigin: null, parent: 'trace', key: null }] as const // prettier-ignore
  const runs = Array.from({ length: clients }, (_, index): WrittenRun => ({ client: clients - index, clock: 0, structs })) // prettier-ignore
  return writeUpdate({ runs, deletions: [] })
}

const docOf = (updates: readonly Uint8Array[]): Y.Doc => {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

/** A session as a store would hold it: the first edits as a snapshot. */
function stored(
  session: Parameters<typeof playSession>[0],
  inSnapshot: number,
  withStateVector: boolean,
): LoadedPart {
  const server = new Y.Doc()
  const log: Uint8Array[] = []
  playSession(session, server, (update) => {
    log.push(update)
    Y.applyUpdate(server, update)
  })
  const base = docOf(log.slice(0, inSnapshot))
  const rest = log.slice(inSnapshot)
  return {
    updates: [Y.encodeStateAsUpdate(base), ...rest],
    stateVector: withStateVector ? Y.encodeStateVector(base) : undefined,
    sequence: log.length,
    logLength: rest.length,
  }
}

describe('[S3] the stored text', () => {
  test('has its clocks and is sent without a Y.Doc, and a Y.Doc that is built from it is the same', () => {
    fc.assert(
      fc.property(editSteps(), fc.nat(30), fc.boolean(), (session, inSnapshot, withStateVector) => {
        const loaded = stored(session, inSnapshot, withStateVector)
        const text = RoomText.fromLoaded(loaded)
        expect(text.stored).toEqual(loaded.updates)
        expect(text.bytes).toBe(loaded.updates.reduce((sum, { length }) => sum + length, 0))
        const reader = docOf(text.stored)
        expect(soundnessOf(reader)).toBe('sound')
        expect(new Map(text.clocks)).toEqual(Y.decodeStateVector(Y.encodeStateVector(reader)))
        expect(text.isDocBuilt).toBe(false)
        expect(hasSameState(text.doc, reader)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('grows by what is integrated and committed, and past a snapshot of some of it', () => {
    const author = new Y.Doc()
    const updates: Uint8Array[] = []
    author.on('update', (update: Uint8Array) => updates.push(update))
    const text = RoomText.fromLoaded({ updates: [], sequence: 0, logLength: 0 })
    const type = (letter: string): void => {
      author.getText('trace').insert(0, letter)
      const update = updates.at(-1)!
      expect(text.integrate(text.check(update))).toBe(true)
      text.addStored(update, updates.length)
    }
    for (const letter of 'abcde') type(letter)
    const snapshot = Y.encodeStateAsUpdate(docOf(updates.slice(0, 3)))
    type('f')
    text.onCompacted(snapshot, 3)
    expect(text.stored).toEqual([snapshot, ...updates.slice(3)])
    expect(text.integrate(text.check(updates[4]!))).toBe(false)
    expect(hasSameState(docOf(text.stored), author)).toBe(true)
  })
})

// Yjs puts replacement characters in the place of the halves, of which the store and the windows would know nothing.
test.each<[what: string, origin: ItemId | null, rightOrigin: ItemId | null]>([
  ['its left neighbour', { client: 7, clock: 2 }, { client: 7, clock: 4 }],
  ['its right neighbour', null, { client: 7, clock: 3 }],
  ['both of them', { client: 7, clock: 2 }, { client: 7, clock: 2 }],
  ['its left neighbour, which is cut once more', { client: 7, clock: 2 }, { client: 7, clock: 1 }],
])('[A6] a refused edit leaves a letter whole, half of which was %s', (_what, origin, rightOrigin) => {
  const author = new Y.Doc()
  author.clientID = 7
  author.getText('trace').insert(0, 'xy👍z')
  const text = RoomText.fromLoaded({ updates: [Y.encodeStateAsUpdate(author)], sequence: 1, logLength: 1 })
  const struct: WrittenStruct = { content: { kind: 'string', text: '!' }, origin, rightOrigin, parent: 'trace', key: null }
  const refused = text.check(writeUpdate({ runs: [{ client: 8, clock: 0, structs: [struct] }], deletions: [] }))
  expect(() => text.integrate(refused)).toThrow(RoomRefusal)
  text.discardHalfIntegrated()
  expect(text.doc.getText('trace').toJSON()).toBe('xy👍z')
}) // prettier-ignore

describe('[D5] the log is larger than the snapshot', () => {
  const doc = new Y.Doc()
  doc.getText('trace').insert(0, 'x'.repeat(100_000))
  const snapshot = Y.encodeStateAsUpdate(doc)

  test.each<[what: string, base: Uint8Array | undefined, bytes: number, isTopHeavy: boolean]>([
    ['a short log without a snapshot', undefined, 64 * 1024, false],
    ['a long log without a snapshot', undefined, 64 * 1024 + 1, true],
    ['a log as long as its snapshot', snapshot, snapshot.length, false],
    ['a log that is longer', snapshot, snapshot.length + 1, true],
  ])('%s', (_what, base, bytes, isTopHeavy) => {
    const text = RoomText.fromLoaded({ updates: base ? [base] : [], sequence: 1, logLength: 0 })
    for (const [index, part] of [1_000, bytes - 1_000].entries())
      text.addStored(new Uint8Array(part), 2 + index)
    expect(text.isLogLargerThanSnapshot).toBe(isTopHeavy)
  })

  test('a snapshot that is smaller than the log leaves all of the log', () => {
    const text = RoomText.fromLoaded({ updates: [], sequence: 0, logLength: 0 })
    const log = [1, 2, 3].map((length) => new Uint8Array(length).fill(length))
    for (const [index, update] of log.entries()) text.addStored(update, 6 + index)
    text.onCompacted(snapshot, 5)
    expect(text.stored).toEqual([snapshot, ...log])
  })
})

describe('[D4] an unreadable text', () => {
  const whole = new Y.Doc()
  whole.getText('trace').insert(0, 'one ')
  const one = Y.encodeStateAsUpdate(whole)
  const vector = Y.encodeStateVector(whole)
  whole.getText('trace').insert(4, 'two')
  const two = Y.encodeStateAsUpdate(whole, vector)

  const cuts: Uint8Array[] = []
  whole.once('update', (update: Uint8Array) => cuts.push(update))
  whole.getText('trace').delete(0, 3)

  test.each<[what: string, loaded: LoadedPart]>([
    ['a deletion without what it deletes', { updates: cuts, sequence: 1, logLength: 1 }],
    [
      'a state vector that is none',
      { updates: [one], stateVector: Uint8Array.of(9), sequence: 1, logLength: 0 },
    ],
    ['an edit without what it builds on', { updates: [two], sequence: 1, logLength: 1 }],
    ['a snapshot without what it builds on', { updates: [two, one], sequence: 3, logLength: 0 }],
    ['bytes that are no edit', { updates: [one, Uint8Array.of(1, 2, 3)], sequence: 2, logLength: 1 }],
    ['bytes that are no snapshot', { updates: [Uint8Array.of(1, 2, 3)], sequence: 2, logLength: 0 }],
  ])('%s', (_what, loaded) => {
    expect(() => RoomText.fromLoaded(loaded).doc).toThrow()
  })

  test('is reported as a failure of the store before anybody is served', () => {
    expect(() => RoomText.fromLoaded({ updates: [two], sequence: 1, logLength: 1 })).toThrow(StoreError)
  })

  test('is not one that was only written in another order', () => {
    const text = RoomText.fromLoaded({ updates: [two, one], sequence: 2, logLength: 2 })
    expect(new Map(text.clocks)).toEqual(Y.decodeStateVector(Y.encodeStateVector(docOf([one, two]))))
    expect(text.doc.getText('trace').toJSON()).toBe('one two')
  })
})

test('[S3] the limits of an edit do not apply to stored updates: one may hold many edits', () => {
  const text = RoomText.fromLoaded({ updates: [lettersOf(MAX_EDIT_CLIENTS + 1)], sequence: 1, logLength: 1 })
  expect([text.clocks.size, text.isDocBuilt]).toEqual([MAX_EDIT_CLIENTS + 1, false])
})

test('[A6] a long edit is several transactions in a busy room too', () => {
  const text = RoomText.fromLoaded(EMPTY)
  const source = new Y.Doc()
  source.transact(() => {
    for (let left = 10_000; left > 0; left--) source.getText('trace').insert(0, 'x') // none are merged
  })
  const update = Y.encodeStateAsUpdate(source)
  let transactions = 0
  text.doc.on('afterTransaction', () => (transactions += 1))
  const cost = new IntegrationCost(update.length)
  text.integrateAll([{ checked: text.check(update), cost }])
  expect(transactions).toBeGreaterThan(2)
})

test('[D10] another node’s long edit makes the text large at once, and its Y.Doc is not built', () => {
  const text = RoomText.fromLoaded({ updates: [lettersOf(1)], sequence: 1, logLength: 1 })
  expect([text.doc.getText('trace').length, text.isLarge]).toEqual([1, false])
  const source = new Y.Doc()
  source.getText('trace').insert(0, 'x'.repeat(1_200_000))
  const update = Y.encodeStateAsUpdate(source)
  text.integrateRemote([update], [readExtent(update).clocks])
  expect([text.isLarge, text.isDocBuilt]).toEqual([true, false])
  text.addStored(update, 2)
  expect([text.isLarge, text.bytes > update.length]).toEqual([true, true])
})
