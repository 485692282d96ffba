import { type Editor, Extension, Node } from '@tiptap/core'
import { Table } from 'lucide-react'
import {
  table as definition,
  tableCell as cellDefinition,
  tableRow as rowDefinition,
} from '@/lib/blocks/table/table.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { toastNotLoaded } from '@/components/ui/toast.ts'
import { isInTable } from './is-in-table.ts'
import { tableKeys } from './table-keys.ts'

/** Before those of lists and of splitting a line, which know no cells as a selection. */
const keys = Extension.create({
  name: 'tableKeys',
  priority: 150,
  addProseMirrorPlugins: () => [tableKeys()],
})

export const table: EditorBlock = {
  extension: Node.create({ ...nodeFields(definition), addExtensions: () => [keys] }),
  view: () => import('./table-view.ts'),
  toolbar: {
    name: definition.strings.name!,
    Icon: Table,
    run: (chain) =>
      chain.command(({ editor }) => {
        void insertLater(editor)
        return true
      }),
    canRun: ({ state }) => !isInTable(state),
  },
}

async function insertLater(editor: Editor): Promise<void> {
  const commands = await import('./table-commands.ts').catch(toastNotLoaded)
  if (commands && !editor.isDestroyed) commands.insertTable()(editor.state, (tr) => editor.view.dispatch(tr))
}

export const tableRow: EditorBlock = { extension: Node.create(nodeFields(rowDefinition)) }

export const tableCell: EditorBlock = { extension: Node.create(nodeFields(cellDefinition)) }
