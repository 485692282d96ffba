import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type Listener, transactUnheard } from './unheard.ts'

const theirs = (() => {
  const doc = new Y.Doc()
  doc.getText('t').insert(0, 'theirs')
  return Y.encodeStateAsUpdate(doc)
})()

function listening() {
  const doc = new Y.Doc()
  const heard: unknown[] = []
  const listener = (_update: Uint8Array, origin: unknown) => void heard.push(origin)
  doc.on('update', listener)
  return { doc, heard, text: doc.getText('t'), take: (run?: () => void) => take(doc, listener, run) }
}

function take(doc: Y.Doc, listener: Listener, run = () => Y.applyUpdate(doc, theirs)): boolean {
  return transactUnheard(doc, listener, { name: 'server' }, run)
}

test('what is taken in is not heard, and what is written behind it is', () => {
  const { heard, text, take } = listening()
  expect([take(), text.toJSON(), heard]).toEqual([true, 'theirs', []])
  expect([take(), heard]).toEqual([false, []])
  text.doc!.transact(() => text.insert(0, '!'), 'own')
  expect(heard).toEqual(['own'])
})

test('a deletion alone is news', () => {
  const { text, take, doc } = listening()
  take()
  const other = new Y.Doc()
  Y.applyUpdate(other, theirs)
  other.getText('t').delete(0, 3)
  expect([take(() => Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))), text.toJSON()]).toEqual([true, 'irs'])
})

test('what an observer writes in answer is heard, and stays heard', () => {
  const { doc, heard, text, take } = listening()
  text.observe(({ transaction }) => {
    if (!transaction.local) doc.transact(() => text.insert(6, ' and an answer'), 'answer')
  })
  const other = new Y.Doc()
  doc.on('update', (update: Uint8Array) => Y.applyUpdate(other, update))
  take()
  expect(heard).toContain('answer')
  expect(other.getText('t').toJSON()).toBe('theirs and an answer')
})

test('within a transaction of somebody else all of it is heard', () => {
  const { doc, heard, text, take } = listening()
  doc.transact(() => {
    text.insert(0, 'own ')
    take()
  }, 'own')
  expect([heard, text.toJSON().length]).toEqual([['own'], 'own theirs'.length])
})

test('where it fails the listener hears again', () => {
  const { heard, text, take } = listening()
  const fail = (): never => {
    throw new Error('not an update')
  }
  expect(() => take(fail)).toThrow('not an update')
  text.insert(0, '!')
  expect(heard).toHaveLength(1)
})
