/**
 * Moves the windows of a person together, and a window after another person's (W5). One a window and document.
 *
 *   own scrolling ─▶ view, with the next n ─┬─▶ the other surfaces of this window
 *                                           ├─▶ BroadcastChannel: own windows of this browser
 *                                           └─▶ presence, while somebody elsewhere follows: own windows there, other people
 *
 * A view that a window shows because another led is never told on: only what a hand did is, so that nothing echoes.
 * Knows surfaces, a broadcast channel and presence; does not know the DOM.
 */
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import type { ChannelLike } from '../broadcast.ts'
import type { Clock } from '../session/clock.ts'
import { OwnWindows } from './own-windows.ts'
import { PresentViews } from './present-views.ts'
import { type Frames, Seat } from './seat.ts'
import { sectionOf } from './section.ts'
import type { Spot } from './spot.ts'
import type { Look, Surface, SurfaceHandle } from './surface.ts'
import type { View } from './view.ts'
import { notifyAll } from '../notify-all.ts'

export interface FollowingPowers {
  readonly fragment: Y.XmlFragment
  /** The document's. */
  readonly awareness: Awareness
  /** Id of the person whose window this is. */
  readonly person: string
  /** Heard by this person's other windows on this document in this browser; null where there are none. */
  readonly channel: ChannelLike | null
  readonly clock: Clock
  readonly frames: Frames
}

export interface FollowingState {
  /** This window moves along with the person's others. */
  readonly linked: boolean
  /** The heading of the section that is looked at, here or in the windows that lead. */
  readonly heading: Spot | null
  /** Id of the person whose window this one goes after. */
  readonly followed: string | null
}

/** Who led last, and when: of two views with the same `n` one is chosen, and everywhere the same. */
interface Lead {
  readonly n: number
  /** The window's Yjs client: its name in this browser and, by presence, on other devices. */
  readonly by: number
}

const isLater = (a: Lead, b: Lead): boolean => a.n > b.n || (a.n === b.n && a.by > b.by)

const nobody: Lead = { n: 0, by: -1 }

export class Following {
  readonly #powers: FollowingPowers
  readonly #client: number
  readonly #seats = new Set<Seat>()
  readonly #listeners = new Set<() => void>()
  readonly #own: OwnWindows
  readonly #present: PresentViews
  #state: FollowingState
  /** The highest n ever heard of. */
  #n = 0
  #lead = nobody
  #view: View | null = null
  /** Shown here, wherever it was made. */
  #selection: Spot | null = null
  #cancelFrame: (() => void) | undefined
  #moved: Seat | null = null
  #changed: Seat | null = null

