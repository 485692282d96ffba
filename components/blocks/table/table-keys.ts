/** The keys in tables. What they do is loaded when the caret first stands in one. */
import { type EditorState, Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { isInTable } from './is-in-table.ts'

const importCommands = () => import('./table-commands.ts')

type TableCommands = Awaited<ReturnType<typeof importCommands>>

let commands: TableCommands | null = null

export async function loadTableCommands(): Promise<TableCommands> {
  commands = await importCommands()
  return commands
}

/** In a list or in code within a cell, Tab does what it does there. */
const isInLineOfCell = ({ selection: { $from } }: EditorState): boolean =>
  $from.depth > 1 && $from.node(-1).type.spec.tableRole === 'cell' && !$from.parent.type.spec.code

export const tableKeys = (): Plugin =>
  new Plugin({
    view: () => ({
      update({ state }) {
        if (!commands && isInTable(state)) void loadTableCommands().catch(() => undefined)
      },
    }),
    props: {
      handleKeyDown(view, { key, shiftKey, ctrlKey, metaKey, altKey }) {
        const isTab = key === 'Tab' && !ctrlKey && !metaKey && !altKey
        if (!isTab || !view.editable || !isInLineOfCell(view.state)) return false
        void goToCell(view, shiftKey ? -1 : 1)
        return true
      },
    },
  })

/** At once, if the commands have loaded. */
async function goToCell(view: EditorView, by: -1 | 1): Promise<void> {
  const loaded = commands ?? (await loadTableCommands().catch(() => null))
  if (!view.isDestroyed) loaded?.goToCell(by)(view.state, (tr) => view.dispatch(tr))
}
