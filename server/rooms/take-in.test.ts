import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkUpdate } from './check-update.ts'
import { deeds, play, same, soundness } from './fixtures/typing.ts'
import { RoomDoc, takeIn } from './take-in.ts'

const take = (doc: RoomDoc, update: Uint8Array): boolean =>
  takeIn(doc, checkUpdate(Y.decodeStateVector(Y.encodeStateVector(doc)), new Uint8Array(update)))

test('[S1] it ends where Yjs’s own way in ends, and so does whoever hears the bytes as they came', () => {
  fc.assert(
    fc.property(deeds(), (session) => {
      const [server, reader] = [new RoomDoc(), new RoomDoc()]
      play(session, server, (update) => {
        const before = Y.snapshot(server)
        const isNews = take(server, update)
        expect(isNews).toBe(!Y.equalSnapshots(before, Y.snapshot(server)))
        Y.applyUpdate(reader, update)
      })
      expect(soundness(server)).toBe('sound')
      expect(same(server, reader)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('structs that stand before what they refer to are brought into order', () => {
  const [ada, bob] = [new Y.Doc(), new Y.Doc()]
  for (const [one, other] of [[ada, bob], [bob, ada], [ada, bob], [bob, ada]] as const) {
    one.getText('trace').insert(one.getText('trace').length, 'x')
    Y.applyUpdate(other, Y.encodeStateAsUpdate(one))
  } // prettier-ignore
  const server = new RoomDoc()
  expect(take(server, Y.encodeStateAsUpdate(ada))).toBe(true)
  expect(same(server, ada)).toBe(true)
  expect(take(server, Y.encodeStateAsUpdate(bob))).toBe(false)
})

test('formatting that meets formatting is not tidied up behind its authors’ backs', () => {
  const [ada, bob, server] = [new Y.Doc(), new Y.Doc(), new RoomDoc()]
  // A paragraph as the editor has it: a root is no text to the server, and Yjs tidies up nothing in it.
  const paragraph = new Y.XmlText('bold and bold')
  ada.getXmlFragment('default').insert(0, [paragraph])
  Y.applyUpdate(bob, Y.encodeStateAsUpdate(ada))
  paragraph.format(0, 8, { bold: true })
  ;(bob.getXmlFragment('default').get(0) as Y.XmlText).format(4, 9, { bold: true })
  let transactions = 0
  server.on('afterTransaction', () => (transactions += 1))
  take(server, Y.encodeStateAsUpdate(ada))
  take(server, Y.encodeStateAsUpdate(bob))
  expect(transactions).toBe(2)
})

test('the server’s own edit stands where it was meant to, after others’ edits before it', () => {
  const [ada, server] = [new Y.Doc(), new RoomDoc()]
  ada.getText('trace').insert(0, 'one two three')
  take(server, Y.encodeStateAsUpdate(ada))
  server.getText('trace').insert(8, 'and ') // Yjs remembers this place
  Y.applyUpdate(ada, Y.encodeStateAsUpdate(server))
  const before = Y.encodeStateVector(ada)
  ada.getText('trace').insert(0, 'zero ')
  take(server, Y.encodeStateAsUpdate(ada, before))
  server.getText('trace').insert(13, 'then ')
  expect(server.getText('trace').toJSON()).toBe('zero one two then and three')
})

test('what waits for others’ text is not taken in by half', () => {
  const ada = new Y.Doc()
  ada.getText('trace').insert(0, 'never sent')
  const [server, bob] = [new RoomDoc(), new Y.Doc()]
  Y.applyUpdate(bob, Y.encodeStateAsUpdate(ada))
  const before = Y.encodeStateVector(bob)
  bob.getText('trace').insert(5, ' and')
  const unchecked = Y.decodeUpdate(Y.encodeStateAsUpdate(bob, before))
  const update = Uint8Array.of()
  expect(() => takeIn(server, { update, clocks: new Map(), ...unchecked })).toThrow('it waits for client')
})
