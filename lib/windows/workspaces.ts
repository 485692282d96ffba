/**
 * Where a person's windows stand for some kind of work, under a name: "Writing", "Review on two screens". Stored as JSON in their desk;
 * applied to whatever document is in front of them. Pure.
 */
import { emptyLayout, itemOf, itemsOf, readLayout, withItem, withPanel, type Layout } from './layout.ts'
import { isPanelId, type PanelId } from './panels.ts'
import type { OwnWindowEntry } from './register.ts'
import { readBounds, type Bounds } from './bounds.ts'

interface SavedWindow {
  readonly panel: PanelId
  readonly bounds?: Bounds | undefined
}

export interface Workspace {
  readonly version: 1
  readonly layout: Layout
  /** Panels in windows of their own. */
  readonly windows: readonly SavedWindow[]
  /** Bounds are of use where they were measured. */
  readonly device: { readonly id: string; readonly name: string }
  readonly screens: number
}

const emptyWorkspace: Workspace = {
  version: 1,
  layout: emptyLayout,
  windows: [],
  device: { id: '', name: '' },
  screens: 1,
}

export const MAX_NAME = 60

type Stored = Readonly<Record<string, unknown>>

const isStored = (value: unknown): value is Stored => typeof value === 'object' && value !== null

const textIn = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '')

/** Another version's, or what anybody else wrote there, is an empty one: it can be applied, saved anew and removed. */
export function readWorkspace(value: unknown): Workspace {
  if (!isStored(value) || value.version !== 1) return emptyWorkspace
  const device = isStored(value.device) ? value.device : {}
  return {
    version: 1,
    layout: readLayout(value.layout),
    windows: readWindows(value.windows),
    device: { id: textIn(device.id), name: textIn(device.name) },
    screens:
      typeof value.screens === 'number' && value.screens > 1 ? Math.min(Math.round(value.screens), 16) : 1,
  }
}

function readWindows(value: unknown): readonly SavedWindow[] {
  if (!Array.isArray(value)) return []
  const seen = new Set<PanelId>()
  return value.flatMap((entry: unknown) => {
    if (!isStored(entry) || !isPanelId(entry.panel) || seen.has(entry.panel)) return []
    seen.add(entry.panel)
    return [{ panel: entry.panel, bounds: readBounds(entry.bounds) }]
  })
}

interface Scene {
  readonly entries: readonly OwnWindowEntry[]
  readonly document: string
  readonly device: Workspace['device']
}

/** The windows of this browser that show a panel of the document. */
const panelsHere = ({ entries, document }: Scene) =>
  entries.flatMap(({ self, here, kind, id, bounds, document: shown }) =>
    here && !self && shown === document && isPanelId(kind) ? [{ id, panel: kind, bounds }] : [],
  )

/** As everything stands now. */
export function capture(scene: Scene, layout: Layout, screens: number): Workspace {
  const windows = new Map(panelsHere(scene).map(({ panel, bounds }) => [panel, { panel, bounds }]))
  return { version: 1, layout, windows: [...windows.values()], device: scene.device, screens }
}

export interface Plan {
  readonly layout: Layout
  /** Windows that stand somewhere else than they should. */
  readonly move: readonly { readonly id: string; readonly bounds: Bounds }[]
  /** Windows that are wanted and not there. */
  readonly open: readonly SavedWindow[]
  /** Windows that are not wanted. */
  readonly close: readonly string[]
}

/** What has to be done for the windows to stand as they were saved. On another device all of it is docked in one window. */
export function plan({ layout, windows, device }: Workspace, scene: Scene): Plan {
  const there = panelsHere(scene)
  const isHere = device.id === scene.device.id
  const wanted = isHere ? windows : []
  const find = (panel: PanelId) => wanted.find((window) => window.panel === panel)
  return {
    layout: isHere ? detachedIn(layout, windows) : dockedIn(layout, windows),
    move: there.flatMap(({ id, panel, bounds: now }) => {
      const bounds = find(panel)?.bounds
      return bounds && !isSame(bounds, now) ? [{ id, bounds }] : []
    }),
    open: wanted.filter(({ panel }) => !there.some((window) => window.panel === panel)),
    close: there.flatMap(({ id, panel }) => (find(panel) ? [] : [id])),
  }
}

/** Each window has a place, to which it returns where it would have when it was saved. */
const detachedIn = (layout: Layout, windows: readonly SavedWindow[]): Layout =>
  windows.reduce(
    (now, { panel }) => {
      const returns = itemOf(layout, panel)?.returns ?? false
      return withItem(withPanel(now, panel), panel, { detached: true, returns })
    },
    dockedIn(layout, []),
  )

const dockedIn = (layout: Layout, windows: readonly SavedWindow[]): Layout => {
  const all = windows.reduce((now, { panel }) => (itemOf(now, panel) ? now : withPanel(now, panel)), layout)
  return itemsOf(all).reduce((now, { panel }) => withItem(now, panel, { detached: false }), all)
}

const isSame = (a: Bounds, b: Bounds | undefined): boolean =>
  a.left === b?.left && a.top === b.top && a.width === b.width && a.height === b.height
