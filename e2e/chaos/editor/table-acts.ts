/** What a person does with tables. */
import { Fragment, type Node, Slice } from '@tiptap/pm/model'
import { type Command, Selection } from '@tiptap/pm/state'
import { CellSelection } from '../../../components/blocks/table/cell-selection.ts'
import { cellsOfSlice, fillCells } from '../../../components/blocks/table/fill-cells.ts'
import { mergeCells } from '../../../components/blocks/table/table-commands.ts'
import { gridOf } from '../../../components/blocks/table/table-grid.ts'
import { type Act, type ActContext, select, withNewLetters } from './act-context.ts'
import type { Choices } from './choices.ts'

/** Returns false where there is no table. */
export function placeCaretInCell(context: ActContext): boolean {
  const { state } = context.editor
  const cells: number[] = []
  state.doc.descendants((node, at) => void (node.type.spec.tableRole === 'cell' && cells.push(at + 1)))
  if (cells.length > 0) select(context, Selection.near(state.doc.resolve(context.choices.pick(cells))))
  return cells.length > 0
}

export function tableCommand(create: (choices: Choices) => Command): Act {
  return ({ editor, choices }) => void create(choices)(editor.state, (tr) => editor.dispatch(tr))
}

export function inTable(create: (choices: Choices) => Command): Act {
  const act = tableCommand(create)
  return (context) => void (placeCaretInCell(context) && act(context))
}

export function mergeTwoCells(context: ActContext): void {
  const { editor } = context
  if (selectCells(context)) mergeCells(editor.state, (tr) => editor.dispatch(tr))
}

/** Returns false where there is no table. */
export function selectCells(context: ActContext): boolean {
  const { editor, choices } = context
  const tables: [at: number, table: Node][] = []
  editor.state.doc.descendants(
    (node, at) => void (node.type.spec.tableRole === 'table' && tables.push([at, node])),
  )
  if (tables.length === 0) return false
  const [at, table] = choices.pick(tables)
  const { cells } = gridOf(table)
  const [anchor, head] = [choices.pick(cells), choices.pick(cells)]
  select(context, CellSelection.between(editor.state.doc, at, anchor, head))
  return true
}

/** Copied cells over others, with new letters. */
export function pasteCells(context: ActContext): void {
  const { editor, choices, letters } = context
  if (!selectCells(context)) return
  const { content } = editor.state.selection.content()
  const copied = new Slice(Fragment.from(content.content.map((node) => withNewLetters(node, letters))), 0, 0)
  if (choices.oneIn(2)) selectCells(context)
  else placeCaretInCell(context)
  const contents = cellsOfSlice(copied)
  const tr = contents && fillCells(editor.state, contents)
  if (tr) editor.dispatch(tr)
}
