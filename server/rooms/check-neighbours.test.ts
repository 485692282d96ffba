/** Cases that the test of hostile updates has found, and similar honest ones. */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkUpdate } from './check-update.ts'
import { fingerprint } from './fixtures/fingerprint.ts'
import {
  type WrittenContent,
  type ItemId,
  type WrittenStruct,
  writeUpdate,
} from './fixtures/update-writer.ts'
import { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomDoc, integrateUpdate } from './integrate-update.ts'

const HOSTILE_CLIENT = 50
const letters = (text: string): WrittenContent => ({ kind: 'string', text })

const structOf = (content: WrittenContent, more: Partial<WrittenStruct> = {}): WrittenStruct => ({
  content,
  origin: null,
  rightOrigin: null,
  parent: 'trace',
  key: null,
  ...more,
})

const idOf = (client: number, clock: number): ItemId => ({ client, clock })

const checkAndIntegrate = (doc: RoomDoc, update: Uint8Array): boolean =>
  integrateUpdate(doc, checkUpdate(Y.decodeStateVector(Y.encodeStateVector(doc)), new Uint8Array(update)))

const sendStructs = (doc: RoomDoc, ...structs: WrittenStruct[]): string =>
  sendWithDeletions(doc, 0, ...structs)

/** @param deletedCount How many of the clocks it brings the edit deletes, from the first. */
const sendWithDeletions = (doc: RoomDoc, deletedCount: number, ...structs: WrittenStruct[]): string => {
  const clock = Y.getState(doc.store, HOSTILE_CLIENT)
  const ranges: [number, number][] = [[clock, deletedCount]]
  const deletions = deletedCount > 0 ? [{ client: HOSTILE_CLIENT, ranges }] : []
  try {
    checkAndIntegrate(doc, writeUpdate({ runs: [{ client: HOSTILE_CLIENT, clock, structs }], deletions }))
    return 'taken'
  } catch (error) {
    if (error instanceof RoomRefusal) return `${error.reason.code}: ${error.reason.detail}`
    throw error
  }
}

/** Client 7 wrote 'abcdef' in one run, and 8 put 'X' after 'c'; a paragraph 7:6 in another list; 7:7 and 7:8 are values of a key. */
function createDocument(): RoomDoc {
  const [seven, eight, doc] = [new Y.Doc(), new Y.Doc(), new RoomDoc()]
  seven.clientID = 7
  eight.clientID = 8
  seven.getText('trace').insert(0, 'abcdef')
  seven.getXmlFragment('default').insert(0, [new Y.XmlElement('p')])
  seven.getMap('map').set('a', 1)
  seven.getMap('map').set('a', 2)
  Y.applyUpdate(eight, Y.encodeStateAsUpdate(seven))
  eight.getText('trace').insert(3, 'X')
  checkAndIntegrate(doc, Y.encodeStateAsUpdate(eight))
  return doc
}

describe('[S1] a place that no honest author can name is refused', () => {
  test.each<[what: string, place: Partial<WrittenStruct>, why: string]>([
    [
      'its right neighbour is left of its left one',
      { origin: idOf(7, 4), rightOrigin: idOf(7, 1) },
      'not right of',
    ],
    [
      'the same, in one run that nobody cut before',
      { origin: idOf(7, 2), rightOrigin: idOf(7, 0) },
      'not right of',
    ],
    ['both neighbours are the same', { origin: idOf(7, 1), rightOrigin: idOf(7, 1) }, 'not right of'],
    ['its neighbours are in two lists', { origin: idOf(7, 1), rightOrigin: idOf(7, 6) }, 'not right of'],
    ['a letter and a value of a key', { origin: idOf(7, 1), rightOrigin: idOf(7, 8) }, 'not right of'],
    [
      'two letters that were never beside each other',
      { origin: idOf(7, 0), rightOrigin: idOf(7, 2) },
      'put behind',
    ],
    ['the same at the beginning', { rightOrigin: idOf(7, 1) }, 'put behind'],
    ['its parent is a letter', { parent: idOf(7, 1) }, 'no type'],
  ])('%s', (_what, place, why) => {
    const doc = createDocument()
    expect(sendStructs(doc, structOf(letters('!'), place))).toMatch(`bad-update: `)
    expect(sendStructs(doc, structOf(letters('!'), place))).toContain(why)
  })

  test.each<[what: string, place: Partial<WrittenStruct>]>([
    ['between two letters', { origin: idOf(7, 0), rightOrigin: idOf(7, 1) }],
    ['between two that another author came between', { origin: idOf(7, 2), rightOrigin: idOf(7, 3) }],
    ['at the beginning', { rightOrigin: idOf(7, 0) }],
    ['at the end, as of before others came', { origin: idOf(7, 5) }],
    ['as the first of all, as of before others came', {}],
    ['as a value of a key, as of before another came', { origin: idOf(7, 7) }],
    ['in a paragraph', { parent: idOf(7, 6) }],
  ])('not %s', (_what, place) => {
    expect(sendStructs(createDocument(), structOf(letters('!'), place))).toBe('taken')
  })

  test('several values of one key must be deleted by the edit itself', () => {
    const several = structOf(letters('many'), { parent: 'map', key: 'b' })
    const next = structOf(letters('!'), { origin: idOf(HOSTILE_CLIENT, 3) })
    expect(sendStructs(createDocument(), several)).toBe('bad-update: one key has several values')
    expect(sendWithDeletions(createDocument(), 3, several, next)).toBe(
      'bad-update: one key has several values',
    )
    expect(sendWithDeletions(createDocument(), 4, several, next)).toBe('taken')
  })

  test('the next value may not delete them: merged with another edit, the update would keep one', () => {
    const several = structOf(letters('many'), { parent: 'map', key: 'b' })
    const next = structOf(letters('!'), { origin: idOf(HOSTILE_CLIENT, 3) })
    const between = structOf(letters('?'), { origin: idOf(HOSTILE_CLIENT, 1) })
    const updates = [
      writeUpdate({ runs: [{ client: HOSTILE_CLIENT, clock: 0, structs: [several, next] }], deletions: [] }),
      writeUpdate({ runs: [{ client: HOSTILE_CLIENT + 1, clock: 0, structs: [between] }], deletions: [] }),
    ]
    const [apart, merged] = [new Y.Doc(), new Y.Doc()]
    for (const update of updates) Y.applyUpdate(apart, update)
    Y.applyUpdate(merged, Y.mergeUpdates(updates))
    expect(fingerprint(apart)).not.toBe(fingerprint(merged))
    expect(() => checkAndIntegrate(createDocument(), updates[0]!)).toThrow('one key has several values')
  })

  test('a refused first item of an edit leaves no trace', () => {
    const doc = createDocument()
    const before = Y.encodeStateAsUpdate(doc)
    sendStructs(doc, structOf(letters('!'), { origin: idOf(7, 4), rightOrigin: idOf(7, 1) }))
    expect([doc.isHalfIntegrated, Y.encodeStateAsUpdate(doc)]).toEqual([false, before])
    sendStructs(
      doc,
      structOf(letters('?')),
      structOf(letters('!'), { origin: idOf(7, 4), rightOrigin: idOf(7, 1) }),
    )
    expect(doc.isHalfIntegrated).toBe(true)
  })
})

