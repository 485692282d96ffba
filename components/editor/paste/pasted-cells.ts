/** Cells that are pasted: into the cells of a table from the selected one on, and elsewhere as a table. */
import { Fragment, type Schema, Slice } from '@tiptap/pm/model'
import type { EditorView } from '@tiptap/pm/view'
import { isInTable } from '@/components/blocks/table/is-in-table.ts'
import { cellsOfSlice, fillCells, type CellContents } from '@/components/blocks/table/fill-cells.ts'
import { createTable } from '@/components/blocks/table/insert-table.ts'
import { hasMoreCells, parseCells } from '@/lib/blocks/table/parse-cells.ts'
import { MAX_CELLS, MAX_COLUMNS } from '@/lib/blocks/table/table-columns.ts'
import { pasteSlice } from './long-paste.ts'
import { toast } from '@/components/ui/toast.ts'
import { insertedTextStrings } from '@/lib/strings/inserted-text.ts'

/** More are not even read: parsing them would keep the person waiting. */
const MAX_READ_CELLS = 50_000

/** Says so, and returns whether the clipboard holds a table of so many cells. */
export function refuseLargeTable(clipboardData: DataTransfer): boolean {
  const html = clipboardData.getData('text/html')
  const isLarge =
    html === ''
      ? hasMoreCells(clipboardData.getData('text/plain'), MAX_READ_CELLS)
      : hasMoreTags(html, MAX_READ_CELLS)
  if (isLarge) sayTooLarge()
  return isLarge
}

const sayTooLarge = (): void =>
  toast(insertedTextStrings.pasted.tableTooLarge(MAX_CELLS, MAX_COLUMNS), { id: 'pasted' })

function hasMoreTags(html: string, limit: number): boolean {
  const tags = /<t[dh]\b/gi
  let count = 0
  while (tags.exec(html)) if (++count > limit) return true
  return false
}

/**
 * @param text Null for HTML.
 * @returns Whether there were cells, and something was done with them.
 */
export function pasteCells(view: EditorView, text: string | null, slice: Slice): boolean {
  const { state } = view
  const parsed = text === null ? null : parseCells(text)
  const contents = parsed ? contentsOfLetters(state.schema, parsed.rows) : cellsOfSlice(slice)
  if (!contents) return false
  const isTooLarge = isLargerThanTables(contents)
  if (isTooLarge) return false
  if (!isInTable(state)) {
    if (!parsed) return false
    const table = createTable(state.schema, contents.length, contents[0]!.length, contents)
    pasteSlice(view, new Slice(Fragment.from(table), 0, 0), ({ tr }, cells) => tr.replaceSelection(cells))
    return true
  }
  const tr = fillCells(state, contents)
  if (tr) view.dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
  else sayTooLarge()
  return true
}

const isLargerThanTables = (contents: CellContents): boolean =>
  contents[0]!.length > MAX_COLUMNS || contents[0]!.length * contents.length > MAX_CELLS

/** A line of a cell is a paragraph. */
const contentsOfLetters = (schema: Schema, rows: readonly (readonly string[])[]): CellContents =>
  rows.map((row) =>
    row.map((value) =>
      Fragment.from(
        value
          .split(/\r\n?|\n/)
          .map((line) => schema.nodes.paragraph!.create(null, line === '' ? null : schema.text(line))),
      ),
    ),
  )
