/** What a window says of itself to everybody who has the document open. One message, and further ones only when something changes. */
import type { Awareness } from 'y-protocols/awareness'
import { realClock } from '@/lib/session/clock.ts'
import { watchInput } from '@/lib/windows/activity.ts'
import { deviceName } from '@/lib/windows/device.ts'
import type { ShownKind } from '@/lib/following/first-window.ts'
import type { PresentUser } from '@/components/opening/present-user'

/** @returns To be told what changed, and the undo of what it listens to. */
export function introduce(
  awareness: Awareness,
  { id, name }: PresentUser,
  kind: ShownKind,
  isLinked: boolean,
) {
  const device = deviceName(navigator.userAgent)
  const windowAs = (linked: boolean) => ({ kind, device, ...(linked && { linked }) })
  const local = awareness.getLocalState()
  if (local) awareness.setLocalState({ ...local, user: { id, name }, window: windowAs(isLinked) })
  // Active is what a window is that says nothing (W4).
  const stopWatching = watchInput(window, realClock, (active) =>
    awareness.setLocalStateField('idle', active ? undefined : true),
  )
  let told = isLinked
  const setLinked = (linked: boolean) => {
    if (linked !== told) awareness.setLocalStateField('window', windowAs(linked))
    told = linked
  }
  return { setLinked, stop: stopWatching }
}
