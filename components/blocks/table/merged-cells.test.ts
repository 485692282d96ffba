import { Fragment, Slice } from '@tiptap/pm/model'
import { type Command, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createHeadlessEditor, type HeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { TextReader } from '@/components/binding/read-text.ts'
import { pageSchema } from '@/components/editor/schema.ts'
import { replaceSelection } from '@/components/editor/paste/replace-selection.ts'
import { markdownOf } from '@/lib/text/markdown.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { CellSelection } from './cell-selection.ts'
import { insertTable } from './insert-table.ts'
import { addColumn, addRow, deleteColumns, deleteRows, mergeCells, splitCells } from './table-commands.ts'
import { gridOf } from './table-grid.ts'

/** People at one table, with a letter in each cell: `ab/cd`. */
function openPeople(letters: string) {
  const docs = [new Y.Doc(), new Y.Doc()]
  const [ada, bob] = docs.map((doc) => createHeadlessEditor(doc.getXmlFragment('default'))) as [
    HeadlessEditor,
    HeadlessEditor,
  ]
  const send = (from: Y.Doc, to: Y.Doc): void => Y.applyUpdate(to, Y.encodeStateAsUpdate(from), 'network')
  const rows = letters.split('/')
  run(ada, insertTable(rows.length, rows[0]!.length))
  for (const [index, letter] of letters.replaceAll('/', '').split('').entries()) typeIn(ada, index, letter)
  send(docs[0]!, docs[1]!)
  const meet = (): string => {
    send(docs[0]!, docs[1]!)
    send(docs[1]!, docs[0]!)
    expect(gridIn(ada)).toBe(gridIn(bob))
    ada.state.doc.check()
    return gridIn(ada)
  }
  return { ada, bob, meet }
}

const tableIn = ({ state }: HeadlessEditor) => state.doc.firstChild!

/** Each cell with its columns and rows, where it covers more than one. */
const gridIn = (editor: HeadlessEditor): string =>
  tableIn(editor)
    .children.map((row) =>
      row.children
        .map((cell) => {
          const { colspan, rowspan } = cell.attrs
          const size = colspan > 1 || rowspan > 1 ? `(${colspan}x${rowspan})` : ''
          return cell.textBetween(0, cell.content.size, '|') + size
        })
        .join(' '),
    )
    .join('/')

const run = (editor: HeadlessEditor, command: Command): boolean =>
  command(editor.state, (tr) => editor.dispatch(tr))

function typeIn(editor: HeadlessEditor, cell: number, letters: string): void {
  const { offset, node } = gridOf(tableIn(editor)).cells[cell]!
  editor.dispatch(editor.state.tr.insertText(letters, offset + node.nodeSize - 1))
}

function select(editor: HeadlessEditor, anchor: number, head = anchor): void {
  const { cells } = gridOf(tableIn(editor))
  editor.dispatch(
    editor.state.tr.setSelection(CellSelection.between(editor.state.doc, 0, cells[anchor]!, cells[head]!)),
  )
}

function merge(editor: HeadlessEditor, anchor: number, head: number): boolean {
  select(editor, anchor, head)
  return run(editor, mergeCells)
}

/** The last of the cells that are merged is empty, or has a letter. */
function openMerged(isLastEmpty: boolean): HeadlessEditor {
  const { ada } = openPeople(isLastEmpty ? 'ab/cd' : 'ab/cd/ef')
  if (isLastEmpty) run(ada, addRow('after'))
  merge(ada, 0, 4)
  return ada
}

test('merged cells show what all of them hold, and splitting gives each its own back', () => {
  const { ada, meet } = openPeople('abc/def')
  merge(ada, 0, 4)
  expect(meet()).toBe('a|b|d|e(2x2) c/f')
  select(ada, 0)
  run(ada, splitCells)
  expect(meet()).toBe('a b c/d e f')
})

test('an empty cell that is merged is no line', () => {
  const { ada, meet } = openPeople('ab')
  run(ada, addColumn('after'))
  merge(ada, 1, 2)
  expect(gridIn(ada).split(' ')).toHaveLength(2)
  expect(meet()).not.toContain('|')
})

test('what somebody writes in a cell while another merges it stays', () => {
  const { ada, bob, meet } = openPeople('ab/cd/ef')
  merge(ada, 0, 2)
  typeIn(bob, 2, '!')
  expect(meet()).toBe('a|c!(1x2) b/d/e f')
  typeIn(bob, 0, '?')
  expect(meet()).toBe('a|c!?(1x2) b/d/e f')
})

test('two people merge cells that overlap: one merge is clipped, and each text is shown once', () => {
  const { ada, bob, meet } = openPeople('abc/def/ghi')
  merge(ada, 0, 4)
  merge(bob, 4, 8)
  expect(meet()).toBe('a|b|d|e(2x2) c/f/g h i')
})

test.each([
  ['the column that it begins in', 2],
  ['the other column', 3],
])('who deletes %s of a merged cell loses no letter of it', (_name, cell) => {
  const { ada, meet } = openPeople('abc/def')
  merge(ada, 0, 1)
  select(ada, cell)
  run(ada, deleteColumns)
  expect(meet()).toMatch(/^a\|b c\//)
})

test('who deletes the row that a merged cell begins in keeps its text', () => {
  const { ada, meet } = openPeople('ab/cd/ef')
  merge(ada, 0, 2)
  select(ada, 1)
  run(ada, deleteRows)
  expect(meet()).toBe('a|c d/e f')
})

test.each([false, true])(
  'a paste over any part of a merged cell and its neighbours is stored as it is shown',
  (isLastEmpty) => {
    const { doc, schema } = openMerged(isLastEmpty).state
    const pasted = ['x', 'y'].map((letter) => schema.nodes.paragraph!.create(null, schema.text(letter)))
    const isInLine = (at: number): boolean => doc.resolve(at).parent.isTextblock
    const places = Array.from({ length: doc.content.size }, (_, at) => at).filter(isInLine)
    for (const from of places)
      for (const to of places.filter((at) => at >= from)) {
        const editor = openMerged(isLastEmpty)
        editor.edit((tr) => tr.setSelection(TextSelection.create(tr.doc, from, to)))
        editor.edit(() => replaceSelection(editor.state, Slice.maxOpen(Fragment.from(pasted))))
        const { node } = new TextReader(pageSchema).read(editor.binding.text)
        expect(node.eq(editor.state.doc), `from ${from} to ${to}`).toBe(true)
      }
  },
)

test('a row and a column that are added within a merged cell belong to it', () => {
  const { ada, meet } = openPeople('ab/cd/ef')
  merge(ada, 0, 2)
  select(ada, 1)
  run(ada, addRow('after'))
  expect(meet()).toBe('a|c(1x3) b//d/e f')
})

test('no row is covered whole', () => {
  const { ada, meet } = openPeople('ab/cd')
  expect(merge(ada, 0, 3)).toBe(false)
  expect(meet()).toBe('a b/c d')
})

test('Markdown has no merged cells: those that are covered are empty there', () => {
  const { ada } = openPeople('abc/def')
  merge(ada, 0, 1)
  expect(markdownOf(treeOf(ada.binding.text))).toContain('| a<br>b | | c |')
})
