/**
 * Which windows move along from the start: panels, and one window with the text. A second one was opened to look at another place.
 * Whose choice it is by hand does not ask here.
 */
import type { Awareness } from 'y-protocols/awareness'
import type { LocksLike } from '../locks.ts'
import type { PanelId } from '../windows/panels.ts'

export type ShownKind = 'text' | PanelId

export const followsFromTheStart = (kind: ShownKind): boolean => kind !== 'text' && kind !== 'editor'

/** Runs, a moment later, where this is the only window of the browser with that text. Returns the undo. */
export function whenFirst(
  locks: LocksLike | undefined,
  document: string,
  person: string,
  run: () => void,
): () => void {
  const end = Promise.withResolvers<void>()
  let over = false
  const hold = async (lock: unknown): Promise<void> => {
    if (!lock || over) return
    run()
    await end.promise
  }
  // A page that came by plain http from another machine has no locks: each window of it counts as the first.
  if (!locks) run()
  locks?.request(`diptych:text:${document}:${person}`, { ifAvailable: true }, hold).catch(() => {})
  return () => {
    over = true
    end.resolve()
  }
}

interface Present {
  readonly user?: { readonly id?: unknown } | null
  readonly window?: { readonly kind?: unknown; readonly linked?: unknown } | null
}

/** Whether the person has a window with the text on another device that moves along. */
export function hasLinkedText(
  awareness: Awareness,
  person: string,
  isHere: (client: number) => boolean,
): boolean {
  const others = ([...awareness.getStates()] as [number, Present][]).filter(
    ([client]) => client !== awareness.clientID && !isHere(client),
  )
  return others.some(
    ([, { user, window }]) => user?.id === person && window?.kind === 'text' && window.linked === true,
  )
}
