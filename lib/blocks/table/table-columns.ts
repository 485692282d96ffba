/** The columns of a table: as attributes of its shared type, one for each fact, and as the one attribute that its node has. */
import { randomId } from '../../protocol/ids.ts'
import { assignOrderKeys, compareKeys, initialOrderKey, isOrderKey } from './order-keys.ts'

/** Anybody who may write can have written these. */
type StoredAttributes = Readonly<Record<string, unknown>>

export interface TableColumn {
  readonly id: string
  /** In CSS pixels; null for as wide as its content. */
  readonly width: number | null
  readonly align: ColumnAlignment | null
}

export type ColumnAlignment = 'left' | 'center' | 'right'

/** Rows times columns, shown or virtual. A table that has more is shown as an unknown part; no page makes one of more than half. */
export const MAX_SHOWN_CELLS = 20_000
export const MAX_CELLS = 10_000
/** A wider table cannot be read, and few columns and many rows are what virtual cells cost the least. */
export const MAX_COLUMNS = 200

const MIN_COLUMN_WIDTH = 40
const MAX_COLUMN_WIDTH = 2000

/** Long enough that no two people make the same, and short because each cell names its column. */
export const newColumnId = (): string => randomId().slice(0, 8)

const idPattern = /^[\w-]{1,40}$/

/** The id of a column of a table that names none, as another program writes one: the same in every window. */
export const idOfPlace = (index: number): string => `place-${index}`

/**
 * Whether an attribute is one of those by which a table's columns are named by their place. Every window that does so writes the same, and
 * who undoes a step must not take the names from those who relied on them.
 */
export function namesPlace(key: string, value: unknown): boolean {
  const [, place] = /^place-(\d+)$/.exec(key === 'col' ? String(value) : key.slice('col:'.length)) ?? []
  return place !== undefined && (key === 'col' || value === initialOrderKey(Number(place)))
}

/** Whether the key of an attribute of a table is one of these, with the id of its column. */
export const columnKeyPattern = /^col(?:width|align)?:/

// As the node has them

/** The columns that a node's attribute describes; none for a value that no page writes. */
export function parseColumns(value: unknown): readonly TableColumn[] {
  if (typeof value !== 'string' || value === '' || value.length > 20_000) return []
  const columns = new Map<string, TableColumn>()
  for (const part of value.split(' ')) {
    const [id = '', width = '', align = ''] = part.split(':')
    if (idPattern.test(id) && columns.size < MAX_COLUMNS)
      columns.set(id, { id, width: readWidth(Number(width || Number.NaN)), align: readAlignment(align) })
  }
  return [...columns.values()]
}

/** `id:width:align`, with a space between columns. */
export const formatColumns = (columns: readonly TableColumn[]): string =>
  columns.map(({ id, width, align }) => `${id}:${width ?? ''}:${align ?? ''}`).join(' ')

export const createColumn = (id: string, align: ColumnAlignment | null = null): TableColumn => ({
  id,
  width: null,
  align,
})

const readWidth = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? columnWidthOf(value) : null

/** A width that a column may have. */
export const columnWidthOf = (width: number): number =>
  Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)))

const readAlignment = (value: unknown): ColumnAlignment | null =>
  value === 'left' || value === 'center' || value === 'right' ? value : null

// As the shared type has them

/** In their order; none where the table names none, as another program writes one. */
export function readColumns(stored: StoredAttributes): readonly TableColumn[] {
  const keys = orderKeysIn(stored)
  return [...keys.keys()]
    .toSorted((a, b) => compareKeys(keys.get(a)!, keys.get(b)!) || compareKeys(a, b))
    .map((id) => ({
      id,
      width: readWidth(stored[`colwidth:${id}`]),
      align: readAlignment(stored[`colalign:${id}`]),
    }))
}

/** What is stored for the columns of a new table. */
export const storedColumnsOf = (columns: readonly TableColumn[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    columns.flatMap((column, index) => [
      [`col:${column.id}`, initialOrderKey(index)],
      ...detailsOf(column).filter(([, value]) => value !== null),
    ]),
  )

/** What a person's change of the columns writes: the new value of each key, null for one that goes. */
export function columnChangesOf(
  stored: StoredAttributes,
  before: readonly TableColumn[],
  after: readonly TableColumn[],
): readonly ColumnChange[] {
  const [ids, known] = [
    new Set(after.map(({ id }) => id)),
    new Map(before.map((column) => [column.id, column])),
  ]
  const gone = before.filter(({ id }) => !ids.has(id))
  return [
    ...gone.flatMap(({ id }) =>
      [`col:${id}`, `colwidth:${id}`, `colalign:${id}`].map((key): ColumnChange => [key, null]),
    ),
    ...orderChangesOf(orderKeysIn(stored), before, after),
    ...after.flatMap((column) => {
      const { width = null, align = null } = known.get(column.id) ?? {}
      return detailsOf(column).filter(
        (_change, at) => [width, align][at] !== [column.width, column.align][at],
      )
    }),
  ].filter(([key, value]) => (stored[key] ?? null) !== value)
}

type ColumnChange = readonly [key: string, value: unknown]

function orderChangesOf(
  keys: ReadonlyMap<string, string>,
  before: readonly TableColumn[],
  after: readonly TableColumn[],
): ColumnChange[] {
  const places = new Map(before.map(({ id }, index) => [id, index]))
  const order = after.map(({ id }) => places.get(id) ?? -1)
  // Keys of columns that stay where they are may be equal.
  if (order.every((place, index) => place >= 0 && (index === 0 || place > order[index - 1]!))) return []
  const assigned = assignOrderKeys(after.map(({ id }) => keys.get(id) || null))
  return after.map(({ id }, index) => [`col:${id}`, assigned[index]!])
}

const detailsOf = ({ id, width, align }: TableColumn): ColumnChange[] => [
  [`colwidth:${id}`, width],
  [`colalign:${id}`, align],
]

/** The order key of each column. One whose key is of a wrong kind is still a column, and the first. */
function orderKeysIn(stored: StoredAttributes): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const [name, value] of Object.entries(stored)) {
    const id = name.startsWith('col:') ? name.slice(4) : ''
    if (idPattern.test(id) && value !== undefined && value !== null)
      keys.set(id, isOrderKey(value) ? value : '')
  }
  return keys
}
