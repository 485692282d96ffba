'use client'

import { Menu } from '@base-ui/react/menu'
import type { Command } from '@tiptap/pm/state'
import type { Editor } from '@tiptap/react'
import { MenuCheckboxItem, MenuItem } from '@/components/ui/menu.tsx'
import { tableStrings } from '@/lib/strings/table.ts'
import { selectedTable } from './selected-table.ts'
import { toggleHead } from './table-commands.ts'
import { runTableCommand, tableHeads, tableItems, type TableMenuPart } from './table-items.ts'

interface TableMenuItemsProps {
  readonly editor: Editor
  readonly parts: readonly TableMenuPart[]
}

/** What can be done with the rows and columns of the selection, and with its table. */
export function TableMenuItems({ editor, parts }: TableMenuItemsProps) {
  const table = selectedTable(editor.state)
  const run = (command: Command): void => runTableCommand(editor, command)
  if (!table) return null
  return parts.map((part) => (
    <Menu.Group key={part} className="not-last:mb-1 not-last:border-b not-last:border-line not-last:pb-1">
      {tableHeads[part].map(({ head, keys }) => (
        <MenuCheckboxItem
          key={head}
          checked={table.node.attrs[head] === true}
          onCheckedChange={() => run(toggleHead(head))}
          closeOnClick
          label={{ name: tableStrings[head], keys }}
        />
      ))}
      {tableItems[part].map(({ id, Icon, command, keys }) => (
        <MenuItem
          key={id}
          name={tableStrings[id]}
          Icon={Icon}
          {...(keys && { keys })}
          disabled={!command(editor.state)}
          onClick={() => run(command)}
        />
      ))}
    </Menu.Group>
  ))
}
