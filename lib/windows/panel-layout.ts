/** Which panels stand beside a text, and where. Pure; stored as JSON, per person and document. */
import { isRecord } from '../protocol/value-reader.ts'
import { isPanelId, type PanelId } from './panels.ts'

export type DockSide = 'left' | 'right'

export interface LayoutItem {
  readonly panel: PanelId
  /** The panel's share of the column's height, in per cent of all that are open in it. */
  readonly size: number
  readonly collapsed: boolean
  /** The panel is in a window of its own; its place here is kept. */
  readonly detached: boolean
  /** For a detached panel: it stood here, and docks again once its window is gone. Otherwise it goes with its window. */
  readonly returns: boolean
}

export interface PanelLayout {
  readonly version: 1
  readonly left: readonly LayoutItem[]
  readonly right: readonly LayoutItem[]
  /** In px. */
  readonly leftWidth: number
  readonly rightWidth: number
}

const sides: readonly DockSide[] = ['left', 'right']

/** In px. A narrower panel is of no use; a wider one belongs in a window of its own. */
export const MIN_WIDTH = 200
export const MAX_WIDTH = 800
const WIDTH = 320
const SIZE = 50

export const emptyLayout: PanelLayout = {
  version: 1,
  left: [],
  right: [],
  leftWidth: WIDTH,
  rightWidth: WIDTH,
}

/** Panels that one reads along with the text stand before it. */
const preferredSides: Partial<Record<PanelId, DockSide>> = { outline: 'left', find: 'left' }

const clamp = (low: number, value: unknown, high: number, other: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(low, Math.min(value, high)) : other

/** Keeps only what this page knows: another version's layout, or invalid data, becomes an empty one. */
export function readLayout(value: unknown): PanelLayout {
  if (!isRecord(value) || value.version !== 1) return emptyLayout
  const seen = new Set<PanelId>()
  return {
    version: 1,
    left: readItems(value.left, seen),
    right: readItems(value.right, seen),
    leftWidth: clamp(MIN_WIDTH, value.leftWidth, MAX_WIDTH, WIDTH),
    rightWidth: clamp(MIN_WIDTH, value.rightWidth, MAX_WIDTH, WIDTH),
  }
}

function readItems(value: unknown, seen: Set<PanelId>): readonly LayoutItem[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry) || !isPanelId(entry.panel) || seen.has(entry.panel)) return []
    seen.add(entry.panel)
    const size = clamp(1, entry.size, 100, SIZE)
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

export interface DockPosition {
  readonly side: DockSide
  readonly index: number
}

export function dockPositionOf(layout: PanelLayout, panel: PanelId): DockPosition | undefined {
  for (const side of sides) {
    const index = layout[side].findIndex((item) => item.panel === panel)
    if (index >= 0) return { side, index }
  }
  return undefined
}

export const itemsOf = ({ left, right }: PanelLayout): readonly LayoutItem[] => [...left, ...right]

export const itemOf = (layout: PanelLayout, panel: PanelId): LayoutItem | undefined =>
  itemsOf(layout).find((item) => item.panel === panel)

/** Adds a panel at the end of its side; one that is there is opened where it stands. */
export function withPanel(
  layout: PanelLayout,
  panel: PanelId,
  side: DockSide = preferredSides[panel] ?? 'right',
): PanelLayout {
  if (itemOf(layout, panel)) return withItem(layout, panel, { collapsed: false })
  return {
    ...layout,
    [side]: [...layout[side], { panel, size: SIZE, collapsed: false, detached: false, returns: true }],
  }
}

export const withoutPanel = (layout: PanelLayout, panel: PanelId): PanelLayout => ({
  ...layout,
  left: layout.left.filter((item) => item.panel !== panel),
  right: layout.right.filter((item) => item.panel !== panel),
})

export function withItem(
  layout: PanelLayout,
  panel: PanelId,
  change: Partial<Omit<LayoutItem, 'panel'>>,
): PanelLayout {
  const changed = (items: readonly LayoutItem[]) =>
    items.map((item) => (item.panel === panel ? { ...item, ...change } : item))
  return { ...layout, left: changed(layout.left), right: changed(layout.right) }
}

/** Moves a panel into a window of its own. One that is detached already keeps its `returns`. */
export function withDetached(layout: PanelLayout, panel: PanelId): PanelLayout {
  const item = itemOf(layout, panel)
  const returns = item !== undefined && (!item.detached || item.returns)
  return withItem(withPanel(layout, panel), panel, { detached: true, returns })
}

/** Removes or docks the panel whose window is gone. */
export const withoutWindow = (layout: PanelLayout, panel: PanelId): PanelLayout =>
  itemOf(layout, panel)?.returns === false
    ? withoutPanel(layout, panel)
    : withItem(layout, panel, { detached: false })

/** @param index Among the others of that side, without the panel; past the end means the end. */
export function movePanel(layout: PanelLayout, panel: PanelId, { side, index }: DockPosition): PanelLayout {
  const item = itemOf(layout, panel)
  if (!item) return layout
  const rest = withoutPanel(layout, panel)
  return { ...rest, [side]: rest[side].toSpliced(index, 0, item) }
}

/** Moves a panel one place up or down its column; undefined at its end. */
export function movePanelBy(layout: PanelLayout, panel: PanelId, by: -1 | 1): PanelLayout | undefined {
  const position = dockPositionOf(layout, panel)
  if (!position) return undefined
  const index = position.index + by
  if (index < 0 || index >= layout[position.side].length) return undefined
  return movePanel(layout, panel, { side: position.side, index })
}

export function movePanelAcross(layout: PanelLayout, panel: PanelId): PanelLayout {
  const position = dockPositionOf(layout, panel)
  return position
    ? movePanel(layout, panel, { side: position.side === 'left' ? 'right' : 'left', index: position.index })
    : layout
}

export const widthOf = (layout: PanelLayout, side: DockSide): number =>
  side === 'left' ? layout.leftWidth : layout.rightWidth

export const withWidth = (layout: PanelLayout, side: DockSide, width: number): PanelLayout => ({
  ...layout,
  [side === 'left' ? 'leftWidth' : 'rightWidth']: clamp(MIN_WIDTH, width, MAX_WIDTH, WIDTH),
})

/** @param sizes In per cent, of those that were resized. */
export const withSizes = (layout: PanelLayout, sizes: Readonly<Record<string, number>>): PanelLayout => {
  const sized = (items: readonly LayoutItem[]) =>
    items.map((item) => ({ ...item, size: clamp(1, sizes[item.panel], 100, item.size) }))
  return { ...layout, left: sized(layout.left), right: sized(layout.right) }
}
