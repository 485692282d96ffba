import type { Awareness } from 'y-protocols/awareness'
import { palette } from '@/lib/protocol/palette.ts'
import { broadcastColour } from '@/components/editor/people/person-colours.ts'
import type { OwnPresenceUser } from '@/components/opening/own-presence-user.ts'

interface PresenceChannel {
  readonly awareness: Awareness
  /** From then on, this window knows who is here. */
  readonly whenSynced: Promise<unknown>
}

/**
 * Publishes this person to everybody who has the document open, and again when their name or colour changes. Returns a function that stops
 * it.
 */
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
