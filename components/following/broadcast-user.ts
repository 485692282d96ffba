import type { OpenDocument } from '@/lib/client.ts'
import { palette } from '@/lib/protocol/palette.ts'
import { broadcastColour } from '@/components/profile/person-colours.ts'
import { readColour, rememberColour } from '@/components/profile/remembered-colour.ts'
import type { OwnPresenceUser } from '@/components/profile/own-presence-user.ts'

/**
 * Publishes this person to everybody who has the document open, and again when their name or colour changes. Returns a function that stops
 * it.
 */
export function broadcastUser(
  { awareness, whenSynced, handle: { document } }: OpenDocument,
  { id, name, colour }: OwnPresenceUser,
): () => void {
  const current = awareness.getLocalState()?.user as
    { readonly id?: string; readonly name?: string } | undefined
  if (current?.id !== id || current.name !== name)
    awareness.setLocalStateField('user', { ...(current?.id === id && current), id, name })
  const preferred = colour ? palette[colour] : readColour(document, id)
  return broadcastColour(awareness, whenSynced, preferred, (shown) => rememberColour(document, id, shown))
}
