/** Makes tables. Apart from the other commands, so that what is typed after the button finds its table there. */
import type { Node, NodeType, Schema } from '@tiptap/pm/model'
import { type Command, type EditorState, Plugin, PluginKey, TextSelection } from '@tiptap/pm/state'
import { createColumn, formatColumns, type TableColumn } from '@/lib/blocks/table/table-columns.ts'
import type { CellContents } from './fill-cells.ts'

export const createRow = (
  { nodes }: Schema,
  columns: readonly TableColumn[],
  header = false,
  contents: CellContents[number] = [],
): Node => {
  const cells = columns.map(({ id, align }, index) =>
    nodes.tableCell!.createAndFill({ col: id, align, header }, contents[index])!,
  )
  return nodes.tableRow!.create(null, cells)
}

export function createTable(
  schema: Schema,
  rows: number,
  columnCount: number,
  contents: CellContents = [],
): Node {
  const columns = Array.from({ length: columnCount }, (_, index) => createColumn(String(index)))
  const content = Array.from({ length: rows }, (_, index) =>
    createRow(schema, columns, index === 0, contents[index]),
  )
  return schema.nodes.table!.create({ columns: formatColumns(columns), headerRow: true }, content)
}

const insertedTable = new PluginKey<number | null>('insertedTable')

/** Scrolls to the whole of a table that was inserted, where the editor would scroll to the caret in its first cell. */
export const scrollToInsertedTable = (): Plugin =>
  new Plugin({
    key: insertedTable,
    state: {
      init: () => null,
      apply: (tr) => (tr.getMeta(insertedTable) as number | undefined) ?? null,
    },
    props: {
      handleScrollToSelection(view) {
        const at = insertedTable.getState(view.state)
        const element = typeof at === 'number' && view.nodeDOM(at)
        if (element instanceof Element) element.scrollIntoView({ block: 'nearest' })
        return element instanceof Element
      },
    },
  })

export const insertTable =
  (rows = 3, columns = 3): Command =>
  (state, dispatch) => {
    const at = placeForBlock(state)
    if (at === null) return false
    if (dispatch) {
      const { $from } = state.selection
      const isInEmptyLine = $from.parent.isTextblock && $from.parent.content.size === 0
      const tr =
        isInEmptyLine && canReplace($from.node(-1), $from.index(-1), state.schema.nodes.table!)
          ? state.tr.replaceWith($from.before(), $from.after(), createTable(state.schema, rows, columns))
          : state.tr.insert(at, createTable(state.schema, rows, columns))
      const start = isInEmptyLine ? $from.before() : at
      tr.setSelection(TextSelection.near(tr.doc.resolve(start + 3))).setMeta(insertedTable, start)
      dispatch(tr.scrollIntoView())
    }
    return true
  }

const canReplace = (parent: Node, index: number, type: NodeType): boolean =>
  parent.canReplaceWith(index, index + 1, type)

/** After the innermost block around the selection in whose parent a table may stand; null where there is none. */
function placeForBlock({ selection: { $to }, schema }: EditorState): number | null {
  for (let depth = $to.depth; depth > 0; depth--) {
    const index = $to.indexAfter(depth - 1)
    if ($to.node(depth - 1).canReplaceWith(index, index, schema.nodes.table!)) return $to.after(depth)
  }
  return null
}
