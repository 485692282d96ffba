import type { Command } from '@tiptap/pm/state'
import { TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createHeadlessEditor, type HeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { CellSelection } from './cell-selection.ts'
import { restoreSelection, runWithCaret } from './table-caret.ts'
import { insertTable } from './insert-table.ts'
import {
  addColumn,
  addRow,
  alignColumns,
  deleteColumns,
  deleteRows,
  deleteTable,
  duplicateColumns,
  duplicateRows,
  emptyCells,
  mergeCells,
  moveColumns,
  moveRows,
  toggleHead,
} from './table-commands.ts'
import { gridOf } from './table-grid.ts'

/** A table with a letter in each cell: `ab/cd`. A dot is an empty cell. */
function openTable(letters: string, doc = new Y.Doc()): HeadlessEditor {
  const editor = createHeadlessEditor(doc.getXmlFragment('default'))
  const rows = letters.split('/')
  insertTable(rows.length, rows[0]!.length)(editor.state, editor.dispatch)
  for (const [index, letter] of letters.replaceAll('/', '').split('').entries())
    if (letter !== '.') editor.dispatch(editor.state.tr.insertText(letter, 2 + cellOf(editor, index)))
  return editor
}

/** The position before the n-th cell. */
const cellOf = ({ state }: HeadlessEditor, index: number): number =>
  1 + gridOf(state.doc.firstChild!).cells[index]!.offset

const gridIn = ({ state }: HeadlessEditor): string =>
  state.doc
    .firstChild!.children.map((row) => row.children.map(({ textContent }) => textContent || '.').join(' '))
    .join('/')

const type = (editor: HeadlessEditor, letters: string): void => {
  expect(editor.state.selection).toBeInstanceOf(TextSelection)
  editor.edit((tr) => tr.insertText(letters))
}

/** The caret stands behind the letter of a cell, and a handle selects the cells between two, as for its menu. */
function openMenu(editor: HeadlessEditor, caret: number, anchor: number, head: number): void {
  const cell = cellOf(editor, caret)
  const end = cell + editor.state.doc.nodeAt(cell)!.nodeSize - 2
  editor.edit((tr) => tr.setSelection(TextSelection.create(tr.doc, end)))
  const { doc, selection } = editor.state
  const [$anchor, $head] = [anchor, head].map((index) => doc.resolve(cellOf(editor, index)))
  editor.edit((tr) => tr.setSelection(new CellSelection($anchor!, $head, selection)))
}

const column = [1, 7] as const
const row = [3, 5] as const

test.each<[string, Command, number, readonly [number, number], string]>([
  ['a new column after', addColumn('after'), 4, column, 'a b . c/d e x f/g h . i'],
  ['a new column before', addColumn('before'), 1, column, 'a x b c/d . e f/g . h i'],
  ['a new column beside that of another cell', addColumn('after'), 3, column, 'a b . c/d e x f/g h . i'],
  ['a new row after', addRow('after'), 4, row, 'a b c/d e f/. x ./g h i'],
  ['a new row before', addRow('before'), 4, row, 'a b c/. x ./d e f/g h i'],
  ['the copy of a column', duplicateColumns, 4, column, 'a b b c/d e ex f/g h h i'],
  ['the copy of a row', duplicateRows, 4, row, 'a b c/d e f/d ex f/g h i'],
  ['the next column, after that of the caret is gone', deleteColumns, 4, column, 'a c/d fx/g i'],
  ['the column before, after the last one is gone', deleteColumns, 5, [2, 8], 'a b/d ex/g h'],
  ['the next row, after that of the caret is gone', deleteRows, 4, row, 'a b c/g hx i'],
  ['the row before, after the last one is gone', deleteRows, 7, [6, 8], 'a b c/d ex f'],
  ['its cell, after another column is gone', deleteColumns, 5, column, 'a c/d fx/g i'],
  ['its cell, after another row is gone', deleteRows, 7, row, 'a b c/g hx i'],
  ['its cell, whose column moves', moveColumns(1), 4, column, 'a c b/d f ex/g i h'],
  ['its cell, beside which a column moves', moveColumns(-1), 3, column, 'b a c/e dx f/h g i'],
  ['its cell, whose row moves', moveRows(1), 4, row, 'a b c/g h i/d ex f'],
  ['its cell, whose row a row passes', moveRows(-1), 1, row, 'd e f/a bx c/g h i'],
  ['its cell, whose row passes two', moveRows(2), 1, [0, 2], 'd e f/g h i/a bx c'],
  ['its cell, whose row is one of two that a row passes', moveRows(-2), 1, [6, 8], 'g h i/a bx c/d e f'],
  ['its cell, whose column passes two', moveColumns(-2), 5, [2, 8], 'c a b/fx d e/i g h'],
  ['its cell, which is aligned', alignColumns('right'), 4, column, 'a b c/d ex f/g h i'],
  ['its cell, which gets a header', toggleHead('headerRow'), 1, [0, 2], 'a bx c/d e f/g h i'],
  ['its cell, which is emptied', emptyCells, 4, column, 'a . c/d x f/g . i'],
  ['the merged cell', mergeCells, 4, row, 'a b c/defx/g h i'],
])('after the menu of a handle the caret stands in %s', (_place, command, caret, [anchor, head], shown) => {
  const editor = openTable('abc/def/ghi')
  openMenu(editor, caret, anchor, head)
  runWithCaret(editor, command)
  type(editor, 'x')
  expect(gridIn(editor)).toBe(shown)
})

test.each<[string, Command, readonly [number, number], string]>([
  ['moves with its column', moveColumns(1), [1, 7], '. . ./. . x/. . .'],
  ['moves with its row', moveRows(-1), [3, 5], '. x ./. . ./. . .'],
  ['stays while its row is aligned', alignColumns('left'), [1, 7], '. . ./. x ./. . .'],
])('the caret in an empty cell %s', (_name, command, [anchor, head], shown) => {
  const editor = openTable('.../.../...')
  openMenu(editor, 4, anchor, head)
  runWithCaret(editor, command)
  type(editor, 'x')
  expect(gridIn(editor)).toBe(shown)
})

test('the caret leaves a table that is deleted', () => {
  const editor = openTable('ab/cd')
  openMenu(editor, 0, 0, 2)
  runWithCaret(editor, deleteTable)
  type(editor, 'x')
  expect(editor.state.doc.textContent).toBe('x')
})

test('without a command, the selection from before the menu comes back, wherever others have moved it', () => {
  const doc = new Y.Doc()
  const editor = openTable('ab/cd', doc)
  openMenu(editor, 3, 1, 3)
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  const writer = createHeadlessEditor(other.getXmlFragment('default'))
  writer.dispatch(writer.state.tr.insertText('longer', 2 + cellOf(writer, 0)))
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other), 'network')
  restoreSelection(editor)
  type(editor, 'x')
  expect(gridIn(editor)).toBe('longera b/c dx')
})

test('cells that somebody has selected by dragging stay selected after a command', () => {
  const editor = openTable('ab/cd')
  const { doc } = editor.state
  editor.edit((tr) =>
    tr.setSelection(new CellSelection(doc.resolve(cellOf(editor, 0)), doc.resolve(cellOf(editor, 1)))),
  )
  runWithCaret(editor, alignColumns('right'))
  restoreSelection(editor)
  expect(editor.state.selection).toBeInstanceOf(CellSelection)
})
