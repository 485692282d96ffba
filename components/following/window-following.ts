/**
 * Announces a window to the others, decides whether it is linked to them, and loads what moves linked windows together once there is
 * somebody to move with, a place to go to, or a person who does something.
 */
import type { OpenDocument } from '@/lib/client.ts'
import type { Following } from '@/lib/following/following.ts'
import {
  isLinkedAtFirst,
  linkFirstWindow,
  type DocumentWindowKind,
} from '@/lib/following/link-first-window.ts'
import { loadInBackground } from '@/lib/load-in-background.ts'
import { realClock } from '@/lib/session/clock.ts'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { browserWindowPlatform } from '@/lib/window-group/browser-window-platform.ts'
import { unknownUserId, type OwnPresenceUser } from '@/components/profile/own-presence-user.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { announceWindow } from './announce-window.ts'
import { holdClicksOnLinks } from './clicked-link.ts'
import type { FollowingContextValue } from './following-context.ts'
import { readStoredLinked, storeLinked } from './linked-storage.ts'

export const loadFollowingCode = loadInBackground(() => import('./following-code.ts'))

/** A browser scrolls by itself to where a text was before a reload. */
const personalEvents = ['keydown', 'pointerdown', 'scroll', 'popstate'] as const

export interface FollowingWindow {
  readonly document: string
  readonly opened: OpenDocument
  readonly user: OwnPresenceUser
  readonly kind: DocumentWindowKind
}

export class WindowFollowing {
  readonly #window: FollowingWindow
  readonly #person: string
  readonly #announcement: ReturnType<typeof announceWindow>
  readonly #onLoaded: (context: FollowingContextValue) => void
  readonly #stops: (() => void)[] = []
  readonly #stopHoldingClicks: () => void
  #linked: boolean
  /** Whether the person has linked or unlinked this window. */
  #isChosen: boolean
  #following: Following | null = null
  #wasUsedAlone = false
  #isStopped = false

  constructor(window: FollowingWindow, onLoaded: (context: FollowingContextValue) => void) {
    const { document, opened, user, kind } = window
    this.#window = window
    this.#onLoaded = onLoaded
    this.#person = user.id === unknownUserId ? `${unknownUserId}:${opened.doc.clientID}` : user.id
    const remembered = readStoredLinked(document)
    this.#isChosen = remembered !== null
    this.#linked = remembered ?? isLinkedAtFirst(kind)
    const { registry } = ownPage()
    registry.updateOwn({ linked: this.#linked })
    this.#announcement = announceWindow(opened.awareness, user, kind, this.#linked)
    if (kind === 'text') this.#linkIfFirst()
    const stopReceivingRequests = registry.onRequest((what) => {
      if (what.type === 'link') this.#link(what.linked)
    })
    this.#stopHoldingClicks = holdClicksOnLinks(document, () => this.#load())
    this.#stops.push(this.#announcement.stop, stopReceivingRequests, this.#stopHoldingClicks)
    const isNeeded = kind !== 'text' || location.hash !== '' || !navigator.locks
    if (isNeeded) void this.#load()
    else this.#stops.push(this.#loadOnceNeeded())
  }

  get context(): FollowingContextValue {
    const { document, opened } = this.#window
    const { doc, awareness } = opened
    return {
      document,
      fragment: doc.getXmlFragment('default'),
      awareness,
      following: this.#following,
      wasUsedAlone: this.#wasUsedAlone,
      link: (shouldLink) => this.#link(shouldLink),
      load: () => this.#load(),
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const stop of this.#stops) stop()
  }

  #linkIfFirst(): void {
    const { document, opened } = this.#window
    const { awareness, whenSynced } = opened
    const person = this.#person
    const isLocal = (client: number) => this.#following?.isLocal(client) ?? false
    const first = { locks: navigator.locks, awareness, document, person, isLocal, whenSynced }
    this.#stops.push(
      linkFirstWindow(first, (isFirst) => {
        if (!this.#isChosen) this.#setLinked(isFirst)
      }),
    )
  }

  #link(shouldLink: boolean): void {
    this.#isChosen = true
    storeLinked(this.#window.document, shouldLink)
    this.#setLinked(shouldLink)
  }

  #setLinked(linked: boolean): void {
    if (linked === this.#linked) return
    this.#linked = linked
    this.#following?.setLinked(linked)
    this.#announcement.setLinked(linked)
    ownPage().registry.updateOwn({ linked })
  }

  /** Resolves with null if the window stopped showing the document first. */
  async #load(): Promise<Following | null> {
    const { createFollowing, startLinkNavigation } = await loadFollowingCode()
    if (this.#isStopped || this.#following) return this.#following
    const { document, fragment, awareness } = this.context
    // Without Web Locks, a goodbye alone shows that a window is gone.
    const platform = browserWindowPlatform() ?? { channel: (name) => new BroadcastChannel(name) }
    const person = this.#person
    const groupName = `diptych:views:${document}:${person}`
    const meeting = { fragment, awareness, person, platform, groupName, clock: realClock }
    const following = createFollowing(meeting, this.#linked)
    this.#following = following
    const stopNavigation = startLinkNavigation({ ...this.context, following }, this.#window.opened)
    this.#stopHoldingClicks()
    this.#stops.push(stopNavigation, () => following.close())
    this.#onLoaded(this.context)
    return following
  }

  /** Loads once another person or window has the document open, or this person does something. Returns a function that stops this. */
  #loadOnceNeeded(): () => void {
    const { awareness } = this.#window.opened
    const { registry } = ownPage()
    const stop = new AbortController()
    const { signal } = stop
    const load = () => {
      if (!signal.aborted) void this.#load()
      stop.abort()
    }
    const onPersonalEvent = () => {
      this.#wasUsedAlone = true
      load()
    }
    const check = () => this.#isAlone || load()
    for (const type of personalEvents) addEventListener(type, onPersonalEvent, { capture: true, signal })
    awareness.on('change', check)
    const stopWatching = registry.subscribe(check)
    signal.addEventListener('abort', () => {
      awareness.off('change', check)
      stopWatching()
    })
    check()
    return () => stop.abort()
  }

  get #isAlone(): boolean {
    const { document, opened } = this.#window
    const isHere = (other: OwnWindowEntry) => !other.self && other.document === document
    return opened.awareness.getStates().size <= 1 && !ownPage().registry.get().some(isHere)
  }
}
