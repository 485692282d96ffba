import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkUpdate } from './check-update.ts'
import { editSteps, playSession, hasSameState, soundnessOf } from './fixtures/editing-session.ts'
import { writeUpdate } from './fixtures/update-writer.ts'
import { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomDoc, integrateUpdate, integrateUpdateInSteps } from './integrate-update.ts'

const checkAndIntegrate = (doc: RoomDoc, update: Uint8Array): boolean =>
  integrateUpdate(doc, checkUpdate(Y.decodeStateVector(Y.encodeStateVector(doc)), new Uint8Array(update)))

test('[S1] the result is that of Y.applyUpdate, and so is a replica that receives the same bytes', () => {
  fc.assert(
    fc.property(editSteps(), (session) => {
      const [server, reader] = [new RoomDoc(), new RoomDoc()]
      playSession(session, server, (update) => {
        const before = Y.snapshot(server)
        const isNew = checkAndIntegrate(server, update)
        expect(isNew).toBe(!Y.equalSnapshots(before, Y.snapshot(server)))
        Y.applyUpdate(reader, update)
      })
      expect(soundnessOf(server)).toBe('sound')
      expect(hasSameState(server, reader)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('structs that come before what they refer to are put in order', () => {
  const [ada, bob] = [new Y.Doc(), new Y.Doc()]
  for (const [one, other] of [[ada, bob], [bob, ada], [ada, bob], [bob, ada]] as const) {
    one.getText('trace').insert(one.getText('trace').length, 'x')
    Y.applyUpdate(other, Y.encodeStateAsUpdate(one))
  } // prettier-ignore
  const server = new RoomDoc()
  expect(checkAndIntegrate(server, Y.encodeStateAsUpdate(ada))).toBe(true)
  expect(hasSameState(server, ada)).toBe(true)
  expect(checkAndIntegrate(server, Y.encodeStateAsUpdate(bob))).toBe(false)
})

test('overlapping formatting is not cleaned up without its authors', () => {
  const [ada, bob, server] = [new Y.Doc(), new Y.Doc(), new RoomDoc()]
  // A paragraph as in the editor: the server reads its root as no text, and Yjs cleans up nothing in it.
  const paragraph = new Y.XmlText('bold and bold')
  ada.getXmlFragment('default').insert(0, [paragraph])
  Y.applyUpdate(bob, Y.encodeStateAsUpdate(ada))
  paragraph.format(0, 8, { bold: true })
  ;(bob.getXmlFragment('default').get(0) as Y.XmlText).format(4, 9, { bold: true })
  let transactions = 0
  server.on('afterTransaction', () => (transactions += 1))
  checkAndIntegrate(server, Y.encodeStateAsUpdate(ada))
  checkAndIntegrate(server, Y.encodeStateAsUpdate(bob))
  expect(transactions).toBe(2)
})

test('a server edit is at its intended place, after edits of others before that place', () => {
  const [ada, server] = [new Y.Doc(), new RoomDoc()]
  ada.getText('trace').insert(0, 'one two three')
  checkAndIntegrate(server, Y.encodeStateAsUpdate(ada))
  server.getText('trace').insert(8, 'and ') // Yjs caches this place
  Y.applyUpdate(ada, Y.encodeStateAsUpdate(server))
  const before = Y.encodeStateVector(ada)
  ada.getText('trace').insert(0, 'zero ')
  checkAndIntegrate(server, Y.encodeStateAsUpdate(ada, before))
  server.getText('trace').insert(13, 'then ')
  expect(server.getText('trace').toJSON()).toBe('zero one two then and three')
})

test('an edit that waits for text of others is not half integrated', () => {
  const ada = new Y.Doc()
  ada.getText('trace').insert(0, 'never sent')
  const [server, bob] = [new RoomDoc(), new Y.Doc()]
  Y.applyUpdate(bob, Y.encodeStateAsUpdate(ada))
  const before = Y.encodeStateVector(bob)
  bob.getText('trace').insert(5, ' and')
  const unchecked = Y.decodeUpdate(Y.encodeStateAsUpdate(bob, before))
  const update = Uint8Array.of()
  expect(() => integrateUpdate(server, { update, clocks: new Map(), ...unchecked })).toThrow(
    'it waits for client',
  )
})

/** Integrates an edit, and counts the elements of arrays that are copied or moved. */
function integrateCountingMoves(doc: RoomDoc, update: Uint8Array): { isRefused: boolean; moved: number } {
  const { slice, splice } = Array.prototype
  let moved = 0
  const cost = new IntegrationCost(update.length)
  Array.prototype.slice = function (this: unknown[], ...bounds) {
    moved += this.length
    return slice.apply(this, bounds)
  }
  Array.prototype.splice = function (this: unknown[], ...change) {
    moved += this.length
    return splice.apply(this, change as [number, number])
  }
  try {
    const checked = checkUpdate(Y.decodeStateVector(Y.encodeStateVector(doc)), update, undefined, cost)
    integrateUpdate(doc, checked, cost)
    return { isRefused: false, moved }
  } catch (error) {
    if (!(error instanceof RoomRefusal) || error.reason.code !== 'too-costly') throw error
    return { isRefused: true, moved }
  } finally {
    Object.assign(Array.prototype, { slice, splice })
  }
}

describe('[A6] cuts that copy or move much are refused long before all of them are made', () => {
  const MANY = 1_900

  const insertsBetween = (clocks: readonly number[]): Uint8Array =>
    writeUpdate({
      runs: [
        {
          client: 7,
          clock: 0,
          structs: clocks.map((clock) => ({
            content: { kind: 'string' as const, text: 'x' },
            origin: { client: 100, clock },
            rightOrigin: { client: 100, clock: clock + 1 },
            parent: 'trace',
            key: null,
          })),
        },
      ],
      deletions: [],
    })

  const deletionsOf = (clocks: readonly number[]): Uint8Array =>
    writeUpdate({
      runs: [],
      deletions: [{ client: 100, ranges: clocks.map((clock): [number, number] => [clock, 1]) }],
    })

  const everyOther = Array.from({ length: MANY }, (_, index) => 3 * index + 1)

  test.each([
    ['items', insertsBetween],
    ['deletions', deletionsOf],
  ])('%s among the values of one long struct', (_what, update) => {
    const doc = new RoomDoc()
    const source = new Y.Doc()
    source.clientID = 100
    source.getArray('trace').insert(0, Array.from<number>({ length: 1_000_000 }).fill(0))
    checkAndIntegrate(doc, Y.encodeStateAsUpdate(source))
    const { isRefused, moved } = integrateCountingMoves(doc, update(everyOther))
    expect(isRefused).toBe(true)
    expect(moved).toBeLessThan(60_000_000)
  })

  test('deletions are made in the middle of a great many structs', () => {
    const doc = new RoomDoc()
    const source = new Y.Doc()
    source.clientID = 100
    source.transact(() => {
      const text = source.getText('trace')
      for (let at = 0; at < 200_000; at++) text.insert(0, 'abc') // each before the last one: none are merged
    })
    checkAndIntegrate(doc, Y.encodeStateAsUpdate(source))
    const { isRefused, moved } = integrateCountingMoves(doc, deletionsOf(everyOther))
    expect(isRefused).toBe(true)
    expect(moved).toBeLessThan((2 * MANY * 200_000) / 3) // a third of what all cuts would move, some 20 ms
  })
})

test('[A6] an edit that is integrated is never refused as too costly: the refusal would cost more', () => {
  const [doc, source] = [new RoomDoc(), new Y.Doc()]
  source.getArray('list').insert(0, Array.from<number>({ length: 100_000 }).fill(0))
  checkAndIntegrate(doc, Y.encodeStateAsUpdate(source))
  const before = Y.encodeStateVector(source)
  source.getArray('list').push([1]) // the list is copied at the end of the transaction
  const update = Y.encodeStateAsUpdate(source, before)
  const cost = new IntegrationCost(update.length)
  cost.countDone(50_000)
  const checked = checkUpdate(Y.decodeStateVector(before), update, undefined, cost)
  expect(integrateUpdate(doc, checked, cost)).toBe(true)
  expect(() => cost.check()).toThrow('units of work')
})

describe('[A6] a long edit has a pause after each few thousand structs', () => {
  /** Each letter is before the last one, so Yjs merges none of them. */
  function manyLetters(text: Y.Text | Y.XmlText, count: number): void {
    text.doc!.transact(() => {
      for (let index = 0; index < count; index++) text.insert(0, 'x')
    })
  }

  /** Integrates the edit. Returns how many items each transaction deleted. */
  function countDeletedPerTransaction(doc: RoomDoc, update: Uint8Array): number[] {
    const deleted: number[] = []
    const count = ({ deleteSet }: Y.Transaction): void =>
      void deleted.push([...deleteSet.clients.values()].reduce((sum, { length }) => sum + length, 0))
    doc.on('beforeObserverCalls', count)
    const checked = checkUpdate(Y.decodeStateVector(Y.encodeStateVector(doc)), new Uint8Array(update))
    for (const steps = integrateUpdateInSteps(doc, checked); !steps.next().done;)
      expect(doc.isHalfIntegrated).toBe(true)
    doc.off('beforeObserverCalls', count)
    expect(doc.isHalfIntegrated).toBe(false)
    return deleted
  }

  test.each<[what: string, write: (doc: Y.Doc) => void, remove: (doc: Y.Doc) => void]>([
    [
      'that deletes them in a row',
      (doc) => manyLetters(doc.getText('trace'), 20_000),
      (doc) => doc.getText('trace').delete(0, 20_000),
    ],
    [
      'that deletes what they are in',
      (doc) => {
        const list = new Y.XmlElement('list')
        doc.getXmlFragment('default').insert(0, [list])
        for (let index = 0; index < 2; index++) {
          const text = new Y.XmlText()
          list.insert(0, [text])
          manyLetters(text, 10_000)
        }
      },
      (doc) => doc.getXmlFragment('default').delete(0, 1),
    ],
  ])('%s', (_what, write, remove) => {
    const [source, server, reader] = [new Y.Doc(), new RoomDoc(), new Y.Doc()]
    write(source)
    const first = Y.encodeStateAsUpdate(source)
    countDeletedPerTransaction(server, first)
    Y.applyUpdate(reader, first)
    let removal: Uint8Array = new Uint8Array()
    source.on('update', (update: Uint8Array) => (removal = update))
    remove(source)
    expect(removal.length).toBeLessThan(100)
    const deleted = countDeletedPerTransaction(server, removal)
    Y.applyUpdate(reader, removal)
    expect(deleted.length).toBeGreaterThan(4)
    expect(Math.max(...deleted)).toBeLessThan(5_000)
    expect(soundnessOf(server)).toBe('sound')
    expect(hasSameState(server, reader)).toBe(true)
  })
})
