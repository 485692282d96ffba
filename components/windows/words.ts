/** What windows are called in lists. */
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import type { WindowState } from '@/lib/windows/window-state.ts'
import { strings as panels } from '@/lib/strings/panels.ts'
import { strings } from '@/lib/strings/windows.ts'
import { titleOf } from '@/components/documents/title'

type Named = Pick<WindowState, 'kind' | 'title'>

export function kindName(kind: WindowState['kind']): string {
  if (kind === 'text') return strings.names.text
  if (kind === 'documents') return strings.names.documents
  return kind === 'settings' ? strings.names.settings : panels.entries[kind].name
}

/** "Outline – Budget plan", as it stands in the taskbar. */
export function windowName({ kind, title }: Named): string {
  if (kind === 'documents' || kind === 'settings') return kindName(kind)
  const document = titleOf(title)
  return kind === 'text' ? document : strings.names.panelOf(panels.entries[kind].name, document)
}

type Entry = Pick<OwnWindowEntry, 'id' | 'kind' | 'title' | 'openedAt'>

/** By id. Of those with one name, each that was opened after the first has a number: the same in every window's list. */
export function windowNames(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const inOrder = entries.toSorted((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1))
  const seen = new Map<string, number>()
  return new Map(inOrder.map((entry) => [entry.id, numbered(windowName(entry), seen)]))
}

function numbered(name: string, seen: Map<string, number>): string {
  const count = (seen.get(name) ?? 0) + 1
  seen.set(name, count)
  return count > 1 ? strings.names.numbered(name, count) : name
}

export interface DeviceGroup {
  readonly id: string
  readonly name: string
  readonly here: boolean
  readonly windows: readonly OwnWindowEntry[]
}

/** In the order they come in: this browser first. Two of one name are told apart by a number. */
export function byDevice(entries: readonly OwnWindowEntry[]): readonly DeviceGroup[] {
  const groups = new Map<string, OwnWindowEntry[]>()
  for (const entry of entries) {
    const id = entry.here ? 'here' : entry.device.id
    groups.set(id, [...(groups.get(id) ?? []), entry])
  }
  const seen = new Map<string, number>()
  return [...groups].map(([id, windows]) => {
    const { here, device } = windows[0]!
    const name = numbered(device.name, seen)
    return { id, here, windows, name: here ? strings.device.thisBrowser(name) : name }
  })
}
