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
  Eraser,
  FoldHorizontal,
  type LucideIcon,
  TableCellsMerge,
  TableCellsSplit,
  Trash2,
  UnfoldHorizontal,
} from 'lucide-react'
import { MenuCheckboxItem, menuItemClass, MenuLabel } from '@/components/ui/menu.tsx'
import { tableStrings as strings } from '@/lib/strings/table.ts'
import { runAsStep } from '@/components/editor/run-as-step.ts'
import { selectedTable } from './selected-table.ts'
import {
  addColumn,
  addRow,
  alignColumns,
  deleteColumns,
  deleteRows,
  deleteTable,
  duplicateColumns,
  duplicateRows,
  emptyCells,
  mergeCells,
  moveColumns,
  moveRows,
  resizeColumns,
  splitCells,
  toggleHead,
} from './table-commands.ts'

export type TableMenuPart = 'row' | 'column' | 'table'

interface TableItem {
  readonly name: string
  readonly Icon: LucideIcon
  readonly command: Command
  readonly keys?: string
}

/** In CSS pixels. */
const RESIZE_STEP = 40

const tableItems: Readonly<Record<TableMenuPart, readonly TableItem[]>> = {
  row: [
    { name: strings.addRowBefore, Icon: ArrowUpToLine, command: addRow('before') },
    { name: strings.addRowAfter, Icon: ArrowDownToLine, command: addRow('after') },
    { name: strings.moveRowUp, Icon: ArrowUp, command: moveRows(-1), keys: 'Alt+Shift+↑' },
    { name: strings.moveRowDown, Icon: ArrowDown, command: moveRows(1), keys: 'Alt+Shift+↓' },
    { name: strings.duplicateRow, Icon: Copy, command: duplicateRows },
    { name: strings.deleteRow, Icon: Trash2, command: deleteRows },
  ],
  column: [
    { name: strings.addColumnBefore, Icon: ArrowLeftToLine, command: addColumn('before') },
    { name: strings.addColumnAfter, Icon: ArrowRightToLine, command: addColumn('after') },
    { name: strings.moveColumnLeft, Icon: ArrowLeft, command: moveColumns(-1), keys: 'Alt+Shift+←' },
    { name: strings.moveColumnRight, Icon: ArrowRight, command: moveColumns(1), keys: 'Alt+Shift+→' },
    { name: strings.alignLeft, Icon: AlignLeft, command: alignColumns('left') },
    { name: strings.alignCenter, Icon: AlignCenter, command: alignColumns('center') },
    { name: strings.alignRight, Icon: AlignRight, command: alignColumns('right') },
    { name: strings.narrower, Icon: FoldHorizontal, command: resizeColumns(-RESIZE_STEP) },
    { name: strings.wider, Icon: UnfoldHorizontal, command: resizeColumns(RESIZE_STEP) },
    { name: strings.duplicateColumn, Icon: Copy, command: duplicateColumns },
    { name: strings.deleteColumn, Icon: Trash2, command: deleteColumns },
  ],
  table: [
    { name: strings.mergeCells, Icon: TableCellsMerge, command: mergeCells },
    { name: strings.splitCells, Icon: TableCellsSplit, command: splitCells },
    { name: strings.emptyCells, Icon: Eraser, command: emptyCells, keys: 'Delete' },
    { name: strings.deleteTable, Icon: Trash2, command: deleteTable },
  ],
}

const heads = { row: ['headerRow'], column: ['headerColumn'], table: [] } as const

interface TableMenuItemsProps {
  readonly editor: Editor
  readonly parts: readonly TableMenuPart[]
}

/** As an undo step of its own. */
const runTableCommand = (editor: Editor, command: Command): void =>
  runAsStep(editor, () => void command(editor.state, (tr) => editor.view.dispatch(tr)))

/** What can be done with the rows and columns of the selection, and with its table. */
export function TableMenuItems({ editor, parts }: TableMenuItemsProps) {
  const table = selectedTable(editor.state)
  const run = (command: Command): void => runTableCommand(editor, command)
  if (!table) return null
  return parts.map((part) => (
    <Menu.Group key={part} className="not-last:mb-1 not-last:border-b not-last:border-line not-last:pb-1">
      {heads[part].map((head) => (
        <MenuCheckboxItem
          key={head}
          checked={table.node.attrs[head] === true}
          onCheckedChange={() => run(toggleHead(head))}
          closeOnClick
          label={{ name: strings[head] }}
        />
      ))}
      {tableItems[part].map(({ name, Icon, command, keys }) => (
        <Menu.Item
          key={name}
          className={menuItemClass}
          disabled={!command(editor.state)}
          onClick={() => run(command)}
        >
          <MenuLabel name={name} Icon={Icon} {...(keys && { keys })} />
        </Menu.Item>
      ))}
    </Menu.Group>
  ))
}
