import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { applyUpdateIsolated } from './isolate-listeners.ts'

const source = new Y.Doc()
source.getText('text').insert(0, 'word')
const update = Y.encodeStateAsUpdate(source)

function prepareUpdate(update: Uint8Array, thrownBy: { listener?: boolean } = {}) {
  const doc = new Y.Doc()
  const reported: unknown[] = []
  const microtasks = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((run) => {
    try {
      run()
    } catch (error) {
      reported.push(error)
    }
  })
  if (thrownBy.listener)
    doc.getText('text').observe(() => {
      throw new Error('by a listener')
    })
  const apply = (): void => applyUpdateIsolated(doc, update, 'others')
  return { doc, reported, take: apply, [Symbol.dispose]: () => microtasks.mockRestore() }
}

test('what a listener throws is reported, and the edits are applied', () => {
  using prepared = prepareUpdate(update, { listener: true })
  prepared.take()
  expect(prepared.doc.getText('text').toJSON()).toBe('word')
  expect(prepared.reported).toEqual([new Error('by a listener')])
})

test('what an update throws is thrown', () => {
  using prepared = prepareUpdate(Uint8Array.of(1, 2, 3))
  expect(prepared.take).toThrow()
  expect(prepared.reported).toEqual([])
})
