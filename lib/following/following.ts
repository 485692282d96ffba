/**
 * Moves the linked windows of a person together, and a window along with another person's (W5). There is one for each window and
 * document.
 *
 *   own scrolling ─▶ view, with the next n ─┬─▶ the other surfaces of this window
 *                                           ├─▶ BroadcastChannel: own windows of this browser
 *                                           └─▶ presence, while somebody elsewhere follows: own windows there, other people
 *
 * A view that a window shows because another led is never sent on: only a person's own movements are, so that nothing echoes. Knows
 * surfaces, a group of windows and presence; does not know the DOM.
 */
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import type { Clock } from '../session/clock.ts'
import { LocalViews } from './local-views.ts'
import { PresenceViews } from './presence-views.ts'
import { type RequestFrame, SurfaceController } from './surface-controller.ts'
import { sectionOf } from './section.ts'
import type { TextPosition } from './text-position.ts'
import type { SurfaceView, Surface, SurfaceHandle } from './surface.ts'
import type { WindowView } from './view.ts'
import { Subscribable } from '../subscribable.ts'
import type { WindowGroupPlatform } from '../window-group/window-group.ts'

export interface FollowingDependencies {
  readonly fragment: Y.XmlFragment
  /** The document's awareness. */
  readonly awareness: Awareness
  /** Id of the person whose window this is. */
  readonly person: string
  /** Where this person's windows on this document in this browser meet. */
  readonly platform: WindowGroupPlatform
  readonly groupName: string
  readonly clock: Clock
  readonly requestFrame: RequestFrame
}

export interface FollowingState {
  /** Whether this window moves along with the person's others. */
  readonly linked: boolean
  /** The heading of the section that is looked at, here or in the windows that lead. */
  readonly heading: TextPosition | null
  /** Id of the person whom this window follows. */
  readonly followed: string | null
}

/** Who led last, and when: of two views with the same `n`, all windows choose the same one. */
interface LamportTimestamp {
  readonly n: number
  /** The window's Yjs client: its name in this browser and, by presence, on other devices. */
  readonly by: number
}

const isLater = (a: LamportTimestamp, b: LamportTimestamp): boolean =>
  a.n > b.n || (a.n === b.n && a.by > b.by)

const noTimestamp: LamportTimestamp = { n: 0, by: -1 }

export class Following {
  readonly #dependencies: FollowingDependencies
  readonly #client: number
  readonly #controllers = new Set<SurfaceController>()
  readonly #listeners = new Subscribable()
  readonly #localViews: LocalViews
  readonly #presenceViews: PresenceViews
  #state: FollowingState
  /** The highest n ever received. */
  #highestN = 0
  #timestamp = noTimestamp
  #view: WindowView | null = null
  /** The selection that is shown here, wherever it was made. */
  #shownSelection: TextPosition | null = null
  #cancelFrame: (() => void) | undefined
  #scrolledController: SurfaceController | null = null
  #selectedController: SurfaceController | null = null

