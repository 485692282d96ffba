/**
 * Exchanges views by the document's presence, with own windows on other devices and with people who are followed. A view is sent only
 * while somebody elsewhere follows, at most every 100 ms, and is removed afterwards, because presence repeats all of a window's state.
 */
import type { Awareness } from 'y-protocols/awareness'
import type { Clock } from '../session/clock.ts'
import { readWindowView, type WindowView } from './view.ts'

const MIN_BROADCAST_INTERVAL_MS = 100

/** The followed person may be between two links. */
const FOLLOWED_AWAY_MS = 5_000

interface PresenceViewsHandlers {
  /** Whether that client is a window of this browser, whose views come without presence. */
  isLocal(client: number): boolean
  /** @param by A Yjs client. */
  onOwnView(view: WindowView, by: number): void
  onFollowedView(view: WindowView): void
  /** The followed person has no window left. */
  onFollowedGone(): void
  currentView(): WindowView | null
  isLinked(): boolean
}

interface PresenceViewsDependencies {
  readonly awareness: Awareness
  readonly person: string
  readonly clock: Clock
}

interface AwarenessChange {
  readonly added: readonly number[]
  readonly updated: readonly number[]
  readonly removed: readonly number[]
}

/** Others wrote this state, so no field has a certain type. */
interface FollowingPresence {
  readonly user?: { readonly id?: unknown } | null
  readonly window?: { readonly linked?: unknown } | null
  readonly follows?: unknown
  readonly view?: unknown
  readonly cursor?: unknown
}

export class PresenceViews {
  readonly #awareness: Awareness
  readonly #person: string
  readonly #clock: Clock
  readonly #handlers: PresenceViewsHandlers
  #followers = { people: false, own: false }
  #followed: string | null = null
  /** The number of the last view of each client, so that other changes in their state move nothing. */
  readonly #receivedNumbers = new Map<number, number>()
  #pendingView: WindowView | null = null
  #cancelInterval: (() => void) | undefined
  #cancelGone: (() => void) | undefined

  constructor({ awareness, person, clock }: PresenceViewsDependencies, handlers: PresenceViewsHandlers) {
    this.#awareness = awareness
    this.#person = person
    this.#clock = clock
    this.#handlers = handlers
    awareness.on('change', this.#onChange)
    // The caller has not received this object yet.
    queueMicrotask(() => this.updateFollowers())
  }

  /** @param person Null to follow nobody. */
  follow(person: string | null): void {
    this.#followed = person
    this.#receivedNumbers.clear()
    this.#setField('follows', person)
    this.#checkFollowedPresence()
    const [client, { view }] = this.#latestOf(person) ?? [0, {}]
    const latestView = readWindowView(view)
    if (!latestView) return
    this.#receivedNumbers.set(client, latestView.n)
    this.#handlers.onFollowedView(latestView)
  }

  broadcastView(view: WindowView): void {
    const { people, own } = this.#followers
    if (!people && !(own && (view.go || this.#handlers.isLinked()))) return
    this.#pendingView = view
    if (this.#cancelInterval) return
    this.#flush()
  }

  /** Checks again who follows. */
  updateFollowers = (): void => {
    const previous = this.#followers
    this.#followers = this.#findFollowers()
    const { people, own } = this.#followers
    if (!people && !own) {
      this.#pendingView = null
      return this.#setField('view', null)
    }
    if ((people && !previous.people) || (own && !previous.own)) {
      const view = this.#handlers.currentView()
      if (view) this.broadcastView(view)
    }
  }

  /** Handles again the latest views of own windows on other devices. */
  receiveOwnViews(): void {
    for (const client of this.#awareness.getStates().keys()) this.#receiveOwnView(client)
  }

  close(): void {
    this.#awareness.off('change', this.#onChange)
    this.#cancelInterval?.()
    this.#cancelGone?.()
  }

  #flush(): void {
    this.#cancelInterval = undefined
    if (!this.#pendingView) return
    this.#setField('view', this.#pendingView)
    this.#pendingView = null
    this.#cancelInterval = this.#clock.after(MIN_BROADCAST_INTERVAL_MS, () => this.#flush())
  }

  #setField(field: 'view' | 'follows', value: unknown): void {
    const local = this.#awareness.getLocalState()
    if (!local || (local[field] ?? null) === value) return
    this.#awareness.setLocalStateField(field, value)
  }

  #onChange = ({ added, updated }: AwarenessChange, origin: unknown): void => {
    if (origin === 'local') return
    for (const client of [...added, ...updated]) {
      this.#receiveOwnView(client)
      this.#receiveFollowedView(client)
    }
    this.updateFollowers()
    this.#checkFollowedPresence()
  }

  #stateOf(client: number): FollowingPresence | undefined {
    return client === this.#awareness.clientID ? undefined : this.#awareness.getStates().get(client)
  }

  #receiveOwnView(client: number): void {
    const state = this.#stateOf(client)
    if (state?.user?.id !== this.#person || this.#handlers.isLocal(client)) return
    const view = readWindowView(state.view)
    if (view && (view.go || state.window?.linked === true)) this.#handlers.onOwnView(view, client)
  }

  #receiveFollowedView(client: number): void {
    const state = this.#stateOf(client)
    if (this.#followed === null || state?.user?.id !== this.#followed) return
    const view = readWindowView(state.view)
    if (!view || view.n === this.#receivedNumbers.get(client)) return
    const isFirst = !this.#receivedNumbers.has(client)
    this.#receivedNumbers.set(client, view.n)
    if (!isFirst || view.go || this.#isLatest(client)) this.#handlers.onFollowedView(view)
  }

  /** A followed person's windows each report where they stand: a first view is no movement, so only the latest window counts. */
  #isLatest(client: number): boolean {
    return this.#latestOf(this.#followed)?.[0] === client
  }

  #statesOf(person: string | null): [number, FollowingPresence][] {
    const states = [...this.#awareness.getStates()] as [number, FollowingPresence][]
    return states.filter(
      ([client, state]) => client !== this.#awareness.clientID && state.user?.id === person,
    )
  }

  /** The window with the caret has the keyboard, so it comes first. */
  #latestOf(person: string | null): [number, FollowingPresence] | undefined {
    const order = ({ cursor, view }: FollowingPresence) =>
      cursor ? Infinity : (readWindowView(view)?.n ?? -1)
    return this.#statesOf(person).sort(([, a], [, b]) => order(b) - order(a))[0]
  }

  #findFollowers(): { people: boolean; own: boolean } {
    const remoteStates = ([...this.#awareness.getStates()] as [number, FollowingPresence][]).filter(
      ([client]) => client !== this.#awareness.clientID,
    )
    return {
      people: remoteStates.some(([, { follows }]) => follows === this.#person),
      own: remoteStates.some(
        ([client, { user, window }]) =>
          user?.id === this.#person && window?.linked === true && !this.#handlers.isLocal(client),
      ),
    }
  }

  #checkFollowedPresence(): void {
    const gone = this.#followed !== null && this.#statesOf(this.#followed).length === 0
    if (!gone) {
      this.#cancelGone?.()
      this.#cancelGone = undefined
    } else this.#cancelGone ??= this.#clock.after(FOLLOWED_AWAY_MS, () => this.#handlers.onFollowedGone())
  }
}
