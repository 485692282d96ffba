/** The names of windows in lists. */
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import type { WindowState } from '@/lib/windows/window-state.ts'
import { panelsStrings } from '@/lib/strings/panels.ts'
import { windowsStrings } from '@/lib/strings/windows.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'

type NamedKind = Pick<WindowState, 'kind' | 'title'>

export function windowKindName(kind: WindowState['kind']): string {
  if (kind === 'text') return windowsStrings.names.text
  if (kind === 'documents') return windowsStrings.names.documents
  return kind === 'settings' ? windowsStrings.names.settings : panelsStrings.entries[kind].name
}

/** For example "Outline – Budget plan", as in the taskbar. */
export function windowName({ kind, title }: NamedKind): string {
  if (kind === 'documents' || kind === 'settings') return windowKindName(kind)
  const document = shownTitle(title)
  return kind === 'text' ? document : windowsStrings.names.panelOf(panelsStrings.entries[kind].name, document)
}

type NumberedEntry = Pick<OwnWindowEntry, 'id' | 'kind' | 'title' | 'openedAt'>

/** Names by id. Of several windows with one name, each after the first has a number, the same in every window's list. */
export function distinctWindowNames(entries: readonly NumberedEntry[]): ReadonlyMap<string, string> {
  const byOpening = entries.toSorted((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1))
  const nameCounts = new Map<string, number>()
  return new Map(byOpening.map((entry) => [entry.id, withNumber(windowName(entry), nameCounts)]))
}

function withNumber(name: string, nameCounts: Map<string, number>): string {
  const count = (nameCounts.get(name) ?? 0) + 1
  nameCounts.set(name, count)
  return count > 1 ? windowsStrings.names.numbered(name, count) : name
}

export interface DeviceGroup {
  readonly id: string
  readonly name: string
  readonly sameBrowser: boolean
  readonly windows: readonly OwnWindowEntry[]
}

/** In the given order: this browser first. Two windows of one name get numbers. */
export function groupByDevice(entries: readonly OwnWindowEntry[]): readonly DeviceGroup[] {
  const groups = new Map<string, OwnWindowEntry[]>()
  for (const entry of entries) {
    const id = entry.sameBrowser ? 'here' : entry.device.id
    groups.set(id, [...(groups.get(id) ?? []), entry])
  }
  const nameCounts = new Map<string, number>()
  return [...groups].map(([id, windows]) => {
    const { sameBrowser, device } = windows[0]!
    const name = withNumber(device.name, nameCounts)
    return { id, sameBrowser, windows, name: sameBrowser ? windowsStrings.device.thisBrowser(name) : name }
  })
}
