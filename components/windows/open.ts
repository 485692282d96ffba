/** Opens windows of this person, where they stood last or beside this one; says so where the browser did not let one through. */
import { create } from 'zustand'
import { randomId } from '@/lib/protocol/ids.ts'
import { openWindow, reopen, canReopen, type Opened } from '@/lib/windows/opening.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import { beside, fit } from '@/lib/windows/placing.ts'
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import type { Bounds } from '@/lib/windows/bounds.ts'
import { pathOf } from '@/lib/windows/window-state.ts'
import { lastBounds } from './own-bounds.ts'
import { ownPage } from './own-page.ts'
import { hasMoreScreens, thisScreen, useScreens } from './screens.ts'

export interface WantedWindow {
  readonly document: string
  readonly kind: 'text' | PanelId
  readonly bounds?: Bounds | undefined
}

export interface Blocked {
  readonly path: string
  readonly kind: WantedWindow['kind']
  /** Where it would stand: should it come all the same, nothing needs to be said. */
  readonly place: string
}

/** The window that was not let through last, until the person has read so. */
export const useBlocked = create<{ readonly blocked: Blocked | null }>(() => ({ blocked: null }))

/** In a click. Null tells nobody: who calls does. */
export function openOwn({ document, kind, bounds }: WantedWindow, tell = true): Opened {
  const path = pathOf({ document, kind })
  const place = randomId()
  const outcome = openWindow(path, { place, bounds: placed(bounds ?? lastBounds(kind)) })
  if (outcome === 'blocked' && tell) useBlocked.setState({ blocked: { path, kind, place } })
  return outcome
}

export type Shown = 'self' | 'opened' | 'blocked' | 'marked'

/** Brings a window of this person forward: anew in its place, or by a mark in its name where only the person can do it. */
export function showOwn(entry: OwnWindowEntry): Shown {
  if (entry.self) return 'self'
  if (canReopen(entry)) {
    const outcome = reopen(entry)
    const { kind, place } = entry
    if (outcome === 'blocked' && kind !== 'documents' && kind !== 'settings')
      useBlocked.setState({ blocked: { path: pathOf(entry), kind, place } })
    return outcome
  }
  ownPage().register.ask(entry.id, { type: 'show' })
  return 'marked'
}

/** Without leave to know all screens, the browser itself keeps a window on one that is there. */
function placed(wanted: Bounds | undefined): Bounds {
  const { known } = useScreens.getState()
  const all = known.length > 0 ? known : [thisScreen()]
  if (wanted) return known.length === 0 && hasMoreScreens() ? wanted : fit(wanted, all)
  const main = { left: screenX, top: screenY, width: outerWidth, height: outerHeight }
  const taken = ownPage()
    .register.get()
    .flatMap(({ self, here, bounds }) => (here && !self && bounds ? [bounds] : []))
  return beside(main, all, taken)
}
