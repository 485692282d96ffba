/** Which panels stand beside a text, and where. Pure; stored as JSON, per person and document. */
import { isPanelId, type PanelId } from './panels.ts'

export type Side = 'left' | 'right'

export interface Item {
  readonly panel: PanelId
  /** Its share of the column's height, in per cent of all that are open in it. */
  readonly size: number
  readonly collapsed: boolean
  /** It is in a window of its own; here is its place. */
  readonly detached: boolean
  /** Of a detached one: it stood here, and does again once its window is gone. Otherwise it goes with its window. */
  readonly returns: boolean
}

export interface Layout {
  readonly version: 1
  readonly left: readonly Item[]
  readonly right: readonly Item[]
  /** px */
  readonly leftWidth: number
  readonly rightWidth: number
}

const sides: readonly Side[] = ['left', 'right']

/** px. Narrower is of no use to a panel; wider is a window of its own. */
export const MIN_WIDTH = 200
export const MAX_WIDTH = 800
const WIDTH = 320
const SIZE = 50

export const emptyLayout: Layout = { version: 1, left: [], right: [], leftWidth: WIDTH, rightWidth: WIDTH }

/** What one reads along with the text stands before it. */
const homes: Partial<Record<PanelId, Side>> = { outline: 'left', find: 'left' }

type Stored = Readonly<Record<string, unknown>>

const isStored = (value: unknown): value is Stored => typeof value === 'object' && value !== null

const between = (low: number, value: unknown, high: number, other: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(low, Math.min(value, high)) : other

/** Nothing but what this page knows: another version's layout, or what anybody else wrote there, is none. */
export function readLayout(value: unknown): Layout {
  if (!isStored(value) || value.version !== 1) return emptyLayout
  const seen = new Set<PanelId>()
  return {
    version: 1,
    left: readItems(value.left, seen),
    right: readItems(value.right, seen),
    leftWidth: between(MIN_WIDTH, value.leftWidth, MAX_WIDTH, WIDTH),
    rightWidth: between(MIN_WIDTH, value.rightWidth, MAX_WIDTH, WIDTH),
  }
}

function readItems(value: unknown, seen: Set<PanelId>): readonly Item[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (!isStored(entry) || !isPanelId(entry.panel) || seen.has(entry.panel)) return []
    seen.add(entry.panel)
    const size = between(1, entry.size, 100, SIZE)
    return [
      {
        panel: entry.panel,
        size,
        collapsed: entry.collapsed === true,
        detached: entry.detached === true,
        returns: entry.returns !== false,
      },
    ]
  })
}

export interface Spot {
  readonly side: Side
  readonly index: number
}

export function spotOf(layout: Layout, panel: PanelId): Spot | undefined {
  for (const side of sides) {
    const index = layout[side].findIndex((item) => item.panel === panel)
    if (index >= 0) return { side, index }
  }
  return undefined
}

export const itemsOf = ({ left, right }: Layout): readonly Item[] => [...left, ...right]

export const itemOf = (layout: Layout, panel: PanelId): Item | undefined =>
  itemsOf(layout).find((item) => item.panel === panel)

/** At the end of its side; one that is there is opened where it stands. */
export function withPanel(layout: Layout, panel: PanelId, side: Side = homes[panel] ?? 'right'): Layout {
  if (itemOf(layout, panel)) return withItem(layout, panel, { collapsed: false })
  return {
    ...layout,
    [side]: [...layout[side], { panel, size: SIZE, collapsed: false, detached: false, returns: true }],
  }
}

export const withoutPanel = (layout: Layout, panel: PanelId): Layout => ({
  ...layout,
  left: layout.left.filter((item) => item.panel !== panel),
  right: layout.right.filter((item) => item.panel !== panel),
})

export function withItem(layout: Layout, panel: PanelId, change: Partial<Omit<Item, 'panel'>>): Layout {
  const changed = (items: readonly Item[]) =>
    items.map((item) => (item.panel === panel ? { ...item, ...change } : item))
  return { ...layout, left: changed(layout.left), right: changed(layout.right) }
}

/** Into a window of its own. One that is detached already comes back, or not, as it would have. */
export function withDetached(layout: Layout, panel: PanelId): Layout {
  const item = itemOf(layout, panel)
  const returns = item !== undefined && (!item.detached || item.returns)
  return withItem(withPanel(layout, panel), panel, { detached: true, returns })
}

/** Its window is gone. */
export const withoutWindow = (layout: Layout, panel: PanelId): Layout =>
  itemOf(layout, panel)?.returns === false
    ? withoutPanel(layout, panel)
    : withItem(layout, panel, { detached: false })

/** @param index Among the others of that side, as they stand without it; past the end is the end. */
export function moved(layout: Layout, panel: PanelId, { side, index }: Spot): Layout {
  const item = itemOf(layout, panel)
  if (!item) return layout
  const rest = withoutPanel(layout, panel)
  return { ...rest, [side]: rest[side].toSpliced(index, 0, item) }
}

/** One place up or down its column; undefined at its end. */
export function movedBy(layout: Layout, panel: PanelId, by: -1 | 1): Layout | undefined {
  const spot = spotOf(layout, panel)
  if (!spot) return undefined
  const index = spot.index + by
  if (index < 0 || index >= layout[spot.side].length) return undefined
  return moved(layout, panel, { side: spot.side, index })
}

export function movedAcross(layout: Layout, panel: PanelId): Layout {
  const spot = spotOf(layout, panel)
  return spot
    ? moved(layout, panel, { side: spot.side === 'left' ? 'right' : 'left', index: spot.index })
    : layout
}

export const widthOf = (layout: Layout, side: Side): number =>
  side === 'left' ? layout.leftWidth : layout.rightWidth

export const withWidth = (layout: Layout, side: Side, width: number): Layout => ({
  ...layout,
  [side === 'left' ? 'leftWidth' : 'rightWidth']: between(MIN_WIDTH, width, MAX_WIDTH, WIDTH),
})

/** @param sizes In per cent, of those that were resized. */
export const withSizes = (layout: Layout, sizes: Readonly<Record<string, number>>): Layout => {
  const sized = (items: readonly Item[]) =>
    items.map((item) => ({ ...item, size: between(1, sizes[item.panel], 100, item.size) }))
  return { ...layout, left: sized(layout.left), right: sized(layout.right) }
}
