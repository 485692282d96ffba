import type { NodeDefinition, StoredAttributes } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'
import { columnKeyPattern, parseColumns, storedColumnsOf, type TableColumn } from './table-columns.ts'
import { spanOf } from './merges.ts'
import { columnsOfHtml, hasHeadOfHtml, spansOfHtml } from './table-html.ts'

const isOn = (value: unknown): boolean => value === true

export const colElementOf = ({
  id,
  width,
}: TableColumn): readonly [string, Readonly<Record<string, unknown>>] => ['col', { 'data-column': id, width }]

/**
 * Its node has all columns in one attribute, which a page reads from the attributes that the shared type has for each column
 * (docs/architecture/tables.md).
 */
export const table: NodeDefinition = {
  name: 'table',
  schema: {
    content: 'tableRow+',
    group: 'block',
    tableRole: 'table',
    isolating: true,
    attrs: { columns: { default: '' }, headerRow: { default: false }, headerColumn: { default: false } },
    parseDOM: [
      {
        tag: 'table',
        getAttrs: (element) => ({
          columns: columnsOfHtml(element),
          headerRow: hasHeadOfHtml(element, 'row'),
          headerColumn: hasHeadOfHtml(element, 'column'),
        }),
      },
    ],
    toDOM: ({ attrs }) => [
      'div',
      { class: 'table-scroll' },
      ['table', ['colgroup', ...parseColumns(attrs['columns']).map(colElementOf)], ['tbody', 0]],
    ],
  },
  strings: { kind: () => 'table', name: 'Table' },
  storedAttributes: ({ columns, ...rest }) => ({ ...rest, ...storedColumnsOf(parseColumns(columns)) }),
}

export const tableRow: NodeDefinition = {
  name: 'tableRow',
  schema: {
    content: 'tableCell+',
    tableRole: 'row',
    parseDOM: [{ tag: 'tr' }],
    toDOM: () => ['tr', 0],
  },
  strings: { kind: () => 'row' },
}

/** Its head and its alignment are those of its row and its column: they are shown, and not stored. */
export const tableCell: NodeDefinition = {
  name: 'tableCell',
  schema: {
    content: 'block+',
    tableRole: 'cell',
    isolating: true,
    attrs: {
      col: { default: '' },
      header: { default: false },
      align: { default: null },
      rowspan: { default: 1 },
      colspan: { default: 1 },
    },
    parseDOM: [
      { tag: 'td', getAttrs: spansOfHtml },
      { tag: 'th', getAttrs: spansOfHtml },
    ],
    toDOM: ({ attrs }) => [
      isOn(attrs['header']) ? 'th' : 'td',
      {
        ...ownDirection,
        'data-align': alignmentOf(attrs),
        rowspan: writtenSpanOf(attrs['rowspan']),
        colspan: writtenSpanOf(attrs['colspan']),
      },
      0,
    ],
  },
  strings: { kind: (attributes) => (isOn(attributes['header']) ? 'head of a column or row' : 'cell') },
  storedAttributes: ({ header: _header, align: _align, rowspan, colspan, ...rest }) => ({
    ...rest,
    ...(spanOf(rowspan) > 1 && { rowspan }),
    ...(spanOf(colspan) > 1 && { colspan }),
  }),
}

const writtenSpanOf = (value: unknown): number | null => (spanOf(value) > 1 ? spanOf(value) : null)

const alignmentOf = ({ align }: StoredAttributes): string | null =>
  align === 'left' || align === 'center' || align === 'right' ? align : null

/** Whether the layout of a table reads and writes this attribute of its parts, and not the node that shows the part. */
export const isOfTable = (name: string, key: string): boolean =>
  (name === table.name && columnKeyPattern.test(key)) ||
  (name === tableRow.name && key === 'order') ||
  (name === tableCell.name && key === 'col')
