'use client'

import { Menu } from '@base-ui/react/menu'
import type { Command } from '@tiptap/pm/state'
import type { Editor } from '@tiptap/react'
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  ArrowDown,
  ArrowDownToLine,
  ArrowLeft,
  ArrowLeftToLine,
  ArrowRight,
  ArrowRightToLine,
  ArrowUp,
  ArrowUpToLine,
  Copy,
  FoldHorizontal,
  type LucideIcon,
  Trash2,
  UnfoldHorizontal,
} from 'lucide-react'
import { selectedTable } from '@/components/blocks/table/selected-table.ts'
import {
  addColumn,
  addRow,
  alignColumns,
  deleteColumns,
  deleteRows,
  deleteTable,
  duplicateColumns,
  duplicateRows,
  moveColumns,
  moveRows,
  resizeColumns,
  toggleHead,
} from '@/components/blocks/table/table-commands.ts'
import { MenuCheckboxItem, MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { tableStrings as strings } from '@/lib/strings/table.ts'
import { focusText } from '../focus-text.ts'
import { runAsStep } from '../run-as-step.ts'

export interface TableMenuPopupProps {
  readonly editor: Editor
}

interface TableItem {
  readonly name: string
  readonly Icon: LucideIcon
  readonly command: Command
}

const groups: readonly (readonly TableItem[])[] = [
  [
    { name: strings.addRowBefore, Icon: ArrowUpToLine, command: addRow('before') },
    { name: strings.addRowAfter, Icon: ArrowDownToLine, command: addRow('after') },
    { name: strings.moveRowUp, Icon: ArrowUp, command: moveRows(-1) },
    { name: strings.moveRowDown, Icon: ArrowDown, command: moveRows(1) },
    { name: strings.duplicateRow, Icon: Copy, command: duplicateRows },
    { name: strings.deleteRow, Icon: Trash2, command: deleteRows },
  ],
  [
    { name: strings.addColumnBefore, Icon: ArrowLeftToLine, command: addColumn('before') },
    { name: strings.addColumnAfter, Icon: ArrowRightToLine, command: addColumn('after') },
    { name: strings.moveColumnLeft, Icon: ArrowLeft, command: moveColumns(-1) },
    { name: strings.moveColumnRight, Icon: ArrowRight, command: moveColumns(1) },
    { name: strings.alignLeft, Icon: AlignLeft, command: alignColumns('left') },
    { name: strings.alignCenter, Icon: AlignCenter, command: alignColumns('center') },
    { name: strings.alignRight, Icon: AlignRight, command: alignColumns('right') },
    { name: strings.narrower, Icon: FoldHorizontal, command: resizeColumns(-40) },
    { name: strings.wider, Icon: UnfoldHorizontal, command: resizeColumns(40) },
    { name: strings.duplicateColumn, Icon: Copy, command: duplicateColumns },
    { name: strings.deleteColumn, Icon: Trash2, command: deleteColumns },
  ],
  [{ name: strings.deleteTable, Icon: Trash2, command: deleteTable }],
]

export default function TableMenuPopup({ editor, anchor, ...popup }: TableMenuPopupProps & PopupProps) {
  const { state } = editor
  const table = selectedTable(state)
  const run = (command: Command): void =>
    runAsStep(editor, () => void command(editor.state, (tr) => editor.view.dispatch(tr)))
  const onOpenChangeComplete = (isOpen: boolean): void => {
    if (!isOpen) focusText(editor)
  }
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onOpenChangeComplete}>
      <MenuPopup anchor={anchor} align="start" returnsFocus={() => false}>
        {table && (
          <>
            {(['headerRow', 'headerColumn'] as const).map((head) => (
              <MenuCheckboxItem
                key={head}
                checked={table.node.attrs[head] === true}
                onCheckedChange={() => run(toggleHead(head))}
                label={{ name: strings[head] }}
              />
            ))}
            {groups.map((items) => (
              <Menu.Group key={items[0]!.name}>
                <Menu.Separator className="my-1 h-px bg-line" />
                {items.map(({ name, Icon, command }) => (
                  <Menu.Item
                    key={name}
                    className={menuItemClass}
                    disabled={!command(state)}
                    onClick={() => run(command)}
                  >
                    <Icon size={16} aria-hidden className="text-muted" />
                    {name}
                  </Menu.Item>
                ))}
              </Menu.Group>
            ))}
          </>
        )}
      </MenuPopup>
    </Menu.Root>
  )
}
