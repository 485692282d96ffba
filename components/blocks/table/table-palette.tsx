'use client'

import type { Command as EditorCommand } from '@tiptap/pm/state'
import type { Editor } from '@tiptap/react'
import type { Command } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { tableStrings } from '@/lib/strings/table.ts'
import { toggleHead } from './table-commands.ts'
import { runTableCommand, tableHeads, type TableItem, type TableItemId, tableItems } from './table-items.ts'

/** Has the palette act on the table that the caret is in. */
export default function TablePalette({ editor }: { readonly editor: Editor }) {
  useCommands([
    ...Object.values(tableItems)
      .flat()
      .map(({ id, command, ...keys }) => commandOf(editor, id, command, keys)),
    ...Object.values(tableHeads)
      .flat()
      .map(({ head, keys }) => commandOf(editor, head, toggleHead(head), { keys })),
  ])
  return null
}

const titles: Partial<Record<TableItemId, string>> = tableStrings.commands.titles

const commandOf = (
  editor: Editor,
  id: TableItemId,
  command: EditorCommand,
  { keys, keysInText }: Pick<TableItem, 'keys' | 'keysInText'>,
): Command => ({
  id: `table:${id}`,
  title: titles[id] ?? tableStrings[id],
  section: 'Text',
  words: tableStrings.commands.words,
  ...(keys && { keys, ...(keysInText && { keysInText }), where: tableStrings.commands.where }),
  when: () => editor.isEditable && command(editor.state),
  run: () => runTableCommand(editor, command),
})
