import { Editor } from '@tiptap/core'
import { EditorState, NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import { pageSchemaExtensions } from '@/components/editor/schema.ts'
import { formatChangeCount, FormatChanges } from './format-changes.ts'

const { extensionManager, schema } = new Editor({
  element: null,
  enableCoreExtensions: false,
  content: { type: 'doc', content: [{ type: 'paragraph' }] },
  extensions: [...pageSchemaExtensions, FormatChanges],
})
const plugins = extensionManager.plugins.filter((plugin) => plugin.spec.key && 'state' in plugin.spec)

const word = (text: string, ...marks: string[]) =>
  schema.text(
    text,
    marks.map((mark) => schema.mark(mark)),
  )
const line = (...words: ReturnType<typeof word>[]) => schema.node('paragraph', null, words)

/** A line "one**two**" of which "two" is bold, an empty line, and a divider. The caret is behind "one". */
function createState(): EditorState {
  const doc = schema.node('doc', null, [
    line(word('one'), word('two', 'bold')),
    line(),
    schema.node('horizontalRule'),
  ])
  return EditorState.create({ doc, plugins, selection: TextSelection.create(doc, 4) })
}

const EMPTY_LINE = 9
const caretAt = (tr: Transaction, at: number) => tr.setSelection(TextSelection.create(tr.doc, at))

type Edit = (tr: Transaction, state: EditorState) => Transaction

const unchanged: Record<string, Edit> = {
  'a letter at the caret': (tr) => tr.insertText('x'),
  'a letter at the caret, as the editor reads it of the browser': (tr) => caretAt(tr.insertText('x', 4), 5),
  'a letter before it is deleted': (tr) => tr.delete(3, 4),
  'a letter in an empty line': (tr) => tr.insertText('x', EMPTY_LINE),
  'letters of others in front of it': (tr) => tr.insertText('xyz', 1),
}

const changed: Record<string, Edit> = {
  'the caret moves': (tr) => caretAt(tr, 2),
  'something is selected': (tr) => tr.setSelection(TextSelection.create(tr.doc, 1, 3)),
  'a block is selected': (tr) => tr.setSelection(NodeSelection.create(tr.doc, EMPTY_LINE + 1)),
  'a letter is typed, and the caret goes elsewhere': (tr) => caretAt(tr.insertText('x'), EMPTY_LINE + 1),
  'the next letters are bold': (tr) => tr.addStoredMark(schema.mark('bold')),
  'the letters around the caret become bold': (tr) => tr.addMark(1, 4, schema.mark('bold')),
  'a line has another attribute': (tr) => tr.setNodeAttribute(0, 'textAlign', 'center'),
  'a line becomes a heading': (tr) => tr.setBlockType(1, 1, schema.nodes.heading!, { level: 1 }),
  'a line is split': (tr) => tr.split(4),
  'two lines are joined': (tr) => tr.join(EMPTY_LINE - 1),
  'a block is deleted': (tr) => tr.delete(EMPTY_LINE + 1, EMPTY_LINE + 2),
  'nothing but what a plugin knows': (tr) => tr.setMeta('focus', true),
}

const countAfter = (edit: Edit): number => {
  const state = createState()
  return formatChangeCount(state.apply(edit(state.tr, state)))
}

describe('what buttons show', () => {
  test.each(Object.entries(unchanged))('stays: %s', (_name, edit) => {
    expect(countAfter(edit)).toBe(0)
  })

  test.each(Object.entries(changed))('may change: %s', (_name, edit) => {
    expect(countAfter(edit)).toBe(1)
  })

  test('is asked for again where what was selected is overwritten', () => {
    const state = createState()
    const selected = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 1, 3)))
    const count = formatChangeCount(selected)
    expect(formatChangeCount(selected.apply(selected.tr.insertText('x')))).toBe(count + 1)
  })
})
