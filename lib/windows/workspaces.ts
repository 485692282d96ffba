/**
 * Where a person's windows stand for some kind of work, under a name: "Writing", "Review on two screens". Stored as JSON in their desk;
 * applied to whatever document is open in front of them. Pure.
 */
import { isRecord } from '../protocol/value-reader.ts'
import {
  emptyLayout,
  itemOf,
  itemsOf,
  readLayout,
  withItem,
  withPanel,
  type PanelLayout,
} from './panel-layout.ts'
import { isPanelId, type PanelId } from './panels.ts'
import type { OwnWindowEntry } from './window-registry.ts'
import { readWindowBounds, type WindowBounds } from './window-bounds.ts'

interface WorkspaceWindow {
  readonly panel: PanelId
  readonly bounds?: WindowBounds | undefined
}

export interface Workspace {
  readonly version: 1
  readonly layout: PanelLayout
  /** Panels in windows of their own. */
  readonly windows: readonly WorkspaceWindow[]
  /** Bounds are useful only on the device where they were measured. */
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

export const MAX_WORKSPACE_NAME = 60

const textIn = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '')

/** Another version's workspace, or invalid data, becomes an empty one: it can be applied, saved anew and removed. */
export function readWorkspace(value: unknown): Workspace {
  if (!isRecord(value) || value.version !== 1) return emptyWorkspace
  const device = isRecord(value.device) ? value.device : {}
  return {
    version: 1,
    layout: readLayout(value.layout),
    windows: readWindows(value.windows),
    device: { id: textIn(device.id), name: textIn(device.name) },
    screens:
      typeof value.screens === 'number' && value.screens > 1 ? Math.min(Math.round(value.screens), 16) : 1,
  }
}

function readWindows(value: unknown): readonly WorkspaceWindow[] {
  if (!Array.isArray(value)) return []
  const seen = new Set<PanelId>()
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry) || !isPanelId(entry.panel) || seen.has(entry.panel)) return []
    seen.add(entry.panel)
    return [{ panel: entry.panel, bounds: readWindowBounds(entry.bounds) }]
  })
}

interface WorkspaceContext {
  readonly entries: readonly OwnWindowEntry[]
  readonly document: string
  readonly device: Workspace['device']
}

/** The windows of this browser that show a panel of the document. */
const panelWindowsIn = ({ entries, document }: WorkspaceContext) =>
  entries.flatMap(({ self, sameBrowser, kind, id, bounds, document: shown }) =>
    sameBrowser && !self && shown === document && isPanelId(kind) ? [{ id, panel: kind, bounds }] : [],
  )

/** Captures how everything stands now. */
export function captureWorkspace(context: WorkspaceContext, layout: PanelLayout, screens: number): Workspace {
  const windows = new Map(panelWindowsIn(context).map(({ panel, bounds }) => [panel, { panel, bounds }]))
  return { version: 1, layout, windows: [...windows.values()], device: context.device, screens }
}

export interface WorkspacePlan {
  readonly layout: PanelLayout
  /** Windows that stand elsewhere than they should. */
  readonly move: readonly { readonly id: string; readonly bounds: WindowBounds }[]
  /** Windows that are wanted and missing. */
  readonly open: readonly WorkspaceWindow[]
  /** Windows that are not wanted. */
  readonly close: readonly string[]
}

/** Plans how the windows get to where they were saved. On another device all panels are docked in one window. */
export function planWorkspace(
  { layout, windows, device }: Workspace,
  context: WorkspaceContext,
): WorkspacePlan {
  const current = panelWindowsIn(context)
  const isSameDevice = device.id === context.device.id
  const wanted = isSameDevice ? windows : []
  const wantedFor = (panel: PanelId) => wanted.find((window) => window.panel === panel)
  return {
    layout: isSameDevice ? detachWindows(layout, windows) : dockWindows(layout, windows),
    move: current.flatMap(({ id, panel, bounds: now }) => {
      const bounds = wantedFor(panel)?.bounds
      return bounds && !isSame(bounds, now) ? [{ id, bounds }] : []
    }),
    open: wanted.filter(({ panel }) => !current.some((window) => window.panel === panel)),
    close: current.flatMap(({ id, panel }) => (wantedFor(panel) ? [] : [id])),
  }
}

/** Gives each window a place beside the text, to which it returns if it did so when it was saved. */
const detachWindows = (layout: PanelLayout, windows: readonly WorkspaceWindow[]): PanelLayout =>
  windows.reduce(
    (now, { panel }) => {
      const returns = itemOf(layout, panel)?.returns ?? false
      return withItem(withPanel(now, panel), panel, { detached: true, returns })
    },
    dockWindows(layout, []),
  )

const dockWindows = (layout: PanelLayout, windows: readonly WorkspaceWindow[]): PanelLayout => {
  const all = windows.reduce((now, { panel }) => (itemOf(now, panel) ? now : withPanel(now, panel)), layout)
  return itemsOf(all).reduce((now, { panel }) => withItem(now, panel, { detached: false }), all)
}

const isSame = (a: WindowBounds, b: WindowBounds | undefined): boolean =>
  a.left === b?.left && a.top === b.top && a.width === b.width && a.height === b.height
