import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type UpdateListener, transactSilently } from './silent-transaction.ts'

const remoteUpdate = (() => {
  const doc = new Y.Doc()
  doc.getText('t').insert(0, 'theirs')
  return Y.encodeStateAsUpdate(doc)
})()

function openListenedDoc() {
  const doc = new Y.Doc()
  const receivedOrigins: unknown[] = []
  const listener = (_update: Uint8Array, origin: unknown) => void receivedOrigins.push(origin)
  doc.on('update', listener)
  return {
    doc,
    receivedOrigins,
    text: doc.getText('t'),
    applySilently: (run?: () => void) => applySilently(doc, listener, run),
  }
}

function applySilently(
  doc: Y.Doc,
  listener: UpdateListener,
  run = () => Y.applyUpdate(doc, remoteUpdate),
): boolean {
  return transactSilently(doc, listener, { name: 'server' }, run)
}

test('what is taken in is not heard, and what is written behind it is', () => {
  const { receivedOrigins, text, applySilently } = openListenedDoc()
  expect([applySilently(), text.toJSON(), receivedOrigins]).toEqual([true, 'theirs', []])
  expect([applySilently(), receivedOrigins]).toEqual([false, []])
  text.doc!.transact(() => text.insert(0, '!'), 'own')
  expect(receivedOrigins).toEqual(['own'])
})

test('a deletion alone is news', () => {
  const { text, applySilently, doc } = openListenedDoc()
  applySilently()
  const other = new Y.Doc()
  Y.applyUpdate(other, remoteUpdate)
  other.getText('t').delete(0, 3)
  expect([applySilently(() => Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))), text.toJSON()]).toEqual([
    true,
    'irs',
  ])
})

test('what an observer writes in answer is heard, and stays heard', () => {
  const { doc, receivedOrigins, text, applySilently } = openListenedDoc()
  text.observe(({ transaction }) => {
    if (!transaction.local) doc.transact(() => text.insert(6, ' and an answer'), 'answer')
  })
  const other = new Y.Doc()
  doc.on('update', (update: Uint8Array) => Y.applyUpdate(other, update))
  applySilently()
  expect(receivedOrigins).toContain('answer')
  expect(other.getText('t').toJSON()).toBe('theirs and an answer')
})

test('within a transaction of somebody else all of it is heard', () => {
  const { doc, receivedOrigins, text, applySilently } = openListenedDoc()
  doc.transact(() => {
    text.insert(0, 'own ')
    applySilently()
  }, 'own')
  expect([receivedOrigins, text.toJSON().length]).toEqual([['own'], 'own theirs'.length])
})

test('where it fails the listener hears again', () => {
  const { receivedOrigins, text, applySilently } = openListenedDoc()
  const fail = (): never => {
    throw new Error('not an update')
  }
  expect(() => applySilently(fail)).toThrow('not an update')
  text.insert(0, '!')
  expect(receivedOrigins).toHaveLength(1)
})
