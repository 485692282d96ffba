import { Editor } from '@tiptap/core'
import type { EditorView } from '@tiptap/pm/view'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { NoteChannel } from '@/lib/sync/note-channel.ts'
import { Undo } from '@/lib/undo/undo.ts'
import { createHeadlessEditor, type HeadlessEditor } from './fixtures/headless-editor.ts'
import { pageSchemaExtensions } from '@/components/editor/schema.ts'
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
  const plugins = extensionManager.plugins.filter(({ props }) => props.handleDOMEvents?.blur)
  const editor = createHeadlessEditor(text, { plugins })
  const blur = (): void => {
    for (const plugin of plugins)
      plugin.props.handleDOMEvents!.blur!.call(plugin, editor as unknown as EditorView, {} as FocusEvent)
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

/** Types at the end of the only line. */
function type(editor: HeadlessEditor, letters: string): void {
  for (const letter of letters)
    editor.edit((tr) => tr.insertText(letter, tr.doc.content.size - 1, tr.doc.content.size - 1))
}

test('a sentence is a step, as are a new line, a command and a paste, however soon they follow', () => {
  const { text, undo, editor } = openEditor()
  const steps: string[] = []
  const doStep = (change: () => void): void => {
    steps.push(shown(text))
    change()
  }
  doStep(() => type(editor, ' first one.'))
  doStep(() => type(editor, ' '))
  steps.pop() // What ends a sentence belongs to it.
  doStep(() => type(editor, 'The secon'))
  editor.edit((tr) => tr.delete(tr.doc.content.size - 2, tr.doc.content.size - 1))
  type(editor, 'nd')
  doStep(() => editor.edit((tr) => tr.addMark(1, 3, editor.state.schema.mark('bold'))))
  doStep(() => type(editor, '!'))
  doStep(() => editor.edit((tr) => tr.insertText('pasted', 1).setMeta('uiEvent', 'paste')))
  doStep(() => editor.edit((tr) => tr.split(3)))
  doStep(() => type(editor, ' end'))
  for (const before of steps.toReversed()) {
    undo.undo()
    expect(shown(text)).toBe(before)
  }
})

test('what others write meanwhile ends no step', () => {
  const { text, undo, editor } = openEditor()
  const theirs = createHeadlessEditor(new Y.Doc().getXmlFragment('default'))
  Y.applyUpdate(theirs.binding.text.doc!, Y.encodeStateAsUpdate(text.doc!))
  type(editor, 'b')
  theirs.edit((tr) => tr.insertText('their ', 1))
  Y.applyUpdate(text.doc!, Y.encodeStateAsUpdate(theirs.binding.text.doc!))
  type(editor, 'c')
  expect(shown(text)).toBe('<paragraph>their abc</paragraph>')
  undo.undo()
  expect(shown(text)).toBe('<paragraph>their a</paragraph>')
})
