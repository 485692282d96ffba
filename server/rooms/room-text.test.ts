import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { type Loaded, StoreError } from '../store/store.ts'
import { deeds, play, same, soundness } from './fixtures/typing.ts'
import { RoomText } from './room-text.ts'

const read = (updates: readonly Uint8Array[]): Y.Doc => {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

/** A session as a store would hold it: the first so many edits as a snapshot. */
function stored(session: Parameters<typeof play>[0], inSnapshot: number, withVector: boolean): Loaded {
  const server = new Y.Doc()
  const log: Uint8Array[] = []
  play(session, server, (update) => {
    log.push(update)
    Y.applyUpdate(server, update)
  })
  const base = read(log.slice(0, inSnapshot))
  const rest = log.slice(inSnapshot)
  return {
    updates: [Y.encodeStateAsUpdate(base), ...rest],
    stateVector: withVector ? Y.encodeStateVector(base) : undefined,
    sequence: log.length,
    logLength: rest.length,
  }
}

describe('[S3] what is on disk', () => {
  test('is known and sent without a document, and a document that is made of it is the same', () => {
    fc.assert(
      fc.property(deeds(), fc.nat(30), fc.boolean(), (session, inSnapshot, withVector) => {
        const loaded = stored(session, inSnapshot, withVector)
        const text = RoomText.of(loaded)
        expect(text.stored).toEqual(loaded.updates)
        const reader = read(text.stored)
        expect(soundness(reader)).toBe('sound')
        expect(new Map(text.known)).toEqual(Y.decodeStateVector(Y.encodeStateVector(reader)))
        expect(text.isMade).toBe(false)
        expect(same(text.doc, reader)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('goes on with what is taken in and committed, and past a snapshot of some of it', () => {
    const author = new Y.Doc()
    const said: Uint8Array[] = []
    author.on('update', (update: Uint8Array) => said.push(update))
    const text = RoomText.of({ updates: [], sequence: 0, logLength: 0 })
    const type = (letter: string): void => {
      author.getText('trace').insert(0, letter)
      const update = said.at(-1)!
      expect(text.takeIn(text.check(update))).toBe(true)
      text.committed(update)
    }
    for (const letter of 'abcde') type(letter)
    const snapshot = Y.encodeStateAsUpdate(read(said.slice(0, 3)))
    type('f')
    text.compacted(snapshot, 3)
    expect(text.stored).toEqual([snapshot, ...said.slice(3)])
    expect(text.takeIn(text.check(said[4]!))).toBe(false)
    expect(same(read(text.stored), author)).toBe(true)
  })
})

describe('[D4] what cannot be read', () => {
  const whole = new Y.Doc()
  whole.getText('trace').insert(0, 'one ')
  const one = Y.encodeStateAsUpdate(whole)
  const vector = Y.encodeStateVector(whole)
  whole.getText('trace').insert(4, 'two')
  const two = Y.encodeStateAsUpdate(whole, vector)

  test.each<[what: string, loaded: Loaded]>([
    ['an edit without what it builds on', { updates: [two], sequence: 1, logLength: 1 }],
    ['a snapshot without what it builds on', { updates: [two, one], sequence: 3, logLength: 0 }],
    ['bytes that are no edit', { updates: [one, Uint8Array.of(1, 2, 3)], sequence: 2, logLength: 1 }],
    ['bytes that are no snapshot', { updates: [Uint8Array.of(1, 2, 3)], sequence: 2, logLength: 0 }],
  ])('%s', (_what, loaded) => {
    expect(() => RoomText.of(loaded).doc).toThrow()
  })

  test('is told as the store’s failing before anybody is served', () => {
    expect(() => RoomText.of({ updates: [two], sequence: 1, logLength: 1 })).toThrow(StoreError)
  })
})
