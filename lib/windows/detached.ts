/**
 * Whether panels that stand in windows of their own are still there. That a panel is detached is remembered; whether its window
 * lives is seen. Knows no windows: it is told which panels are live.
 *
 *   expected ──▶ live ──▶ leaving ──1.5 s──▶ gone     (a window that reloads is back by then)
 *   unseen ────▶ live
 *      └─1.5 s─▶ lost: remembered from an earlier visit, offered to be opened again
 */
import type { Clock } from '../session/clock.ts'
import type { PanelId } from './panels.ts'

/** A window that reloads, or another page that meets the windows which are there, needs less. In ms. */
const GRACE_MS = 1_500

/** A window that this one has opened may load slowly: meanwhile its place is kept. In ms. */
const OPENING_MS = 15_000

type State = 'expected' | 'unseen' | 'live' | 'leaving' | 'lost'

interface Watched {
  readonly state: State
  cancel(): void
}

interface Listeners {
  /** Its window is gone for good: the panel docks again where it stood beside the text. */
  onGone(panel: PanelId): void
  onChange(): void
}

export class DetachedWatch {
  readonly #clock: Clock
  readonly #listeners: Listeners
  readonly #watched = new Map<PanelId, Watched>()
  readonly #expected = new Set<PanelId>()
  #lost: readonly PanelId[] = []

  constructor(clock: Clock, listeners: Listeners) {
    this.#clock = clock
    this.#listeners = listeners
  }

  /** This window opens it now. */
  expect(panel: PanelId): void {
    this.#expected.add(panel)
    this.#forget(panel)
  }

  /** Detached, and in no window that could be found. The same list until something changes. */
  get lost(): readonly PanelId[] {
    return this.#lost
  }

  /** @param detached As the layout remembers it. @param live Those whose windows are there now. */
  update(detached: readonly PanelId[], live: ReadonlySet<PanelId>): void {
    for (const panel of this.#watched.keys()) if (!detached.includes(panel)) this.#forget(panel)
    for (const panel of detached) this.#see(panel, live.has(panel))
    this.#listLost()
  }

  close(): void {
    for (const panel of this.#watched.keys()) this.#forget(panel)
  }

  #see(panel: PanelId, isLive: boolean): void {
    const state = this.#watched.get(panel)?.state
    if (isLive) {
      this.#expected.delete(panel)
      if (state !== 'live') this.#enter(panel, 'live')
    } else if (state === 'live') this.#enter(panel, 'leaving', GRACE_MS, () => this.#gone(panel))
    else if (state === undefined && this.#expected.has(panel))
      this.#enter(panel, 'expected', OPENING_MS, () => this.#gone(panel))
    else if (state === undefined) this.#enter(panel, 'unseen', GRACE_MS, () => this.#lose(panel))
  }

  #enter(panel: PanelId, state: State, ms = 0, then?: () => void): void {
    this.#watched.get(panel)?.cancel()
    const cancel = then ? this.#clock.after(ms, then) : () => {}
    this.#watched.set(panel, { state, cancel })
  }

  #gone(panel: PanelId): void {
    this.#expected.delete(panel)
    this.#forget(panel)
    this.#listeners.onGone(panel)
  }

  #lose(panel: PanelId): void {
    this.#enter(panel, 'lost')
    this.#listLost()
    this.#listeners.onChange()
  }

  #forget(panel: PanelId): void {
    this.#watched.get(panel)?.cancel()
    this.#watched.delete(panel)
  }

  #listLost(): void {
    const now = [...this.#watched].flatMap(([panel, { state }]) => (state === 'lost' ? [panel] : []))
    if (now.join() !== this.#lost.join()) this.#lost = now
  }
}
