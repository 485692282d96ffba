/** Opens windows of this person, at their last bounds or beside this one, and says so if the browser blocked one. */
import { create } from 'zustand'
import { randomId } from '@/lib/protocol/ids.ts'
import { openWindow, reopenWindow, canReopen, type OpenOutcome } from '@/lib/windows/open-window.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import { boundsBeside, fitToScreens } from '@/lib/windows/window-placement.ts'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import type { WindowBounds } from '@/lib/windows/window-bounds.ts'
import { windowPathOf } from '@/lib/windows/window-state.ts'
import { lastBoundsOf } from './own-window-bounds.ts'
import { ownPage } from './own-page.ts'
import { hasMoreScreens, currentScreenBounds, useScreens } from './screens.ts'

export interface NewWindowOptions {
  readonly document: string
  readonly kind: 'text' | PanelId
  readonly bounds?: WindowBounds | undefined
  /** With its #. */
  readonly hash?: string
}

export interface BlockedOpening {
  readonly path: string
  readonly kind: NewWindowOptions['kind']
  /** The slot it would have: if it opens all the same, nothing needs to be said. */
  readonly slotId: string
}

/** The last window that was blocked, until the person has read the message. */
export const useBlockedOpening = create<{ readonly blocked: BlockedOpening | null }>(() => ({
  blocked: null,
}))

/** Must be called during a click. Without `showsNotice`, the caller says that a window was blocked. */
export function openNewWindow(
  { document, kind, bounds, hash = '' }: NewWindowOptions,
  showsNotice = true,
): OpenOutcome {
  const path = windowPathOf({ document, kind }) + hash
  const slotId = randomId()
  const outcome = openWindow(path, { slotId, bounds: boundsFor(bounds ?? lastBoundsOf(kind)) })
  if (outcome === 'blocked' && showsNotice) useBlockedOpening.setState({ blocked: { path, kind, slotId } })
  return outcome
}

export type ShowOutcome = 'self' | 'opened' | 'blocked' | 'marked'

/** Brings a window of this person forward: reopens it in its slot, or marks its name if only the person can switch to it. */
export function showOwnWindow(entry: OwnWindowEntry): ShowOutcome {
  if (entry.self) return 'self'
  if (canReopen(entry)) {
    const outcome = reopenWindow(entry)
    const { kind, place: slotId } = entry
    if (outcome === 'blocked' && kind !== 'documents' && kind !== 'settings')
      useBlockedOpening.setState({ blocked: { path: windowPathOf(entry), kind, slotId } })
    return outcome
  }
  ownPage().registry.sendRequest(entry.id, { type: 'show' })
  return 'marked'
}

/** Without permission to know all screens, the browser itself keeps a window on one that exists. */
function boundsFor(preferred: WindowBounds | undefined): WindowBounds {
  const { screens } = useScreens.getState()
  const availableScreens = screens.length > 0 ? screens : [currentScreenBounds()]
  if (preferred)
    return screens.length === 0 && hasMoreScreens() ? preferred : fitToScreens(preferred, availableScreens)
  const main = { left: screenX, top: screenY, width: outerWidth, height: outerHeight }
  const taken = ownPage()
    .registry.get()
    .flatMap(({ self, sameBrowser, bounds }) => (sameBrowser && !self && bounds ? [bounds] : []))
  return boundsBeside(main, availableScreens, taken)
}
