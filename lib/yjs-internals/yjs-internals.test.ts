/**
 * What this folder assumes of Yjs and y-protocols, for the versions named here. If a raised library breaks one of these tests, the
 * function named in it has to find its way again. If only the versions differ, read the library's changes, and name the new ones.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import packageJson from '../../package.json' with { type: 'json' }
import { stopTimeouts } from './awareness.ts'
import { firstItemOf, itemOf, lengthOf, valuesByKeyOf } from './shared-type.ts'
import {
  clientCountOf,
  clientsIn,
  clockOf,
  dropContent,
  hasPendingStructs,
  resolveReferences,
  structAt,
  structsOf,
  withoutPendingStructs,
} from './struct-store.ts'
import { cutStructsOf, hasListeners, openTransactionsOf, skipFormattingCleanup } from './transaction.ts'

test('the versions that these assumptions were checked with', () => {
  const { yjs, 'y-protocols': yProtocols, lib0 } = packageJson.dependencies
  expect({ yjs, yProtocols, lib0 }).toEqual({ yjs: '13.6.33', yProtocols: '1.0.7', lib0: '0.2.120' })
})

/** A document of client 1 with the letters "one two", of which " " is deleted. */
function exampleDoc(): { doc: Y.Doc; text: Y.Text } {
  const doc = new Y.Doc({ gc: false })
  doc.clientID = 1
  const text = doc.getText('text')
  text.insert(0, 'one two')
  text.delete(3, 1)
  return { doc, text }
}

test('structsOf, clientsIn, clientCountOf, clockOf and structAt: a list by client, in the order of clocks', () => {
  const { doc } = exampleDoc()
  const structs = structsOf(doc, 1)!
  expect(structs.map(({ id, length, deleted }) => [id.clock, length, deleted])).toEqual([
    [0, 3, false],
    [3, 1, true],
    [4, 3, false],
  ])
  expect(structsOf(doc, 2)).toBeUndefined()
  expect([[...clientsIn(doc)], clientCountOf(doc)]).toEqual([[1], 1])
  expect([clockOf(doc, 1), clockOf(doc, 2)]).toEqual([7, 0])
  expect(Y.decodeStateVector(Y.encodeStateVector(doc)).get(1)).toBe(clockOf(doc, 1))
  expect(structAt(doc, Y.createID(1, 5))).toBe(structs[2])
  expect(Y.findIndexSS(structs, 5)).toBe(2)
})

test('hasPendingStructs and withoutPendingStructs: what waits for missing text, and a look without it', () => {
  const { doc, text } = exampleDoc()
  const before = Y.encodeStateVector(doc)
  text.insert(0, 'more ')
  const late = new Y.Doc()
  expect(hasPendingStructs(late)).toBe(false)
  Y.applyUpdate(late, Y.encodeStateAsUpdate(doc, before))
  expect(hasPendingStructs(late)).toBe(true)
  const isPendingWithin = withoutPendingStructs(late, () => hasPendingStructs(late))
  expect([isPendingWithin, hasPendingStructs(late)]).toEqual([false, true])
  Y.applyUpdate(late, Y.encodeStateAsUpdate(doc))
  expect([hasPendingStructs(late), late.getText('text').toJSON()]).toEqual([false, 'more onetwo'])
})

test('resolveReferences: a decoded struct waits for a client, or finds its neighbours', () => {
  const { doc, text } = exampleDoc()
  const other = new Y.Doc()
  other.clientID = 2
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  const known = Y.encodeStateVector(other)
  other.getText('text').insert(7, '!')
  const [struct] = Y.decodeUpdate(Y.encodeStateAsUpdate(other, known)).structs
  new Y.Doc().transact((transaction) => expect(resolveReferences(struct!, transaction)).toBe(1))
  doc.transact((transaction) => {
    expect(resolveReferences(struct!, transaction)).toBeNull()
    struct!.integrate(transaction, 0)
  })
  expect(text.toJSON()).toBe('onetwo!')
})

