import type { Awareness } from 'y-protocols/awareness'
import { palette } from '@/lib/protocol/palette.ts'
import { broadcastColour } from '@/components/editor/person-colours'
import type { OwnPresenceUser } from '@/components/opening/own-presence-user'

interface PresenceChannel {
  readonly awareness: Awareness
  /** From then on this window knows who is here. */
  readonly whenSynced: Promise<unknown>
}

/** Tells everybody who has the document open who this is, also when they are called otherwise from now on. Returns its undo. */
export function broadcastUser(
  { awareness, whenSynced }: PresenceChannel,
  { id, name, colour }: OwnPresenceUser,
): () => void {
  const current = awareness.getLocalState()?.user as
    { readonly id?: string; readonly name?: string } | undefined
  if (current?.id !== id || current.name !== name)
    awareness.setLocalStateField('user', { ...(current?.id === id && current), id, name })
  return broadcastColour(awareness, whenSynced, colour && palette[colour])
}
