/**
 * What windows look at, by the document's presence: own windows on other devices, and people who are followed. A view is told only
 * while somebody elsewhere follows, at most every 100 ms, and is taken back afterwards: presence repeats all of a window's state.
 */
import type { Awareness } from 'y-protocols/awareness'
import type { Clock } from '../session/clock.ts'
import { readView, type View } from './view.ts'

const PACE_MS = 100

/** Who is followed may be between two links. */
const GONE_MS = 5_000

interface PresentViewsHandlers {
  /** Whether that client is a window of this browser, which is heard without presence. */
  isHere(client: number): boolean
  /** @param by A Yjs client. */
  onOwn(view: View, by: number): void
  onFollowed(view: View): void
  /** Who is followed has no window left. */
  onGone(): void
  current(): View | null
  isLinked(): boolean
}

interface Powers {
  readonly awareness: Awareness
  readonly person: string
  readonly clock: Clock
}

interface Change {
  readonly added: readonly number[]
  readonly updated: readonly number[]
  readonly removed: readonly number[]
}

/** As others wrote it: nothing of it is sure. */
interface Present {
  readonly user?: { readonly id?: unknown } | null
  readonly window?: { readonly linked?: unknown } | null
  readonly follows?: unknown
  readonly view?: unknown
  readonly cursor?: unknown
}

export class PresentViews {
  readonly #awareness: Awareness
  readonly #person: string
  readonly #clock: Clock
  readonly #handlers: PresentViewsHandlers
  #followers = { people: false, own: false }
  #followed: string | null = null
  /** What was told last of whom, so that what else changes in their state moves nobody. */
  readonly #heard = new Map<number, number>()
  #next: View | null = null
  #cancelPace: (() => void) | undefined
  #cancelGone: (() => void) | undefined

  constructor({ awareness, person, clock }: Powers, handlers: PresentViewsHandlers) {
    this.#awareness = awareness
    this.#person = person
    this.#clock = clock
    this.#handlers = handlers
    awareness.on('change', this.#onChange)
    // Whoever makes this has not got it yet.
    queueMicrotask(() => this.look())
  }

  /** @param person Null: nobody. */
  follow(person: string | null): void {
    this.#followed = person
    this.#heard.clear()
    this.#setField('follows', person)
    this.#stayOrGo()
    const [client, { view }] = this.#latestOf(person) ?? [0, {}]
    const now = readView(view)
    if (!now) return
    this.#heard.set(client, now.n)
    this.#handlers.onFollowed(now)
  }

  tell(view: View): void {
    const { people, own } = this.#followers
    if (!people && !(own && (view.go || this.#handlers.isLinked()))) return
    this.#next = view
    if (this.#cancelPace) return
    this.#flush()
  }

  /** Looks again who follows. */
  look = (): void => {
    const before = this.#followers
    this.#followers = this.#findFollowers()
    const { people, own } = this.#followers
    if (!people && !own) {
      this.#next = null
      return this.#setField('view', null)
    }
    if ((people && !before.people) || (own && !before.own)) {
      const view = this.#handlers.current()
      if (view) this.tell(view)
    }
  }

  /** All that own windows on other devices said, once more. */
  hearAll(): void {
    for (const client of this.#awareness.getStates().keys()) this.#hearOwn(client)
  }

  close(): void {
    this.#awareness.off('change', this.#onChange)
    this.#cancelPace?.()
    this.#cancelGone?.()
  }

  #flush(): void {
    this.#cancelPace = undefined
    if (!this.#next) return
    this.#setField('view', this.#next)
    this.#next = null
    this.#cancelPace = this.#clock.after(PACE_MS, () => this.#flush())
  }

  #setField(field: 'view' | 'follows', value: unknown): void {
    const local = this.#awareness.getLocalState()
    if (!local || (local[field] ?? null) === value) return
    this.#awareness.setLocalStateField(field, value)
  }

  #onChange = ({ added, updated }: Change, origin: unknown): void => {
    if (origin === 'local') return
    for (const client of [...added, ...updated]) {
      this.#hearOwn(client)
      this.#hearFollowed(client)
    }
    this.look()
    this.#stayOrGo()
  }

  #state(client: number): Present | undefined {
    return client === this.#awareness.clientID ? undefined : this.#awareness.getStates().get(client)
  }

  #hearOwn(client: number): void {
    const state = this.#state(client)
    if (state?.user?.id !== this.#person || this.#handlers.isHere(client)) return
    const view = readView(state.view)
    if (view && (view.go || state.window?.linked === true)) this.#handlers.onOwn(view, client)
  }

  #hearFollowed(client: number): void {
    const state = this.#state(client)
    if (this.#followed === null || state?.user?.id !== this.#followed) return
    const view = readView(state.view)
    if (!view || view.n === this.#heard.get(client)) return
    const isFirst = !this.#heard.has(client)
    this.#heard.set(client, view.n)
    if (!isFirst || view.go || this.#isLatest(client)) this.#handlers.onFollowed(view)
  }

  /** Who is followed tells where each of their windows stands: that is no movement. */
  #isLatest(client: number): boolean {
    return this.#latestOf(this.#followed)?.[0] === client
  }

  #statesOf(person: string | null): [number, Present][] {
    const states = [...this.#awareness.getStates()] as [number, Present][]
    return states.filter(
      ([client, state]) => client !== this.#awareness.clientID && state.user?.id === person,
    )
  }

  /** The window with the caret has the keyboard. */
  #latestOf(person: string | null): [number, Present] | undefined {
    const order = ({ cursor, view }: Present) => (cursor ? Infinity : (readView(view)?.n ?? -1))
    return this.#statesOf(person).sort(([, a], [, b]) => order(b) - order(a))[0]
  }

  #findFollowers(): { people: boolean; own: boolean } {
    const others = ([...this.#awareness.getStates()] as [number, Present][]).filter(
      ([client]) => client !== this.#awareness.clientID,
    )
    return {
      people: others.some(([, { follows }]) => follows === this.#person),
      own: others.some(
        ([client, { user, window }]) =>
          user?.id === this.#person && window?.linked === true && !this.#handlers.isHere(client),
      ),
    }
  }

  #stayOrGo(): void {
    const gone = this.#followed !== null && this.#statesOf(this.#followed).length === 0
    if (!gone) {
      this.#cancelGone?.()
      this.#cancelGone = undefined
    } else this.#cancelGone ??= this.#clock.after(GONE_MS, () => this.#handlers.onGone())
  }
}