describe('[S1] beside collected items', () => {
  /** The letters of the paragraph 7:6 are collected; 'abcdef' and 'X' exist. */
  function createDocumentWithoutParagraph(): RoomDoc {
    const doc = createDocument()
    const author = new Y.Doc()
    author.clientID = 9
    Y.applyUpdate(author, Y.encodeStateAsUpdate(doc))
    const body = author.getXmlFragment('default')
    ;(body.get(0) as Y.XmlElement).insert(0, [new Y.XmlText('gone')])
    body.delete(0, 1)
    const before = Y.encodeStateVector(doc)
    checkAndIntegrate(doc, Y.encodeStateAsUpdate(author, before))
    return doc
  }

  test('a late item is collected too', () => {
    const doc = createDocumentWithoutParagraph()
    expect(sendStructs(doc, structOf(letters('late'), { origin: idOf(9, 0) }))).toBe('taken')
    expect(sendStructs(doc, structOf(letters('late'), { parent: idOf(7, 6) }))).toBe('taken')
    expect(doc.getXmlFragment('default').toJSON()).toBe('')
  })

  test('several values of one key are refused: a window that receives them with the deletion may cut one off', () => {
    const several = structOf(letters('late'), { parent: idOf(7, 6), key: 'b' })
    expect(sendStructs(createDocumentWithoutParagraph(), several)).toBe(
      'bad-update: one key has several values',
    )
    expect(sendWithDeletions(createDocumentWithoutParagraph(), 4, several)).toBe('taken')
  })

  test('an item with a neighbour that exists is refused', () => {
    const doc = createDocumentWithoutParagraph()
    expect(
      sendStructs(doc, structOf(letters('!'), { origin: idOf(9, 0), rightOrigin: idOf(7, 1) })),
    ).toContain('deleted for good')
    expect(
      sendStructs(doc, structOf(letters('!'), { origin: idOf(7, 0), rightOrigin: idOf(9, 0) })),
    ).toContain('deleted for good')
  })
})

test.each<[where: string, place: Partial<WrittenStruct>]>([
  ['behind one', { origin: idOf(7, 5) }],
  ['before one', { rightOrigin: idOf(7, 0) }],
  ['between two', { origin: idOf(7, 0), rightOrigin: idOf(7, 1) }],
  ['among all', {}],
  ['among the values of a key', { parent: 'map', key: 'b' }],
])('[A6] a place %s is looked for among so many items and no more', (_where, place) => {
  const doc = createDocument()
  const cost = new IntegrationCost(0)
  const many = Array.from({ length: 3_000 }, () => structOf(letters('!'), place))
  const update = writeUpdate({ runs: [{ client: HOSTILE_CLIENT, clock: 0, structs: many }], deletions: [] })
  expect(() => integrateUpdate(doc, checkUpdate(new Map([[7, 9]]), update), cost)).toThrow(
    'more than 50000 units of work',
  )
  expect(cost.spentUnits).toBeLessThan(52_500) // 62,500 comparisons, and its structs
})
