import { expect, test } from 'vitest'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { OwnCaret } from './own-caret.ts'

function world() {
  const real = new Awareness(new Y.Doc())
  clearInterval(real._checkInterval)
  const caret = new OwnCaret(real)
  caret.awareness.setLocalStateField('user', { name: 'Ada' })
  let told = 0
  caret.awareness.on('update', () => (told += 1))
  return {
    caret,
    at: (index: number) => caret.awareness.setLocalStateField('cursor', { anchor: index, head: index }),
    seen: () => ({ ...real.getLocalState(), told }),
  }
}

test('where the caret is told once, though it is said again', () => {
  const { at, seen } = world()
  at(1)
  at(1)
  at(2)
  expect(seen()).toEqual({ user: { name: 'Ada' }, cursor: { anchor: 2, head: 2 }, told: 2 })
})

test('[W6] a window without the keyboard shows no caret, whatever its editor says, and shows it again when it comes back', () => {
  const { caret, at, seen } = world()
  at(1)
  caret.leave()
  at(1)
  at(2)
  expect(seen()).toEqual({ user: { name: 'Ada' }, cursor: null, told: 2 })
  caret.comeBack()
  at(2)
  expect(seen()).toMatchObject({ cursor: { anchor: 2 }, told: 3 })
})

test('a window that never had a caret has nothing to take back, and one that said goodbye does not come back by it', () => {
  const { caret, seen } = world()
  caret.leave()
  expect(seen().told).toBe(0)
  caret.comeBack()
  caret.awareness.setLocalState(null)
  caret.awareness.setLocalStateField('cursor', null)
  caret.leave()
  expect(seen()).toEqual({ told: 1 })
})
