/**
 * Writes copied text for programs that take only letters: one line per text block, as everywhere here (lib/text/plain-text.ts), and cells as
 * spreadsheets read them.
 */
import { Extension } from '@tiptap/core'
import type { Node, Slice } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { formatCells } from '@/lib/blocks/table/format-cells.ts'
import { definitionOf } from '@/lib/blocks/blocks.ts'

export function plainTextOfSlice({ content }: Slice): string {
  const table = content.childCount === 1 ? content.firstChild! : null
  return table?.type.spec.tableRole === 'table' ? cellsOf(table) : textOf({ content })
}

const cellsOf = ({ children }: Node): string => formatCells(children.map((row) => row.children.map(textOf)))

const textOf = ({ content }: Pick<Node, 'content'>): string =>
  content.textBetween(0, content.size, '\n', lettersOfLeaf)

const lettersOfLeaf = ({ type, attrs }: Node): string => {
  const definition = definitionOf(type.name)
  return (
    definition?.letters?.(attrs) ??
    definition?.text ??
    (type.spec.leafText ? type.spec.leafText({ attrs } as Node) : '')
  )
}

/** Tiptap's own version puts an empty line between two blocks, and one more for each list around them. */
export const PlainTextCopy = Extension.create({
  name: 'plainCopy',
  priority: 200,
  addProseMirrorPlugins: () => [new Plugin({ props: { clipboardTextSerializer: plainTextOfSlice } })],
})
