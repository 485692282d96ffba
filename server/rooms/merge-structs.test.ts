import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkUpdate } from './check-update.ts'
import { fingerprint } from './fixtures/fingerprint.ts'
import { editSteps, playSession, soundnessOf } from './fixtures/editing-session.ts'
import { RoomDoc, integrateUpdate } from './integrate-update.ts'

const checkAndIntegrate = (doc: RoomDoc, update: Uint8Array): boolean =>
  integrateUpdate(doc, checkUpdate(Y.decodeStateVector(Y.encodeStateVector(doc)), new Uint8Array(update)))

const structsOf = ({ store }: Y.Doc): number =>
  [...store.clients.values()].reduce((sum, structs) => sum + structs.length, 0)

/** Cut into two edits of many structs each, and applied by Yjs as well. */
function integrateBothWays(updates: readonly Uint8Array[], at: number): [RoomDoc, Y.Doc] {
  const [ours, theirs] = [new RoomDoc(), new Y.Doc()]
  for (const half of [updates.slice(0, at), updates.slice(at)]) {
    if (half.length === 0) continue
    const merged = Y.mergeUpdates(half)
    checkAndIntegrate(ours, merged)
    Y.applyUpdate(theirs, merged)
  }
  return [ours, theirs]
}

test('[S1] a long edit gives the same result as in Yjs, merged as far', () => {
  fc.assert(
    fc.property(editSteps(300), fc.nat(300), (session, at) => {
      const updates: Uint8Array[] = []
      const server = new Y.Doc()
      playSession(session, server, (update) => {
        updates.push(update)
        Y.applyUpdate(server, update)
      })
      const [ours, theirs] = integrateBothWays(updates, at)
      expect(fingerprint(ours)).toBe(fingerprint(theirs))
      expect(soundnessOf(ours)).toBe('sound')
      expect(structsOf(ours)).toBeLessThanOrEqual(structsOf(theirs))
    }),
    { numRuns: 40 },
  )
})

test('[A6] paragraphs that are deleted by the thousand are removed from their list together', () => {
  const author = new Y.Doc()
  const updates: Uint8Array[] = []
  author.on('update', (update: Uint8Array) => updates.push(update))
  const body = author.getXmlFragment('default')
  const paragraphs = Array.from({ length: 3_000 }, () => {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('text')])
    return paragraph
  })
  body.insert(0, paragraphs)
  body.delete(1, 2_998)
  const doc = new RoomDoc()
  checkAndIntegrate(doc, updates[0]!)
  const { splice } = Array.prototype
  let splices = 0
  Array.prototype.splice = function (this: unknown[], ...parameters: Parameters<typeof splice>) {
    splices += 1
    return splice.apply(this, parameters)
  }
  try {
    checkAndIntegrate(doc, updates[1]!)
  } finally {
    Array.prototype.splice = splice
  }
  expect(splices).toBeLessThan(10)
  expect(fingerprint(doc)).toBe(fingerprint(author))
})
