import { expect, test } from 'vitest'
import * as Y from 'yjs'
import fc from 'fast-check'
import { digestOf } from '../../lib/protocol/digest.ts'
import { packUpdates, unpackUpdates } from '../store/batch.ts'
import { editSteps, playSession, hasSameState, soundnessOf } from './fixtures/editing-session.ts'
import { RoomDoc } from './integrate-update.ts'
import { performTextJob } from './text-jobs.ts'
import { countMemory } from './count-memory.ts'
import { decodeCount } from './memory-count.ts'

/** What honest windows sent, and the document that applied it. */
function recordSession(session: Parameters<typeof playSession>[0]) {
  const doc = new RoomDoc()
  const updates: Uint8Array[] = []
  playSession(session, doc, (update) => {
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

const performJob = async (...job: Parameters<typeof performTextJob>) =>
  unpackUpdates(await performTextJob(...job))

test('pieces bring the same text, each building only on those before it', () =>
  fc.assert(
    fc.asyncProperty(editSteps(), async (session) => {
      const { doc, updates } = recordSession(session)
      for (const stored of [updates, [Y.encodeStateAsUpdate(doc)], updates.toReversed()]) {
        const pieces = await performJob({ kind: 'pieces', updates: packUpdates(stored) })
        const rebuilt = docOf(pieces)
        expect(soundnessOf(rebuilt)).toBe('sound')
        expect(hasSameState(rebuilt, doc)).toBe(true)
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
  const pieces = await performJob({ kind: 'pieces', updates: packUpdates([Y.encodeStateAsUpdate(doc)]) })
  expect(pieces.length).toBeGreaterThan(20)
  expect(hasSameState(docOf(pieces), doc)).toBe(true)
})

test('difference, digest, size and state vector are those of the text', () =>
  fc.assert(
    fc.asyncProperty(editSteps(), editSteps(), async (first, second) => {
      const { doc, updates } = recordSession([...first, ...second])
      const before = docOf(recordSession(first).updates)
      const packed = () => packUpdates(updates)
      const stateVector = Y.encodeStateVector(before)
      const [difference] = await performJob({ kind: 'difference', updates: packed(), stateVector })
      Y.applyUpdate(before, difference!)
      expect(hasSameState(before, doc)).toBe(true)
      expect(await performJob({ kind: 'digest', updates: packed() })).toEqual([await digestOf(doc)])
      const [size] = await performJob({ kind: 'size', updates: packed() })
      const whole = countMemory(Y.encodeStateAsUpdate(doc), { isSnapshot: true })
      expect(decodeCount(size!)).toEqual(whole)
      const loaded = { updates: packed(), sequence: updates.length, logLength: updates.length }
      const [stateVectorBytes] = await performJob({ kind: 'state vector', loaded })
      expect(Y.decodeStateVector(stateVectorBytes!)).toEqual(Y.decodeStateVector(Y.encodeStateVector(doc)))
    }),
    { numRuns: 100 },
  ))
