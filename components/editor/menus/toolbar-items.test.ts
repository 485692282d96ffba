import type { Editor } from '@tiptap/core'
import { EditorState, Plugin } from '@tiptap/pm/state'
import { Schema } from '@tiptap/pm/model'
import { yUndoPluginKey } from '@tiptap/y-tiptap'
import { expect, test } from 'vitest'
import { blockStyles } from './block-styles.ts'
import { blockGroup, historyGroup, markGroup } from './toolbar-items.ts'

test('each key of the text is listed once', () => {
  const items = [...historyGroup.items, ...markGroup.items, ...blockGroup.items, ...blockStyles]
  const keys = items.flatMap((item) => item.keys ?? [])
  expect(keys.length).toBeGreaterThan(10)
  expect(new Set(keys).size).toBe(keys.length)
})

test('undo and redo are available while there is a step, and checking that creates no command', () => {
  const undoManager = { undoStack: ['a step'], redoStack: [] as string[] }
  const plugin = new Plugin({
    key: yUndoPluginKey,
    state: { init: () => ({ undoManager }), apply: (_transaction, value) => value },
  })
  const schema = new Schema({ nodes: { doc: { content: 'text*' }, text: {} } })
  const editor = { state: EditorState.create({ schema, plugins: [plugin] }) } as Editor
  const can = () => historyGroup.items.map(({ canRun }) => canRun?.(editor))
  expect(can()).toEqual([true, false])
  undoManager.redoStack.push(undoManager.undoStack.pop()!)
  expect(can()).toEqual([false, true])
})
