/**
 * Decides which windows are linked from the start: panels, and one window with the text. A second one was opened to look at another
 * place. A choice by hand does not go through here.
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
  /** Resolves when the server has sent who else is here. */
  readonly whenSynced: Promise<unknown>
}

/**
 * Links a window with the text once no other window of its browser has that text, and none on another device is linked: at once, or when
 * those are gone. Returns a function that stops this.
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
    .catch(() => {}) // aborted
  linkIfFirst()
  awareness.on('change', linkIfFirst)
  // Two devices may have linked before either knew of the other.
  const unlinkIfSecond = () => {
    if (!lockRequest.signal.aborted && isLinkedElsewhere()) setLinked(false)
  }
  whenSynced.then(unlinkIfSecond, () => {}) // offline there is no other device
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

/** Whether the person has a linked window with the text on another device. */
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
