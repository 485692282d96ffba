/** Rows that the test of hostile updates has found, and their honest neighbours. */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkUpdate } from './check-update.ts'
import { type Content, type ItemId, type WrittenStruct, writeUpdate } from './fixtures/update-writer.ts'
import { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomDoc, takeIn } from './take-in.ts'

const HOSTILE = 50
const string = (text: string): Content => ({ kind: 'string', text })

const struct = (content: Content, more: Partial<WrittenStruct> = {}): WrittenStruct => ({
  content,
  origin: null,
  rightOrigin: null,
  parent: 'trace',
  key: null,
  ...more,
})

const at = (client: number, clock: number): ItemId => ({ client, clock })

const take = (doc: RoomDoc, update: Uint8Array): boolean =>
  takeIn(doc, checkUpdate(Y.decodeStateVector(Y.encodeStateVector(doc)), new Uint8Array(update)))

const send = (doc: RoomDoc, ...structs: WrittenStruct[]): string => {
  const state = Y.getState(doc.store, HOSTILE)
  try {
    take(doc, writeUpdate({ runs: [{ client: HOSTILE, clock: state, structs }], deletions: [] }))
    return 'taken'
  } catch (error) {
    if (error instanceof RoomRefusal) return `${error.reason.code}: ${error.reason.detail}`
    throw error
  }
}

/** Client 7 wrote 'abcdef' in one run, and 8 put 'X' behind 'c'; a paragraph 7:6 in another list; 7:7 and 7:8 are values of a key. */
function written(): RoomDoc {
  const [seven, eight, doc] = [new Y.Doc(), new Y.Doc(), new RoomDoc()]
  seven.clientID = 7
  eight.clientID = 8
  seven.getText('trace').insert(0, 'abcdef')
  seven.getXmlFragment('default').insert(0, [new Y.XmlElement('p')])
  seven.getMap('map').set('a', 1)
  seven.getMap('map').set('a', 2)
  Y.applyUpdate(eight, Y.encodeStateAsUpdate(seven))
  eight.getText('trace').insert(3, 'X')
  take(doc, Y.encodeStateAsUpdate(eight))
  return doc
}

describe('[S1] a place that no author can mean is refused', () => {
  test.each<[what: string, place: Partial<WrittenStruct>, why: string]>([
    [
      'its right neighbour is left of its left one',
      { origin: at(7, 4), rightOrigin: at(7, 1) },
      'not right of',
    ],
    [
      'the same, in one run that nobody cut before',
      { origin: at(7, 2), rightOrigin: at(7, 0) },
      'not right of',
    ],
    ['both neighbours are the same', { origin: at(7, 1), rightOrigin: at(7, 1) }, 'not right of'],
    ['its neighbours are in two lists', { origin: at(7, 1), rightOrigin: at(7, 6) }, 'not right of'],
    ['a letter and a value of a key', { origin: at(7, 1), rightOrigin: at(7, 8) }, 'not right of'],
    [
      'two letters that were never beside each other',
      { origin: at(7, 0), rightOrigin: at(7, 2) },
      'put behind',
    ],
    ['the same at the beginning', { rightOrigin: at(7, 1) }, 'put behind'],
    ['its parent is a letter', { parent: at(7, 1) }, 'no type'],
  ])('%s', (_what, place, why) => {
    const doc = written()
    expect(send(doc, struct(string('!'), place))).toMatch(`bad-update: `)
    expect(send(doc, struct(string('!'), place))).toContain(why)
  })

  test.each<[what: string, place: Partial<WrittenStruct>]>([
    ['between two letters', { origin: at(7, 0), rightOrigin: at(7, 1) }],
    ['between two that another author came between', { origin: at(7, 2), rightOrigin: at(7, 3) }],
    ['at the beginning', { rightOrigin: at(7, 0) }],
    ['at the end, as of before others came', { origin: at(7, 5) }],
    ['as the first of all, as of before others came', {}],
    ['as a value of a key, as of before another came', { origin: at(7, 7) }],
    ['in a paragraph', { parent: at(7, 6) }],
  ])('not %s', (_what, place) => {
    expect(send(written(), struct(string('!'), place))).toBe('taken')
  })

  test('one of several values of one key is still there', () => {
    const several = struct(string('many'), { parent: 'map', key: 'b' })
    expect(send(written(), several)).toBe('bad-update: one key has several values')
    expect(send(written(), several, struct(string('!'), { origin: at(HOSTILE, 3) }))).toBe('taken')
  })

  test('the refused leave no trace where they were the first of their edit', () => {
    const doc = written()
    const before = Y.encodeStateAsUpdate(doc)
    send(doc, struct(string('!'), { origin: at(7, 4), rightOrigin: at(7, 1) }))
    expect([doc.isHalfTaken, Y.encodeStateAsUpdate(doc)]).toEqual([false, before])
    send(doc, struct(string('?')), struct(string('!'), { origin: at(7, 4), rightOrigin: at(7, 1) }))
    expect(doc.isHalfTaken).toBe(true)
  })
})

describe('[S1] beside what was deleted for good', () => {
  /** The letters of the paragraph 7:6 are gone; 'abcdef' and 'X' are there. */
  function withoutParagraph(): RoomDoc {
    const doc = written()
    const author = new Y.Doc()
    author.clientID = 9
    Y.applyUpdate(author, Y.encodeStateAsUpdate(doc))
    const body = author.getXmlFragment('default')
    ;(body.get(0) as Y.XmlElement).insert(0, [new Y.XmlText('gone')])
    body.delete(0, 1)
    const before = Y.encodeStateVector(doc)
    take(doc, Y.encodeStateAsUpdate(author, before))
    return doc
  }

  test('an item that is late is gone, too', () => {
    const doc = withoutParagraph()
    expect(send(doc, struct(string('late'), { origin: at(9, 0) }))).toBe('taken')
    expect(send(doc, struct(string('late'), { parent: at(7, 6) }))).toBe('taken')
    expect(doc.getXmlFragment('default').toJSON()).toBe('')
  })

  test('none with a neighbour that is there', () => {
    const doc = withoutParagraph()
    expect(send(doc, struct(string('!'), { origin: at(9, 0), rightOrigin: at(7, 1) }))).toContain(
      'deleted for good',
    )
    expect(send(doc, struct(string('!'), { origin: at(7, 0), rightOrigin: at(9, 0) }))).toContain(
      'deleted for good',
    )
  })
})

test.each<[where: string, place: Partial<WrittenStruct>]>([
  ['behind one', { origin: at(7, 5) }],
  ['before one', { rightOrigin: at(7, 0) }],
  ['between two', { origin: at(7, 0), rightOrigin: at(7, 1) }],
  ['among all', {}],
  ['among the values of a key', { parent: 'map', key: 'b' }],
])('[A6] a place %s is looked for among so many items and no more', (_where, place) => {
  const doc = written()
  const cost = new IntegrationCost(0)
  const many = Array.from({ length: 3_000 }, () => struct(string('!'), place))
  const update = writeUpdate({ runs: [{ client: HOSTILE, clock: 0, structs: many }], deletions: [] })
  expect(() => takeIn(doc, checkUpdate(new Map([[7, 9]]), update), cost)).toThrow(
    'among more than 65536 items',
  )
  expect(cost.compared).toBeLessThanOrEqual(65_537)
})
