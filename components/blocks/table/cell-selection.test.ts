import type { Command } from '@tiptap/pm/state'
import { TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createHeadlessEditor, type HeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { plainTextOfSlice } from '@/components/editor/paste/plain-text-copy.ts'
import { CellSelection } from './cell-selection.ts'
import { cellsOfSlice, fillCells } from './fill-cells.ts'
import { insertTable } from './insert-table.ts'
import { addColumn, emptyCells, moveRows } from './table-commands.ts'
import { gridOf } from './table-grid.ts'

/** A table with a letter in each cell: `ab/cd`. */
function openTable(letters: string): HeadlessEditor {
  const editor = createHeadlessEditor(new Y.Doc().getXmlFragment('default'))
  const rows = letters.split('/')
  run(editor, insertTable(rows.length, rows[0]!.length))
  for (const [index, letter] of letters.replaceAll('/', '').split('').entries()) {
    const { offset } = gridOf(tableOf(editor)).cells[index]!
    if (letter !== '.') editor.dispatch(editor.state.tr.insertText(letter, 1 + offset + 2))
  }
  return editor
}

const tableOf = ({ state }: HeadlessEditor) => state.doc.firstChild!

const gridIn = (editor: HeadlessEditor): string =>
  tableOf(editor)
    .children.map((row) =>
      row.children.map((cell) => cell.textBetween(0, cell.content.size, '|') || '.').join(''),
    )
    .join('/')

const run = (editor: HeadlessEditor, command: Command): boolean =>
  command(editor.state, (tr) => editor.dispatch(tr))

function select(editor: HeadlessEditor, anchor: number, head: number): void {
  const { cells } = gridOf(tableOf(editor))
  editor.dispatch(
    editor.state.tr.setSelection(CellSelection.between(editor.state.doc, 0, cells[anchor]!, cells[head]!)),
  )
}

test('all cells between two are selected, whichever comes first', () => {
  const editor = openTable('abc/def/ghi')
  select(editor, 7, 3)
  expect(plainTextOfSlice(editor.state.selection.content())).toBe('d\te\ng\th')
})

test('emptying them leaves the others and the selection', () => {
  const editor = openTable('abc/def')
  select(editor, 1, 5)
  run(editor, emptyCells)
  expect(gridIn(editor)).toBe('a../d..')
  expect(editor.state.selection).toBeInstanceOf(CellSelection)
})

test('a letter that is typed stands for what they held', () => {
  const editor = openTable('ab/cd')
  select(editor, 0, 1)
  editor.dispatch(editor.state.tr.replaceSelectionWith(editor.state.schema.text('x')))
  expect(gridIn(editor)).toBe('x./cd')
  expect(editor.state.selection).toBeInstanceOf(TextSelection)
})

test('they stay selected while somebody adds a column, and when their row is moved', () => {
  const editor = openTable('ab/cd')
  select(editor, 0, 1)
  run(editor, moveRows(1))
  expect(gridIn(editor)).toBe('cd/ab')
  expect(plainTextOfSlice(editor.state.selection.content())).toBe('a\tb')
})

test('a table that is pasted fills the cells from the selected one on, and makes room', () => {
  const copied = openTable('wx/yz')
  select(copied, 0, 3)
  const editor = openTable('ab/cd')
  select(editor, 3, 3)
  const contents = cellsOfSlice(copied.state.selection.content())!
  editor.dispatch(fillCells(editor.state, contents)!)
  expect(gridIn(editor)).toBe('ab./cwx/.yz')
})

test('one cell that is pasted fills all selected ones, and stands at the caret among letters', () => {
  const copied = openTable('x')
  select(copied, 0, 0)
  const contents = cellsOfSlice(copied.state.selection.content())!
  const editor = openTable('ab/cd')
  select(editor, 0, 3)
  editor.dispatch(fillCells(editor.state, contents)!)
  expect(gridIn(editor)).toBe('xx/xx')
  editor.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, 5)))
  editor.dispatch(fillCells(editor.state, contents)!)
  expect(gridIn(editor).startsWith('xx')).toBe(true)
  run(editor, addColumn('after'))
})