test('dropContent: a deleted item keeps its place and loses its letters', () => {
  const { doc } = exampleDoc()
  dropContent(doc, structsOf(doc, 1)![1] as Y.Item)
  expect((structsOf(doc, 1)![1] as Y.Item).content).toBeInstanceOf(Y.ContentDeleted)
})

test('firstItemOf, lengthOf, valuesByKeyOf and itemOf: the items of a shared type', () => {
  const { doc, text } = exampleDoc()
  const contents = []
  for (let item = firstItemOf(text); item; item = item.right)
    contents.push(item.content.getContent().join(''))
  expect([contents, lengthOf(text)]).toEqual([['one', ' ', 'two'], 6])
  const map = doc.getMap<unknown>('map')
  map.set('key', 'old')
  map.set('key', 'new')
  const value = valuesByKeyOf(map).get('key')!
  expect([value.content.getContent(), value.left!.deleted]).toEqual([['new'], true])
  expect(itemOf(map)).toBeNull()
  const inner = new Y.Map()
  map.set('inner', inner)
  expect((itemOf(inner)!.content as Y.ContentType).type).toBe(inner)
  expect(itemOf(inner)!.parent).toBe(map)
})

test('cutStructsOf: names the right half of a cut struct, which Yjs merges again at the end', () => {
  const { doc } = exampleDoc()
  doc.transact((transaction) => {
    Y.getItemCleanStart(transaction, Y.createID(1, 5))
    expect(cutStructsOf(transaction).map(({ id }) => id.clock)).toEqual([5])
    expect(structsOf(doc, 1)).toHaveLength(4)
  })
  expect(structsOf(doc, 1)).toHaveLength(3)
})

test('skipFormattingCleanup: keeps the superfluous marks of concurrent remote formatting', () => {
  const cleanupsAfterRemoteMark = (isSkipped: boolean): number => {
    const doc = new Y.Doc()
    doc.getText('text').insert(0, 'word')
    const other = new Y.Doc()
    Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
    for (const one of [doc, other]) one.getText('text').format(0, 4, { bold: true })
    if (isSkipped) doc.on('afterTransaction', skipFormattingCleanup)
    let cleanups = 0
    doc.on('afterTransaction', ({ local }) => (cleanups += local ? 1 : 0))
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))
    return cleanups
  }
  expect([cleanupsAfterRemoteMark(false), cleanupsAfterRemoteMark(true)]).toEqual([1, 0])
})

test('openTransactionsOf and hasListeners', () => {
  const { doc } = exampleDoc()
  expect([openTransactionsOf(doc).length, hasListeners(doc, 'update')]).toEqual([0, false])
  doc.transact((transaction) => expect(openTransactionsOf(doc)).toEqual([transaction]))
  const listener = (): void => {}
  doc.on('update', listener)
  expect(hasListeners(doc, 'update')).toBe(true)
  doc.off('update', listener)
  expect(hasListeners(doc, 'update')).toBe(false)
})

test('stopTimeouts: nobody is removed for being silent', () => {
  vi.useFakeTimers()
  const awareness = new Awareness(new Y.Doc())
  expect(vi.getTimerCount()).toBe(1)
  stopTimeouts(awareness)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('nothing outside of this folder reaches into Yjs', () => {
  const internals =
    /[.{ ]_(start|map|item|length|mergeStructs|needFormattingCleanup|observers|transactionCleanups|checkInterval)\b|\.store\.(clients|pending)|\bpendingStructs\b|\bdoc\.store\b|Y\.Doc\['store'\]/
  const found = ['app', 'components', 'lib', 'server'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !/\.test\.ts|\.contract\.ts|\/fixtures\/|yjs-internals/.test(path))
      .filter((path) => internals.test(readFileSync(path, 'utf8'))),
  )
  expect(found).toEqual([])
})
