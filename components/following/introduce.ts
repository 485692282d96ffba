/** What a window says of itself to everybody who has the document open. One message, and further ones only when something changes. */
import type { Awareness } from 'y-protocols/awareness'
import { realClock } from '@/lib/session/clock.ts'
import { watchInput } from '@/lib/windows/activity.ts'
import { deviceName } from '@/lib/windows/device.ts'
import type { ShownKind } from '@/lib/following/first-window.ts'
import { tellColour } from '@/components/editor/colour'
import type { PresentUser } from '@/components/opening/present-user'

interface Introduced {
  readonly awareness: Awareness
  /** From then on this window knows who is here. */
  readonly whenSynced: Promise<unknown>
}

/** @returns To be told what changed, and the undo of what it listens to. */
export function introduce(
  { awareness, whenSynced }: Introduced,
  user: PresentUser,
  kind: ShownKind,
  isLinked: boolean,
) {
  const device = deviceName(navigator.userAgent)
  const windowAs = (linked: boolean) => ({ kind, device, ...(linked && { linked }) })
  const local = awareness.getLocalState()
  if (local) awareness.setLocalState({ ...local, user: { ...user }, window: windowAs(isLinked) })
  // Active is what a window is that says nothing (W4).
  const stopTelling = tellColour(awareness, whenSynced)
  const stopWatching = watchInput(window, realClock, (active) =>
    awareness.setLocalStateField('idle', active ? undefined : true),
  )
  let told = isLinked
  const setLinked = (linked: boolean) => {
    if (linked !== told) awareness.setLocalStateField('window', windowAs(linked))
    told = linked
  }
  const stop = () => {
    stopTelling()
    stopWatching()
  }
  return { setLinked, stop }
}
