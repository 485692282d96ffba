/** Gives measuring access to this page: its input, its frames, its names. A program in Node has neither input nor frames. */
import { randomId } from '../protocol/ids.ts'
import { realClock } from '../session/clock.ts'
import { latencyFiguresStrings } from '../strings/latency-figures.ts'
import { browserWindowPlatform } from '../window-group/browser-window-platform.ts'
import { deviceId, deviceName } from '../windows/device.ts'
import type { MeasurementPlatform } from './measurement-platform.ts'

const now = (): number => performance.timeOrigin + performance.now()

export const currentPlatform = (): MeasurementPlatform =>
  typeof document === 'undefined' ? programPlatform() : pagePlatform()

const programPlatform = (): MeasurementPlatform => ({
  clock: realClock,
  now,
  afterPaint: (run) => run('hidden'),
  watchInput: () => () => {},
  inputAt: () => undefined,
  window: randomId(),
  browser: randomId(),
  device: latencyFiguresStrings.windows.programDevice,
  name: () => '',
})

function pagePlatform(): MeasurementPlatform {
  const input = new InputTracker()
  return {
    clock: realClock,
    now,
    afterPaint: new PaintObserver().afterPaint,
    watchInput: () => input.watch(),
    inputAt: () => input.at,
    window: browserWindowPlatform()?.own.id ?? randomId(),
    browser: deviceId(() => localStorage),
    device: deviceName(navigator.userAgent),
    name: () => document.title,
  }
}

type PaintCallback = (at: number | 'hidden') => void

/** A page behind another window, or on a screen that is off, may count as visible and yet not be drawn for hours. In ms. */
const NOT_DRAWN_AFTER_MS = 5_000
/** A timer that is this late was held up by the page's own work, and so was its frame. */
const MAX_TIMER_DELAY_MS = 500

/** Uses one browser callback for each frame, however many callers wait for it. */
class PaintObserver {
  readonly #nextFrame: PaintCallback[] = []
  #frame = 0
  #cancelTimeout = () => {}
  /** Callbacks of the frame that is being painted. */
  readonly #currentFrame: PaintCallback[] = []
  readonly #paintedChannel = new MessageChannel()

  constructor() {
    this.#paintedChannel.port1.onmessage = () => {
      const at = now()
      for (const run of this.#currentFrame.splice(0)) run(at)
    }
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#reportHidden()
    })
  }

  readonly afterPaint = (run: PaintCallback): void => {
    if (document.visibilityState === 'hidden') return run('hidden')
    if (this.#nextFrame.push(run) > 1) return
    this.#frame = requestAnimationFrame(this.#onFrame)
    this.#startTimeout()
  }

  #startTimeout(): void {
    const due = performance.now() + NOT_DRAWN_AFTER_MS
    this.#cancelTimeout = realClock.after(NOT_DRAWN_AFTER_MS, () =>
      performance.now() - due > MAX_TIMER_DELAY_MS ? this.#startTimeout() : this.#reportHidden(),
    )
  }

  #reportHidden(): void {
    cancelAnimationFrame(this.#frame)
    this.#cancelTimeout()
    for (const run of this.#nextFrame.splice(0)) run('hidden')
  }

  /** A message sent in a frame's callbacks is received after its painting. Callbacks added before that belong to the next frame. */
  readonly #onFrame = (): void => {
    this.#cancelTimeout()
    this.#currentFrame.push(...this.#nextFrame.splice(0))
    this.#paintedChannel.port2.postMessage(null)
  }
}

const inputEvents = ['keydown', 'beforeinput', 'paste', 'cut', 'drop', 'click'] as const
/** These keys type nothing alone; a person who holds one down is about to press another key. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])
/** An edit made within this time after an event results from it. In ms. */
const MAX_HANDLING_MS = 500
/** An editor reads what the browser typed, on a busy page much later: the first edit after a typing event results from it. */
const MAX_TYPING_DELAY_MS = 5_000
/** Of the events of one input, the first counts. */
const SAME_INPUT_GAP_MS = 50
/** The typing event belongs to the key before it, however long the page is busy in between: a slow page must not look quick. */
const SAME_KEY_GAP_MS = 5_000
const typingEvents = new Set(['beforeinput', 'paste', 'cut'])

class InputTracker {
  /** When the latest input began, and when the last of its events was received, by the page's clock. */
  #latest: { readonly startedAt: number; readonly lastEventAt: number; readonly isKey: boolean } | null = null
  /** An edit is expected from this input, and has not come yet. */
  #isEditExpected = false

  watch(): () => void {
    const end = new AbortController()
    const options = { capture: true, passive: true, signal: end.signal }
    for (const input of inputEvents) window.addEventListener(input, this.#onInput, options)
    return () => {
      end.abort()
      this.#latest = null
    }
  }

  get at(): number | undefined {
    const latest = this.#latest
    const maxGap = this.#isEditExpected ? MAX_TYPING_DELAY_MS : MAX_HANDLING_MS
    this.#isEditExpected = false
    if (!latest || performance.now() - latest.lastEventAt > maxGap) return undefined
    return performance.timeOrigin + latest.startedAt
  }

  readonly #onInput = (event: Event): void => {
    if (!event.isTrusted || ('key' in event && modifiers.has(String(event.key)))) return
    const receivedAt = performance.now()
    const startedAt = this.#continuesLatest(event, receivedAt) ? this.#latest!.startedAt : event.timeStamp
    this.#latest = { startedAt, lastEventAt: receivedAt, isKey: event.type === 'keydown' }
    this.#isEditExpected = typingEvents.has(event.type)
  }

  /** Whether the event belongs to the input before it and is not an input of its own. */
  #continuesLatest({ type }: Event, receivedAt: number): boolean {
    if (!this.#latest || type === 'keydown') return false
    const maxGap = this.#latest.isKey && typingEvents.has(type) ? SAME_KEY_GAP_MS : SAME_INPUT_GAP_MS
    return receivedAt - this.#latest.lastEventAt < maxGap
  }
}
