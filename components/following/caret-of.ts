import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { encodePosition, type TextPosition } from '@/lib/following/text-position.ts'

interface CaretPresence {
  readonly user?: { readonly id?: unknown } | null
  readonly cursor?: { readonly head?: unknown } | null
}

/** The caret of a person, as published by one of their windows; null if none has published one. */
export function caretOf(awareness: Awareness, person: string): TextPosition | null {
  for (const { user, cursor } of awareness.getStates().values() as Iterable<CaretPresence>) {
    if (user?.id !== person || !cursor) continue
    try {
      return { at: encodePosition(Y.createRelativePositionFromJSON(cursor.head)) }
    } catch {
      // the published caret is invalid
    }
  }
  return null
}
