import { Editor } from '@tiptap/core'
import type { EditorView } from '@tiptap/pm/view'
import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { NoteChannel } from '@/lib/sync/note-channel.ts'
import { Undo } from '@/lib/undo/undo.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'
import { pageSchemaExtensions } from './schema.ts'
import { SharedUndo } from './shared-undo.ts'

/** An editor whose steps of undo end by what happens, never by the clock. */
function openEditor() {
  const text = textWith(paragraph('a'))
  const undo = new Undo({
    body: text,
    title: text.doc!.getText('title'),
    notes: new NoteChannel(),
    windowLabel: '',
    captureMs: Infinity,
  })
  const { extensionManager } = new Editor({
    element: null,
    enableCoreExtensions: false,
    content: { type: 'doc', content: [{ type: 'paragraph' }] },
    extensions: [...pageSchemaExtensions, SharedUndo.configure({ undo })],
  })
  const editor = createHeadlessEditor(text)
  const blur = (): void => {
    for (const plugin of extensionManager.plugins)
      plugin.props.handleDOMEvents?.blur?.call(plugin, editor as unknown as EditorView, {} as FocusEvent)
  }
  return { text, undo, editor, blur }
}

const shown = (text: Y.XmlFragment): string => text.toJSON()

test('what a button does after a letter is a step of its own: the editor has lost the focus in between', () => {
  const { text, undo, editor, blur } = openEditor()
  editor.edit((tr) => tr.insertText('b', 2))
  blur()
  editor.edit((tr) => tr.addMark(1, 3, editor.state.schema.mark('bold')))
  undo.undo()
  expect(shown(text)).toBe('<paragraph>ab</paragraph>')
})

test('letters that are typed in one go are one step', () => {
  const { text, undo, editor } = openEditor()
  editor.edit((tr) => tr.insertText('b', 2))
  editor.edit((tr) => tr.insertText('c', 3))
  undo.undo()
  expect(shown(text)).toBe('<paragraph>a</paragraph>')
})
