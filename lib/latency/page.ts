/** This page as what measures: its input, its frames, its names. A program in Node has neither input nor frames. */
import { randomId } from '../protocol/ids.ts'
import { realClock } from '../session/clock.ts'
import { strings } from '../strings/latency-figures.ts'
import { browserNeighbours } from '../sync/browser-window.ts'
import { deviceId, deviceName } from '../windows/device.ts'
import type { Powers } from './powers.ts'

const now = (): number => performance.timeOrigin + performance.now()

export const powersHere = (): Powers => (typeof document === 'undefined' ? program() : page())

const program = (): Powers => ({
  clock: realClock,
  now,
  afterPaint: (run) => run('hidden'),
  watchInput: () => () => {},
  inputAt: () => undefined,
  window: randomId(),
  browser: randomId(),
  device: strings.windows.programDevice,
  name: () => '',
})

function page(): Powers {
  const input = new Input()
  return {
    clock: realClock,
    now,
    afterPaint: new Frames().after,
    watchInput: () => input.watch(),
    inputAt: () => input.at,
    window: browserNeighbours()?.own.id ?? randomId(),
    browser: deviceId(() => localStorage),
    device: deviceName(navigator.userAgent),
    name: () => document.title,
  }
}

type Waiting = (at: number | 'hidden') => void

/** A page behind another window, or on a screen that is off, may count as visible and yet not be drawn for hours. In ms. */
const UNDRAWN_MS = 5_000
/** A timer that comes so late was held up by the page's own work, and so was its frame. */
const BUSY_MS = 500

/** One callback of the browser a frame, however many wait for it. */
class Frames {
  readonly #waiting: Waiting[] = []
  #frame = 0
  #cancelDoubt = () => {}
  /** In a frame that is being painted. */
  readonly #drawn: Waiting[] = []
  readonly #painted = new MessageChannel()

  constructor() {
    this.#painted.port1.onmessage = () => {
      const at = now()
      for (const run of this.#drawn.splice(0)) run(at)
    }
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#undrawn()
    })
  }

  readonly after = (run: Waiting): void => {
    if (document.visibilityState === 'hidden') return run('hidden')
    if (this.#waiting.push(run) > 1) return
    this.#frame = requestAnimationFrame(this.#draw)
    this.#doubt()
  }

  #doubt(): void {
    const due = performance.now() + UNDRAWN_MS
    this.#cancelDoubt = realClock.after(UNDRAWN_MS, () =>
      performance.now() - due > BUSY_MS ? this.#doubt() : this.#undrawn(),
    )
  }

  #undrawn(): void {
    cancelAnimationFrame(this.#frame)
    this.#cancelDoubt()
    for (const run of this.#waiting.splice(0)) run('hidden')
  }

  /** A message sent in a frame's callbacks is heard behind its painting: what comes before it is heard is of the next frame. */
  readonly #draw = (): void => {
    this.#cancelDoubt()
    this.#drawn.push(...this.#waiting.splice(0))
    this.#painted.port2.postMessage(null)
  }
}

const inputs = ['keydown', 'beforeinput', 'paste', 'cut', 'drop', 'click'] as const
/** Alone they type nothing; whoever holds one down is about to press another key. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])
/** What is made a moment after an event comes of it. In ms. */
const HANDLED_MS = 500
/** An editor reads what the browser typed, on a busy page much later: the first edit behind it is that. */
const PROMISED_MS = 5_000
/** Of one input's events the first counts. */
const SAME_INPUT_MS = 50
/** What a key types comes right behind it, however long the page is busy between: a slow page is not to look quick. */
const SAME_KEY_MS = 5_000
const typed = new Set(['beforeinput', 'paste', 'cut'])

class Input {
  /** By the page's clock: when it began, and when the latest of its events was heard. */
  #latest: { readonly began: number; readonly heard: number; readonly isKey: boolean } | null = null
  /** An edit comes of it, and has not come yet. */
  #promised = false

  watch(): () => void {
    const end = new AbortController()
    const options = { capture: true, passive: true, signal: end.signal }
    for (const input of inputs) window.addEventListener(input, this.#hear, options)
    return () => {
      end.abort()
      this.#latest = null
    }
  }

  get at(): number | undefined {
    const latest = this.#latest
    const patience = this.#promised ? PROMISED_MS : HANDLED_MS
    this.#promised = false
    if (!latest || performance.now() - latest.heard > patience) return undefined
    return performance.timeOrigin + latest.began
  }

  readonly #hear = (event: Event): void => {
    if (!event.isTrusted || ('key' in event && modifiers.has(String(event.key)))) return
    const heard = performance.now()
    const began = this.#isMore(event, heard) ? this.#latest!.began : event.timeStamp
    this.#latest = { began, heard, isKey: event.type === 'keydown' }
    this.#promised = typed.has(event.type)
  }

  /** Of what began before, and not an input of its own. */
  #isMore({ type }: Event, heard: number): boolean {
    if (!this.#latest || type === 'keydown') return false
    const patience = this.#latest.isKey && typed.has(type) ? SAME_KEY_MS : SAME_INPUT_MS
    return heard - this.#latest.heard < patience
  }
}
