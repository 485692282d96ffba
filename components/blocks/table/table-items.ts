/** What can be done with rows, columns and tables, for the menus and the palette. */
import type { Editor } from '@tiptap/core'
import type { Command } from '@tiptap/pm/state'
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
import { runAsStep } from '@/components/binding/run-as-step.ts'
import type { tableStrings } from '@/lib/strings/table.ts'
import { runWithCaret } from './table-caret.ts'
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
} from './table-commands.ts'

export type TableMenuPart = 'row' | 'column' | 'table'

export type TableItemId = Exclude<keyof typeof tableStrings, 'handleHint' | 'handles' | 'commands'>

export interface TableItem {
  /** Its key in lib/strings/table.ts. */
  readonly id: TableItemId
  readonly Icon: LucideIcon
  readonly command: Command
  readonly keys?: string
  /** The keys are those of table-key-commands.ts. */
  readonly keysInText?: true
}

/** In CSS pixels. */
const RESIZE_STEP = 40

export const tableItems: Readonly<Record<TableMenuPart, readonly TableItem[]>> = {
  row: [
    { id: 'addRowBefore', Icon: ArrowUpToLine, command: addRow('before') },
    { id: 'addRowAfter', Icon: ArrowDownToLine, command: addRow('after') },
    { id: 'moveRowUp', Icon: ArrowUp, command: moveRows(-1), keys: 'Alt+Shift+↑', keysInText: true },
    { id: 'moveRowDown', Icon: ArrowDown, command: moveRows(1), keys: 'Alt+Shift+↓', keysInText: true },
    { id: 'duplicateRow', Icon: Copy, command: duplicateRows },
    { id: 'deleteRow', Icon: Trash2, command: deleteRows },
  ],
  column: [
    { id: 'addColumnBefore', Icon: ArrowLeftToLine, command: addColumn('before') },
    { id: 'addColumnAfter', Icon: ArrowRightToLine, command: addColumn('after') },
    {
      id: 'moveColumnLeft',
      Icon: ArrowLeft,
      command: moveColumns(-1),
      keys: 'Alt+Shift+←',
      keysInText: true,
    },
    {
      id: 'moveColumnRight',
      Icon: ArrowRight,
      command: moveColumns(1),
      keys: 'Alt+Shift+→',
      keysInText: true,
    },
    { id: 'alignLeft', Icon: AlignLeft, command: alignColumns('left') },
    { id: 'alignCenter', Icon: AlignCenter, command: alignColumns('center') },
    { id: 'alignRight', Icon: AlignRight, command: alignColumns('right') },
    { id: 'narrower', Icon: FoldHorizontal, command: resizeColumns(-RESIZE_STEP), keys: 'Mod+Alt+Shift+N' },
    { id: 'wider', Icon: UnfoldHorizontal, command: resizeColumns(RESIZE_STEP), keys: 'Mod+Alt+Shift+X' },
    { id: 'duplicateColumn', Icon: Copy, command: duplicateColumns },
    { id: 'deleteColumn', Icon: Trash2, command: deleteColumns },
  ],
  table: [
    { id: 'mergeCells', Icon: TableCellsMerge, command: mergeCells, keys: 'Mod+Alt+Shift+M' },
    { id: 'splitCells', Icon: TableCellsSplit, command: splitCells, keys: 'Mod+Alt+Shift+S' },
    { id: 'emptyCells', Icon: Eraser, command: emptyCells, keys: 'Delete', keysInText: true },
    { id: 'deleteTable', Icon: Trash2, command: deleteTable },
  ],
}

/** The table's attributes that a menu turns on and off. */
export const tableHeads = {
  row: [{ head: 'headerRow', keys: 'Mod+Alt+Shift+R' }],
  column: [{ head: 'headerColumn', keys: 'Mod+Alt+Shift+H' }],
  table: [],
} as const

/** As an undo step of its own. */
export const runTableCommand = (editor: Editor, command: Command): void =>
  runAsStep(editor, () => runWithCaret(editor.view, command))
