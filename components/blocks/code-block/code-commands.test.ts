import { Editor, type JSONContent } from '@tiptap/core'
import { expect, test } from 'vitest'
import { schemaExtensions } from '@/components/editor/schema-extensions.ts'
import { keepIndentation } from './code-commands.ts'

const openWith = (...content: JSONContent[]): Editor =>
  new Editor({ element: null, extensions: schemaExtensions, content: { type: 'doc', content } })

const text = (letters: string): JSONContent => ({ type: 'text', text: letters })

test('a line that becomes code keeps its dates, formulas and people as letters', () => {
  const editor = openWith({
    type: 'paragraph',
    content: [
      text('Due '),
      { type: 'date', attrs: { day: '2026-11-29' } },
      text(' with '),
      { type: 'inlineMath', attrs: { latex: 'a^2' } },
      { type: 'hardBreak' },
      { type: 'mention', attrs: { kind: 'person', id: 'user:ada', label: 'Ada' } },
    ],
  })
  editor.commands.toggleCodeBlock()
  expect(editor.state.doc.firstChild!.type.name).toBe('codeBlock')
  expect(editor.state.doc.textContent).toBe('Due 2026-11-29 with $a^2$\n@Ada')
})

test('it does so behind the letters that a chain has deleted before, as the menu of blocks does', () => {
  const editor = openWith({
    type: 'paragraph',
    content: [text('/codesome letters '), { type: 'date', attrs: { day: '2026-11-29' } }, text('!')],
  })
  editor.chain().deleteRange({ from: 1, to: 6 }).toggleCodeBlock().run()
  expect(editor.state.doc.firstChild!.type.name).toBe('codeBlock')
  expect(editor.state.doc.textContent).toBe('some letters 2026-11-29!')
})

test.each([
  ['if (a) {\n  b()', 'if (a) {\n  b()\n  '],
  ['\tb', '\tb\n\t'],
  ['  b\n  ', '  b\n\n'],
])('Enter behind %j makes it %j', (before, after) => {
  const editor = openWith({ type: 'codeBlock', content: [text(before)] })
  editor.commands.setTextSelection(editor.state.doc.content.size - 1)
  editor.commands.command(keepIndentation)
  expect(editor.state.doc.textContent).toBe(after)
})
