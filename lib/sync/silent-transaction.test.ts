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

test('a listener is not notified of what is applied silently, but of what is written after it', () => {
  const { receivedOrigins, text, applySilently } = openListenedDoc()
  expect([applySilently(), text.toJSON(), receivedOrigins]).toEqual([true, 'theirs', []])
  expect([applySilently(), receivedOrigins]).toEqual([false, []])
  text.doc!.transact(() => text.insert(0, '!'), 'own')
  expect(receivedOrigins).toEqual(['own'])
})

test('a deletion alone is a change', () => {
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

test('a listener is notified of what an observer writes in answer, and stays subscribed', () => {
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

test('within another transaction the listener is notified of all of it', () => {
  const { doc, receivedOrigins, text, applySilently } = openListenedDoc()
  doc.transact(() => {
    text.insert(0, 'own ')
    applySilently()
  }, 'own')
  expect([receivedOrigins, text.toJSON().length]).toEqual([['own'], 'own theirs'.length])
})

test('after a failure the listener is subscribed again', () => {
  const { receivedOrigins, text, applySilently } = openListenedDoc()
  const fail = (): never => {
    throw new Error('not an update')
  }
  expect(() => applySilently(fail)).toThrow('not an update')
  text.insert(0, '!')
  expect(receivedOrigins).toHaveLength(1)
})
