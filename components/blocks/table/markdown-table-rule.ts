/** Enter behind `|---|---|` makes a table of that line and the one before it, which names the columns: `| Name | Price |`. */
import { InputRule } from '@tiptap/core'
import { Fragment, type Node } from '@tiptap/pm/model'
import { TextSelection } from '@tiptap/pm/state'
import {
  type ColumnAlignment,
  createColumn,
  formatColumns,
  MAX_COLUMNS,
} from '@/lib/blocks/table/table-columns.ts'
import { createRow } from './insert-table.ts'
import { tableDepthOf } from './is-in-table.ts'

export const markdownTableRule = (): InputRule =>
  new InputRule({
    find: /^\|((?:\s*:?-+:?\s*\|)+)\s*\n$/,
    handler({ state: { tr, schema }, range, match }) {
      const $rule = tr.doc.resolve(range.from)
      if ($rule.parentOffset > 0 || tableDepthOf($rule) !== null) return null
      const { paragraph, table } = schema.nodes
      const [parent, index] = [$rule.node(-1), $rule.index(-1)]
      const names = index > 0 ? parent.child(index - 1) : null
      if (names?.type !== paragraph || !parent.canReplaceWith(index - 1, index + 1, table!)) return null
      const rules = match[1]!.split('|').slice(0, -1)
      const cells = cellsOf(names!)
      if (cells.length !== rules.length || cells.length > MAX_COLUMNS) return null
      const columns = rules.map((rule, at) => createColumn(String(at), alignOf(rule.trim())))
      const head = cells.map((cell) => Fragment.from(paragraph!.create(null, cell)))
      const rows = [createRow(schema, columns, true, head), createRow(schema, columns)]
      const made = table!.create({ columns: formatColumns(columns), headerRow: true }, rows)
      const from = $rule.before() - names!.nodeSize
      tr.replaceWith(from, $rule.after(), made)
      tr.setSelection(TextSelection.near(tr.doc.resolve(from + 2 + rows[0]!.nodeSize)))
    },
  })

const alignOf = (rule: string): ColumnAlignment | null =>
  rule.endsWith(':') ? (rule.startsWith(':') ? 'center' : 'right') : rule.startsWith(':') ? 'left' : null

/** Keeps marks and what is no letter. None for a line that does not begin and end with `|`. */
function cellsOf(line: Node): Fragment[] {
  // A position in these letters is one in the line.
  const letters = line.textBetween(0, line.content.size, null, '\uFFFC')
  if (!/^\s*\|.*(?<!\\)\|\s*$/.test(letters)) return []
  const bars = [...letters.matchAll(/(?<!\\)\|/g)].map(({ index }) => index)
  return bars.slice(1).map((end, at) => {
    const start = bars[at]! + 1
    const between = letters.slice(start, end)
    const from = start + between.length - between.trimStart().length
    return line.content.cut(Math.min(from, end), Math.max(from, start + between.trimEnd().length))
  })
}
