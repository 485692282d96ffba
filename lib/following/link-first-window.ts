/**
 * Which windows move along from the start: panels, and one window with the text. A second one was opened to look at another place.
 * Whose choice it is by hand does not ask here.
 */
import type { Awareness } from 'y-protocols/awareness'
import type { LocksLike } from '../locks.ts'
import type { PanelId } from '../windows/panels.ts'

export type DocumentWindowKind = 'text' | PanelId

export const isLinkedAtFirst = (kind: DocumentWindowKind): boolean => kind !== 'text' && kind !== 'editor'

interface FirstWindowDependencies {
  /** Undefined on a page that came by plain http from another machine: each window of it counts as the first. */
  readonly locks: LocksLike | undefined
  readonly awareness: Awareness
  readonly document: string
  readonly person: string
  isLocal(client: number): boolean
  /** Its server has told who else is here. */
  readonly whenSynced: Promise<unknown>
}

/**
 * Moves a window with the text along once no other of its browser has that text, and none on another device moves along: at once, or
 * when those are gone. Returns the undo.
 */
export function linkFirstWindow(
  dependencies: FirstWindowDependencies,
  setLinked: (linked: boolean) => void,
): () => void {
  const { locks, awareness, document, person, isLocal, whenSynced } = dependencies
  const closed = Promise.withResolvers<void>()
  const lockRequest = new AbortController()
  let isFirst = locks === undefined
  const isLinkedElsewhere = () => hasRemoteLinkedText(awareness, person, isLocal)
  const linkIfFirst = () => {
    if (isFirst && !isLinkedElsewhere()) setLinked(true)
  }
  const onLockGranted = () => {
    isFirst = true
    linkIfFirst()
    return closed.promise
  }
  locks
    ?.request(`diptych:text:${document}:${person}`, { signal: lockRequest.signal }, onLockGranted)
    .catch(() => {}) // undone
  linkIfFirst()
  awareness.on('change', linkIfFirst)
  // Two devices may have begun before either heard of the other.
  const unlinkIfSecond = () => {
    if (!lockRequest.signal.aborted && isLinkedElsewhere()) setLinked(false)
  }
  whenSynced.then(unlinkIfSecond, () => {}) // offline there is nowhere else
  return () => {
    awareness.off('change', linkIfFirst)
    lockRequest.abort()
    closed.resolve()
  }
}

interface WindowPresence {
  readonly user?: { readonly id?: unknown } | null
  readonly window?: { readonly kind?: unknown; readonly linked?: unknown } | null
}

/** Whether the person has a window with the text on another device that moves along. */
function hasRemoteLinkedText(
  awareness: Awareness,
  person: string,
  isLocal: (client: number) => boolean,
): boolean {
  const remoteStates = ([...awareness.getStates()] as [number, WindowPresence][]).filter(
    ([client]) => client !== awareness.clientID && !isLocal(client),
  )
  return remoteStates.some(
    ([, { user, window }]) => user?.id === person && window?.kind === 'text' && window.linked === true,
  )
}
