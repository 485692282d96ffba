/**
 * Publishes what a window says of itself to everybody who has the document open: one message, and further ones only when something changes.
 */
import type { Awareness } from 'y-protocols/awareness'
import { realClock } from '@/lib/session/clock.ts'
import { watchActivity } from '@/lib/windows/activity.ts'
import { deviceName } from '@/lib/windows/device.ts'
import type { DocumentWindowKind } from '@/lib/following/link-first-window.ts'
import type { OwnPresenceUser } from '@/components/profile/own-presence-user.ts'

/** @returns A function to call when something changes, and one that stops the listeners. */
export function announceWindow(
  awareness: Awareness,
  { id, name }: OwnPresenceUser,
  kind: DocumentWindowKind,
  isLinked: boolean,
) {
  const device = deviceName(navigator.userAgent)
  const windowAs = (linked: boolean) => ({ kind, device, ...(linked && { linked }) })
  const local = awareness.getLocalState()
  if (local) awareness.setLocalState({ ...local, user: { id, name }, window: windowAs(isLinked) })
  // A window that publishes nothing counts as active (W4).
  const stopWatching = watchActivity(window, realClock, (active) =>
    awareness.setLocalStateField('idle', active ? undefined : true),
  )
  let announced = isLinked
  const setLinked = (linked: boolean) => {
    if (linked !== announced) awareness.setLocalStateField('window', windowAs(linked))
    announced = linked
  }
  return { setLinked, stop: stopWatching }
}
