import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { encodePosition, type Spot } from '@/lib/following/spot.ts'

interface Present {
  readonly user?: { readonly id?: unknown } | null
  readonly cursor?: { readonly head?: unknown } | null
}

/** Where a person's caret is, as one of their windows tells; null where none does. */
export function caretOf(awareness: Awareness, person: string): Spot | null {
  for (const { user, cursor } of awareness.getStates().values() as Iterable<Present>) {
    if (user?.id !== person || !cursor) continue
    try {
      return { at: encodePosition(Y.createRelativePositionFromJSON(cursor.head)) }
    } catch {
      // somebody wrote nonsense there
    }
  }
  return null
}
