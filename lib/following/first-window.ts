/**
 * Which windows move along from the start: panels, and one window with the text. A second one was opened to look at another place.
 * Whose choice it is by hand does not ask here.
 */
import type { Awareness } from 'y-protocols/awareness'
import type { LocksLike } from '../locks.ts'
import type { PanelId } from '../windows/panels.ts'

export type ShownKind = 'text' | PanelId

export const followsFromTheStart = (kind: ShownKind): boolean => kind !== 'text' && kind !== 'editor'

interface FirstPowers {
  /** Undefined on a page that came by plain http from another machine: each window of it counts as the first. */
  readonly locks: LocksLike | undefined
  readonly awareness: Awareness
  readonly document: string
  readonly person: string
  isHere(client: number): boolean
  /** Its server has told who else is here. */
  readonly whenSynced: Promise<unknown>
}

/**
 * Moves a window with the text along once no other of its browser has that text, and none on another device moves along: at once, or
 * when those are gone. Returns the undo.
 */
export function moveAlongAsFirst(powers: FirstPowers, setLinked: (linked: boolean) => void): () => void {
  const { locks, awareness, document, person, isHere, whenSynced } = powers
  const end = Promise.withResolvers<void>()
  const waiting = new AbortController()
  let isFirst = locks === undefined
  const isElsewhere = () => hasLinkedText(awareness, person, isHere)
  const look = () => {
    if (isFirst && !isElsewhere()) setLinked(true)
  }
  const hold = () => {
    isFirst = true
    look()
    return end.promise
  }
  locks?.request(`diptych:text:${document}:${person}`, { signal: waiting.signal }, hold).catch(() => {}) // undone
  look()
  awareness.on('change', look)
  // Two devices may have begun before either heard of the other.
  const lookElsewhere = () => {
    if (!waiting.signal.aborted && isElsewhere()) setLinked(false)
  }
  whenSynced.then(lookElsewhere, () => {}) // offline there is nowhere else
  return () => {
    awareness.off('change', look)
    waiting.abort()
    end.resolve()
  }
}

interface Present {
  readonly user?: { readonly id?: unknown } | null
  readonly window?: { readonly kind?: unknown; readonly linked?: unknown } | null
}

/** Whether the person has a window with the text on another device that moves along. */
function hasLinkedText(awareness: Awareness, person: string, isHere: (client: number) => boolean): boolean {
  const others = ([...awareness.getStates()] as [number, Present][]).filter(
    ([client]) => client !== awareness.clientID && !isHere(client),
  )
  return others.some(
    ([, { user, window }]) => user?.id === person && window?.kind === 'text' && window.linked === true,
  )
}