  constructor(powers: FollowingPowers, linked: boolean) {
    this.#powers = powers
    this.#client = powers.awareness.clientID
    this.#state = { linked, heading: null, followed: null }
    this.#own = new OwnWindows(powers.channel, this.#client, {
      onView: (view, by) => this.#hear(view, by),
      onNote: (heading, selection) => this.#note(heading, selection),
      onFollow: (person) => {
        if (this.#state.linked) this.#followAlone(person)
      },
      current: () => this.#current(),
      state: () => this.#state,
      onMet: () => this.#present.look(),
    })
    this.#present = new PresentViews(powers, {
      isHere: this.isHere,
      onOwn: (view, by) => this.#hear(view, by),
      onFollowed: (view) => this.#goAfter(view),
      onGone: () => this.follow(null),
      current: () => this.#current(),
      isLinked: () => this.#state.linked,
    })
    this.#own.greet()
  }

  get = (): FollowingState => this.#state

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** This window shows the text somewhere. */
  get hasText(): boolean {
    return this.#seats.size > 0
  }

  /** Whether that Yjs client is a window of this browser. */
  isHere = (client: number): boolean => this.#own.clients.has(client)

  /** Who links goes where the others are. */
  setLinked(linked: boolean): void {
    if (linked === this.#state.linked) return
    this.#set({ linked })
    this.#present.look()
    if (!linked) return
    this.#lead = nobody
    this.#own.greet()
    this.#present.hearAll()
  }

  /** Goes where that person's windows go, with the linked ones of this browser, until a hand is on one; null: no longer. */
  follow(person: string | null): void {
    if (person === this.#state.followed) return
    this.#followAlone(person)
    if (this.#state.linked) this.#own.follow(person)
  }

  #followAlone(person: string | null): void {
    if (person === this.#state.followed) return
    this.#set({ followed: person })
    this.#present.follow(person)
  }

  add(surface: Surface): SurfaceHandle {
    const seat = new Seat(surface, this.#powers.clock, this.#powers.frames)
    this.#seats.add(seat)
    // It came after the others had said where they are.
    if (this.#view && this.#state.linked) seat.show(this.#view, true)
    return {
      touched: () => this.#touched(seat),
      scrolled: () => this.#later({ moved: seat }),
      selected: () => this.#later({ changed: seat }),
      resized: () => {
        if (this.#view) seat.show(this.#view, true)
      },
      remove: () => {
        seat.drop()
        this.#seats.delete(seat)
      },
    }
  }

  /**
   * Shows a spot: in this window where it has a surface, else in every one that follows. A selection comes into view with some text
   * around it, a mere spot stands at the top.
   */
  goTo(spot: Spot, { within = spot.to !== undefined }: { within?: boolean } = {}): void {
    const heading = sectionOf(this.#powers.fragment, spot)
    const view: View = {
      top: { at: spot.at },
      n: this.#next(),
      ...(heading && { heading }),
      ...(spot.to !== undefined && { selection: spot }),
      ...(within && { within: true }),
      ...((this.#state.linked || this.#seats.size === 0) && { go: true }),
    }
    for (const seat of this.#seats) seat.show(view, false)
    this.#tell(view, null)
  }

  close(): void {
    this.#cancelFrame?.()
    for (const seat of this.#seats) seat.drop()
    this.#seats.clear()
    this.#own.close()
    this.#present.close()
  }

  #touched(seat: Seat): void {
    seat.touched()
    if (this.#state.followed !== null) this.follow(null)
  }

  // What is done here

  #later({ moved, changed }: { moved?: Seat; changed?: Seat }): void {
    if (moved) this.#moved = moved
    if (changed) this.#changed = changed
    this.#cancelFrame ??= this.#powers.frames(() => {
      this.#cancelFrame = undefined
      const [movedNow, changedNow] = [this.#moved, this.#changed]
      this.#moved = null
      this.#changed = null
      if (movedNow) this.#onMoved(movedNow)
      else if (changedNow) this.#onChanged(changedNow, changedNow.surface.lookAtCaret?.() ?? null)
    })
  }

  #onMoved(seat: Seat): void {
    const look = seat.surface.look()
    if (!look) return
    seat.drop()
    if (this.#view?.top.at === look.top.at && this.#lead.by === this.#client)
      return this.#onChanged(seat, look)
    const view = { top: look.top, ...this.#describe(look), n: this.#next() }
    if (this.#state.linked) {
      for (const other of this.#seats) if (other !== seat) other.show(view, true)
    }
    this.#tell(view, seat)
  }

  /** The caret is elsewhere, and the text stands where it stood: nobody moves for that. */
  #onChanged(seat: Seat, look: Omit<Look, 'top'> | null): void {
    if (!look) return
    const { heading = null, selection = null } = this.#describe(look)
    if (isSame(heading, this.#state.heading) && isSame(selection, this.#selection)) return
    this.#note(heading, selection, seat)
    if (this.#state.linked) this.#own.note(heading, selection)
  }

  #describe({ focus, selection }: Omit<Look, 'top'>): Pick<View, 'heading' | 'selection'> {
    const heading = sectionOf(this.#powers.fragment, focus)
    return { ...(heading && { heading }), ...(selection && { selection }) }
  }

  #next(): number {
    this.#n += 1
    this.#lead = { n: this.#n, by: this.#client }
    return this.#n
  }

  #tell(view: View, by: Seat | null): void {
    this.#keep(view, by)
    if (this.#state.linked || view.go) this.#own.tell(view)
    this.#present.tell(view)
  }

  #keep(view: View, by: Seat | null = null): void {
    this.#view = view
    this.#set({ heading: view.heading ?? null })
    this.#mark(view.selection ?? null, by)
  }

  #mark(selection: Spot | null, by: Seat | null): void {
    this.#selection = selection
    for (const seat of this.#seats) if (seat !== by) seat.surface.mark?.(selection)
  }

  /** For who comes, or begins to follow. */
  #current(): View | null {
    if (this.#view) return this.#view
    for (const { surface } of this.#seats) {
      const look = surface.look()
      if (look) return { top: look.top, ...this.#describe(look), n: 0 }
    }
    return null
  }

  // What is done elsewhere

  #hear(view: View, by: number): void {
    this.#n = Math.max(this.#n, view.n)
    const lead = { n: view.n, by }
    if (!this.#state.linked || !isLater(lead, this.#lead)) return
    this.#lead = lead
    // Nobody has led yet: all are where they opened.
    if (view.n === 0) return this.#set({ heading: view.heading ?? null })
    this.#keep(view)
    for (const seat of this.#seats) seat.show(view, !view.go)
  }

  #note(heading: Spot | null, selection: Spot | null, by: Seat | null = null): void {
    if (!this.#state.linked && by === null) return
    this.#set({ heading })
    if (this.#view) this.#view = withNote(this.#view, heading, selection)
    this.#mark(selection, by)
  }

  /** Where a person goes whom this window follows. The linked ones do so by themselves. */
  #goAfter(view: View): void {
    this.#keep({ ...view, n: this.#next() })
    for (const seat of this.#seats) seat.show(view, false)
  }

  #set(part: Partial<FollowingState>): void {
    const next = { ...this.#state, ...part }
    const { linked, followed, heading } = this.#state
    if (next.linked === linked && next.followed === followed && isSame(next.heading, heading)) return
    this.#state = next
    notifyAll(this.#listeners)
  }
}

const isSame = (a: Spot | null, b: Spot | null): boolean => a?.at === b?.at && a?.to === b?.to

function withNote(
  { heading: _heading, selection: _selection, ...rest }: View,
  heading: Spot | null,
  selection: Spot | null,
): View {
  return { ...rest, ...(heading && { heading }), ...(selection && { selection }) }
}
