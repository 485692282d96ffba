import { Extension, Node } from '@tiptap/core'
import { Table } from 'lucide-react'
import {
  table as definition,
  tableCell as cellDefinition,
  tableRow as rowDefinition,
} from '@/lib/blocks/table/table.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { insertTable, scrollToInsertedTable } from './insert-table.ts'
import { isInTable } from './is-in-table.ts'
import { markdownTableRule } from './markdown-table-rule.ts'
import { tableKeys } from './table-keys.ts'

/** Before those of lists and of splitting a line, which know no cells as a selection. */
const keys = Extension.create({
  name: 'tableKeys',
  priority: 150,
  addProseMirrorPlugins: () => [tableKeys(), scrollToInsertedTable()],
})

export const table: EditorBlock = {
  extension: Node.create({
    ...nodeFields(definition),
    addExtensions: () => [keys],
    addInputRules: () => [markdownTableRule()],
  }),
  view: () => import('./table-view.ts'),
  toolbar: {
    name: definition.strings.name!,
    Icon: Table,
    run: (chain) => chain.command(({ state, dispatch }) => insertTable()(state, dispatch)),
    canRun: ({ state }) => !isInTable(state),
  },
}

export const tableRow: EditorBlock = { extension: Node.create(nodeFields(rowDefinition)) }

export const tableCell: EditorBlock = { extension: Node.create(nodeFields(cellDefinition)) }
