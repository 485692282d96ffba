import type { Awareness } from 'y-protocols/awareness'
import { palette } from '@/lib/protocol/palette.ts'
import { tellColour } from '@/components/editor/colour'
import type { PresentUser } from '@/components/opening/present-user'

interface Present {
  readonly awareness: Awareness
  /** From then on this window knows who is here. */
  readonly whenSynced: Promise<unknown>
}

/** Tells everybody who has the document open who this is, also when they are called otherwise from now on. Returns its undo. */
export function tellUser({ awareness, whenSynced }: Present, { id, name, colour }: PresentUser): () => void {
  const told = awareness.getLocalState()?.user as { readonly id?: string; readonly name?: string } | undefined
  if (told?.id !== id || told.name !== name)
    awareness.setLocalStateField('user', { ...(told?.id === id && told), id, name })
  return tellColour(awareness, whenSynced, colour && palette[colour])
}
