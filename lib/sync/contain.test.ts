import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { applyContained } from './contain.ts'

const source = new Y.Doc()
source.getText('text').insert(0, 'word')
const update = Y.encodeStateAsUpdate(source)

function taking(update: Uint8Array, thrownBy: { listener?: boolean } = {}) {
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
  const take = (): void => applyContained(doc, update, 'others')
  return { doc, reported, take, [Symbol.dispose]: () => microtasks.mockRestore() }
}

test('what a listener throws is reported, and the edits are taken in', () => {
  using taken = taking(update, { listener: true })
  taken.take()
  expect(taken.doc.getText('text').toJSON()).toBe('word')
  expect(taken.reported).toEqual([new Error('by a listener')])
})

test('what an update throws is thrown', () => {
  using taken = taking(Uint8Array.of(1, 2, 3))
  expect(taken.take).toThrow()
  expect(taken.reported).toEqual([])
})