  constructor(dependencies: FollowingDependencies, linked: boolean) {
    this.#dependencies = dependencies
    this.#client = dependencies.awareness.clientID
    this.#state = { linked, heading: null, followed: null }
    this.#localViews = new LocalViews(dependencies.platform, this.#client, {
      onView: (view, by) => this.#receiveView(view, by),
      onSelection: (heading, selection) => this.#setHeadingAndSelection(heading, selection),
      onFollow: (person) => {
        if (this.#state.linked) this.#setFollowed(person)
      },
      currentView: () => this.#currentView(),
      currentState: () => this.#state,
      onWindowFound: () => this.#presenceViews.updateFollowers(),
    })
    this.#presenceViews = new PresenceViews(dependencies, {
      isLocal: this.isLocal,
      onOwnView: (view, by) => this.#receiveView(view, by),
      onFollowedView: (view) => this.#showFollowedView(view),
      onFollowedGone: () => this.follow(null),
      currentView: () => this.#currentView(),
      isLinked: () => this.#state.linked,
    })
    this.#localViews.join(dependencies.groupName)
  }

  get = (): FollowingState => this.#state

  readonly subscribe = this.#listeners.subscribe

  /** Whether this window shows the text on any surface. */
  get hasText(): boolean {
    return this.#controllers.size > 0
  }

  /** What is at the top of the text in this window; null where it shows none. */
  readTop(): TextPosition | null {
    for (const { surface } of this.#controllers) {
      const surfaceView = surface.readView()
      if (surfaceView) return surfaceView.top
    }
    return null
  }

  /** Whether that Yjs client is a window of this browser. */
  isLocal = (client: number): boolean => this.#localViews.clientIds.has(client)

  /** A window that becomes linked goes where the others are. */
  setLinked(linked: boolean): void {
    if (linked === this.#state.linked) return
    this.#setState({ linked })
    this.#presenceViews.updateFollowers()
    if (!linked) return
    this.#timestamp = noTimestamp
    this.#localViews.sendHello()
    this.#presenceViews.receiveOwnViews()
  }

  /**
   * Follows that person, together with the linked windows of this browser, until the user scrolls or types in one of them; null stops it.
   */
  follow(person: string | null): void {
    if (person === this.#state.followed) return
    this.#setFollowed(person)
    if (this.#state.linked) this.#localViews.broadcastFollow(person)
  }

  #setFollowed(person: string | null): void {
    if (person === this.#state.followed) return
    this.#setState({ followed: person })
    this.#presenceViews.follow(person)
  }

  addSurface(surface: Surface): SurfaceHandle {
    const controller = new SurfaceController(
      surface,
      this.#dependencies.clock,
      this.#dependencies.requestFrame,
    )
    this.#controllers.add(controller)
    // The surface may come after the others sent where they are, or after the person asked to go somewhere.
    if (this.#view && (this.#state.linked || this.#view.go)) controller.scrollTo(this.#view, true)
    return {
      onUserInput: () => this.#onUserInput(controller),
      onScroll: () => this.#scheduleReport({ scrolled: controller }),
      onSelect: () => this.#scheduleReport({ selected: controller }),
      onResize: () => {
        if (this.#view) controller.scrollTo(this.#view, true)
      },
      remove: () => {
        controller.cancelScroll()
        this.#controllers.delete(controller)
      },
    }
  }

  /**
   * Shows a position: in this window where it has a surface, else in every window that follows. A selection comes into view with some
   * text around it; a position alone stands at the top.
   */
  goTo(position: TextPosition, { within = position.to !== undefined }: { within?: boolean } = {}): void {
    const heading = sectionOf(this.#dependencies.fragment, position)
    const view: WindowView = {
      top: { at: position.at },
      n: this.#nextTimestamp(),
      ...(heading && { heading }),
      ...(position.to !== undefined && { selection: position }),
      ...(within && { within: true }),
      ...((this.#state.linked || this.#controllers.size === 0) && { go: true }),
    }
    for (const controller of this.#controllers) controller.scrollTo(view, false)
    this.#broadcastView(view, null)
  }

  close(): void {
    this.#cancelFrame?.()
    for (const controller of this.#controllers) controller.cancelScroll()
    this.#controllers.clear()
    this.#localViews.close()
    this.#presenceViews.close()
  }

  #onUserInput(controller: SurfaceController): void {
    controller.onUserInput()
    if (this.#state.followed !== null) this.follow(null)
  }

  // Local movements

  #scheduleReport({
    scrolled,
    selected,
  }: {
    scrolled?: SurfaceController
    selected?: SurfaceController
  }): void {
    if (scrolled) this.#scrolledController = scrolled
    if (selected) this.#selectedController = selected
    this.#cancelFrame ??= this.#dependencies.requestFrame(() => {
      this.#cancelFrame = undefined
      const [scrolledNow, selectedNow] = [this.#scrolledController, this.#selectedController]
      this.#scrolledController = null
      this.#selectedController = null
      if (scrolledNow) this.#onScroll(scrolledNow)
      else if (selectedNow) this.#onSelect(selectedNow, selectedNow.surface.readCaret?.() ?? null)
    })
  }

  #onScroll(controller: SurfaceController): void {
    const surfaceView = controller.surface.readView()
    if (!surfaceView) return
    controller.cancelScroll()
    if (this.#view?.top.at === surfaceView.top.at && this.#timestamp.by === this.#client)
      return this.#onSelect(controller, surfaceView)
    const view = { top: surfaceView.top, ...this.#headingAndSelection(surfaceView), n: this.#nextTimestamp() }
    if (this.#state.linked) {
      for (const other of this.#controllers) if (other !== controller) other.scrollTo(view, true)
    }
    this.#broadcastView(view, controller)
  }

  /** The caret moved but the text did not, so no window scrolls. */
  #onSelect(controller: SurfaceController, surfaceView: Omit<SurfaceView, 'top'> | null): void {
    if (!surfaceView) return
    const { heading = null, selection = null } = this.#headingAndSelection(surfaceView)
    if (isSame(heading, this.#state.heading) && isSame(selection, this.#shownSelection)) return
    this.#setHeadingAndSelection(heading, selection, controller)
    if (this.#state.linked) this.#localViews.broadcastSelection(heading, selection)
  }

  #headingAndSelection({
    focus,
    selection,
  }: Omit<SurfaceView, 'top'>): Pick<WindowView, 'heading' | 'selection'> {
    const heading = sectionOf(this.#dependencies.fragment, focus)
    return { ...(heading && { heading }), ...(selection && { selection }) }
  }

  #nextTimestamp(): number {
    this.#highestN += 1
    this.#timestamp = { n: this.#highestN, by: this.#client }
    return this.#highestN
  }

  #broadcastView(view: WindowView, by: SurfaceController | null): void {
    this.#setView(view, by)
    if (this.#state.linked || view.go) this.#localViews.broadcastView(view)
    this.#presenceViews.broadcastView(view)
  }

  #setView(view: WindowView, by: SurfaceController | null = null): void {
    this.#view = view
    this.#setState({ heading: view.heading ?? null })
    this.#markSelection(view.selection ?? null, by)
  }

  #markSelection(selection: TextPosition | null, by: SurfaceController | null): void {
    this.#shownSelection = selection
    for (const controller of this.#controllers)
      if (controller !== by) controller.surface.markSelection?.(selection)
  }

  /** The view for a window that joins, or a person who begins to follow. */
  #currentView(): WindowView | null {
    if (this.#view) return this.#view
    for (const { surface } of this.#controllers) {
      const surfaceView = surface.readView()
      if (surfaceView) return { top: surfaceView.top, ...this.#headingAndSelection(surfaceView), n: 0 }
    }
    return null
  }

  // Remote movements

  #receiveView(view: WindowView, by: number): void {
    this.#highestN = Math.max(this.#highestN, view.n)
    const timestamp = { n: view.n, by }
    if (!this.#state.linked || !isLater(timestamp, this.#timestamp)) return
    this.#timestamp = timestamp
    // Nobody has led yet: all windows are where they opened.
    if (view.n === 0) return this.#setState({ heading: view.heading ?? null })
    this.#setView(view)
    for (const controller of this.#controllers) controller.scrollTo(view, !view.go)
  }

  #setHeadingAndSelection(
    heading: TextPosition | null,
    selection: TextPosition | null,
    by: SurfaceController | null = null,
  ): void {
    if (!this.#state.linked && by === null) return
    this.#setState({ heading })
    if (this.#view) this.#view = withHeadingAndSelection(this.#view, heading, selection)
    this.#markSelection(selection, by)
  }

  /** Shows where the followed person goes. The linked windows do the same by themselves. */
  #showFollowedView(view: WindowView): void {
    this.#setView({ ...view, n: this.#nextTimestamp() })
    for (const controller of this.#controllers) controller.scrollTo(view, false)
  }

  #setState(changes: Partial<FollowingState>): void {
    const next = { ...this.#state, ...changes }
    const { linked, followed, heading } = this.#state
    if (next.linked === linked && next.followed === followed && isSame(next.heading, heading)) return
    this.#state = next
    this.#listeners.notify()
  }
}

const isSame = (a: TextPosition | null, b: TextPosition | null): boolean => a?.at === b?.at && a?.to === b?.to

function withHeadingAndSelection(
  { heading: _heading, selection: _selection, ...rest }: WindowView,
  heading: TextPosition | null,
  selection: TextPosition | null,
): WindowView {
  return { ...rest, ...(heading && { heading }), ...(selection && { selection }) }
}
