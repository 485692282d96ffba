import { expect, test } from 'vitest'
import * as Y from 'yjs'
import fc from 'fast-check'
import { digestOf } from '../../lib/protocol/digest.ts'
import { packUpdates, unpackUpdates } from '../store/batch.ts'
import { deeds, play, same, soundness } from './fixtures/typing.ts'
import { RoomDoc } from './take-in.ts'
import { performTextJob } from './text-jobs.ts'

/** What honest windows said, and the document that took it in. */
function played(sample: Parameters<typeof play>[0]) {
  const doc = new RoomDoc()
  const updates: Uint8Array[] = []
  play(sample, doc, (update) => {
    Y.applyUpdate(doc, update)
    updates.push(update)
  })
  return { doc, updates }
}

const docOf = (updates: readonly Uint8Array[]): Y.Doc => {
  const doc = new RoomDoc()
  for (const update of updates) {
    Y.applyUpdate(doc, update)
    expect(doc.store.pendingStructs).toBe(null)
  }
  return doc
}

const perform = async (...job: Parameters<typeof performTextJob>) =>
  unpackUpdates(await performTextJob(...job))

test('pieces bring the same text, each building on those before it alone', () =>
  fc.assert(
    fc.asyncProperty(deeds(), async (sample) => {
      const { doc, updates } = played(sample)
      for (const stored of [updates, [Y.encodeStateAsUpdate(doc)], updates.toReversed()]) {
        const pieces = await perform({ kind: 'pieces', updates: packUpdates(stored) })
        const made = docOf(pieces)
        expect(soundness(made)).toBe('sound')
        expect(same(made, doc)).toBe(true)
      }
    }),
    { numRuns: 200 },
  ))

test('a text of many structs comes in many pieces, its deletions too', async () => {
  const doc = new RoomDoc()
  const text = doc.getText('trace')
  doc.transact(() => {
    for (let index = 0; index < 20_000; index++) text.insert((index * 7919) % (text.length + 1), 'ab')
    text.delete(1_000, 30_000)
    for (let index = 0; index < 500; index++) text.delete(index, 1)
  })
  const pieces = await perform({ kind: 'pieces', updates: packUpdates([Y.encodeStateAsUpdate(doc)]) })
  expect(pieces.length).toBeGreaterThan(20)
  expect(same(docOf(pieces), doc)).toBe(true)
})

test('difference, digest and state vector are those of the text', () =>
  fc.assert(
    fc.asyncProperty(deeds(), deeds(), async (first, second) => {
      const { doc, updates } = played([...first, ...second])
      const before = docOf(played(first).updates)
      const packed = () => packUpdates(updates)
      const stateVector = Y.encodeStateVector(before)
      const [difference] = await perform({ kind: 'difference', updates: packed(), stateVector })
      Y.applyUpdate(before, difference!)
      expect(same(before, doc)).toBe(true)
      expect(await perform({ kind: 'digest', updates: packed() })).toEqual([await digestOf(doc)])
      const loaded = { updates: packed(), sequence: updates.length, logLength: updates.length }
      const [known] = await perform({ kind: 'state vector', loaded })
      expect(Y.decodeStateVector(known!)).toEqual(Y.decodeStateVector(Y.encodeStateVector(doc)))
    }),
    { numRuns: 100 },
  ))
