/**
 * Watches whether panels in windows of their own are still there. The layout stores that a panel is detached; whether its window lives
 * has to be observed. Knows no windows: callers say which panels are live.
 *
 *   expected ──▶ live ──▶ leaving ──1.5 s──▶ gone     (a window that reloads is back by then)
 *   unseen ────▶ live
 *      └─1.5 s─▶ lost: remembered from an earlier visit, offered to be opened again
 */
import type { Clock } from '../session/clock.ts'
import type { PanelId } from './panels.ts'

/** A window that reloads needs less, as does another page to find the windows that are there. In ms. */
const RELOAD_GRACE_MS = 1_500

/** A window that this one has opened may load slowly: meanwhile its panel stays detached. In ms. */
const OPENING_MS = 15_000

type DetachedState = 'expected' | 'unseen' | 'live' | 'leaving' | 'lost'

interface WatchedPanel {
  readonly state: DetachedState
  cancel(): void
}

interface DetachedPanelHandlers {
  /** The window is gone for good: the panel docks again where it stood beside the text, or goes with its window. */
  onWindowGone(panel: PanelId): void
  onChange(): void
}

export class DetachedPanelWatch {
  readonly #clock: Clock
  readonly #handlers: DetachedPanelHandlers
  readonly #watched = new Map<PanelId, WatchedPanel>()
  readonly #expected = new Set<PanelId>()
  #lost: readonly PanelId[] = []

  constructor(clock: Clock, handlers: DetachedPanelHandlers) {
    this.#clock = clock
    this.#handlers = handlers
  }

  /** This window opens the panel now. */
  expectWindow(panel: PanelId): void {
    this.#expected.add(panel)
    this.#unwatch(panel)
  }

  /** Panels that are detached but in no window that could be found. The same list until something changes. */
  get lost(): readonly PanelId[] {
    return this.#lost
  }

  /** @param detached As the layout remembers it. @param live The panels whose windows are there now. */
  update(detached: readonly PanelId[], live: ReadonlySet<PanelId>): void {
    for (const panel of this.#watched.keys()) if (!detached.includes(panel)) this.#unwatch(panel)
    for (const panel of detached) this.#updatePanel(panel, live.has(panel))
    this.#updateLost()
  }

  close(): void {
    for (const panel of this.#watched.keys()) this.#unwatch(panel)
  }

  #updatePanel(panel: PanelId, isLive: boolean): void {
    const state = this.#watched.get(panel)?.state
    if (isLive) {
      this.#expected.delete(panel)
      if (state !== 'live') this.#setState(panel, 'live')
    } else if (state === 'live')
      this.#setState(panel, 'leaving', RELOAD_GRACE_MS, () => this.#onWindowGone(panel))
    else if (state === undefined && this.#expected.has(panel))
      this.#setState(panel, 'expected', OPENING_MS, () => this.#onWindowGone(panel))
    else if (state === undefined)
      this.#setState(panel, 'unseen', RELOAD_GRACE_MS, () => this.#onWindowLost(panel))
  }

  #setState(panel: PanelId, state: DetachedState, ms = 0, onTimeout?: () => void): void {
    this.#watched.get(panel)?.cancel()
    const cancel = onTimeout ? this.#clock.after(ms, onTimeout) : () => {}
    this.#watched.set(panel, { state, cancel })
  }

  #onWindowGone(panel: PanelId): void {
    this.#expected.delete(panel)
    this.#unwatch(panel)
    this.#handlers.onWindowGone(panel)
  }

  #onWindowLost(panel: PanelId): void {
    this.#setState(panel, 'lost')
    this.#updateLost()
    this.#handlers.onChange()
  }

  #unwatch(panel: PanelId): void {
    this.#watched.get(panel)?.cancel()
    this.#watched.delete(panel)
  }

  #updateLost(): void {
    const lost = [...this.#watched].flatMap(([panel, { state }]) => (state === 'lost' ? [panel] : []))
    if (lost.join() !== this.#lost.join()) this.#lost = lost
  }
}
