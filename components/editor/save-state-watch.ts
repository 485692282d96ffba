/**
 * What a window says about the safety of its text as time goes by. The timers stand here and not in React: an effect that set a state
 * with each acknowledgement would have React render again and again within one key, and give up after fifty times.
 *
 * Knows statuses and a clock; does not know React.
 */
import { notifyAll } from '@/lib/notify-all.ts'
import type { Clock } from '@/lib/session/clock.ts'
import type { Readable, Status } from '@/lib/sync/status.ts'
import { isUnsafe, isSame, saveStateOf, worstOf, type SaveState } from './save-state.ts'

/** Far above a slow commit on a slow network: past it the server's disk is the likely trouble (D3). In ms. */
const STALLED_MS = 10_000

/** "Saved", here or there, appears this much later than it is true, in ms, so that it does not flicker between two keys. Never earlier. */
const CALM_MS = 400

const none = (): void => {}

export class SaveStateWatch {
  readonly #status: Readable<Status>
  readonly #others: Readable<readonly Status[]>
  readonly #clock: Pick<Clock, 'after'>
  readonly #listeners = new Set<() => void>()
  #stop = none
  #cutOff = false
  #unsaved = 0
  #stalled = false
  #cancelStall = none
  #kind: SaveState['kind'] = 'loading'
  /** Shown for a while after it got better. */
  #worse: SaveState | null = null
  #cancelCalm = none
  #shown: SaveState

  /** @param others Of the documents that the window shows beside its own. */
  constructor(status: Readable<Status>, others: Readable<readonly Status[]>, clock: Pick<Clock, 'after'>) {
    this.#status = status
    this.#others = others
    this.#clock = clock
    this.#shown = this.#read()
  }

  get = (): SaveState => this.#shown

  subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#start()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#end()
    }
  }

  /** @param cutOff There is no link for longer than the grace. */
  setCutOff(cutOff: boolean): void {
    this.#cutOff = cutOff
    this.#look()
  }

  #start(): void {
    const stops = [this.#status.subscribe(this.#look), this.#others.subscribe(this.#look)]
    this.#stop = () => stops.forEach((stop) => stop())
    this.#look()
  }

  #end(): void {
    this.#stop()
    this.#cancelStall()
    this.#cancelCalm()
    // Whoever listens next begins anew.
    this.#unsaved = 0
    this.#stalled = false
    this.#kind = 'loading'
    this.#worse = null
  }

  readonly #look = (): void => {
    this.#watchProgress(this.#status.get().unsaved)
    const state = this.#read()
    this.#calm(state)
    // A link that is gone sends nothing, however short the time.
    const isOver = this.#worse?.kind === 'sending' && state.kind === 'on-device'
    const shown = isUnsafe(state) || state.kind === 'loading' || isOver ? state : (this.#worse ?? state)
    if (isSame(shown, this.#shown)) return
    this.#shown = shown
    notifyAll(this.#listeners)
  }

  #read(): SaveState {
    const [cutOff, stalled] = [this.#cutOff, this.#stalled]
    const own = saveStateOf(this.#status.get(), { cutOff, stalled })
    const others = this.#others.get().map((other) => saveStateOf(other, { cutOff, stalled: false }))
    return worstOf([own, ...others])
  }

  /** Stalled: unsaved for long, and nothing was acknowledged meanwhile. */
  #watchProgress(unsaved: number): void {
    const before = this.#unsaved
    this.#unsaved = unsaved
    if (unsaved >= before && before > 0) return
    this.#cancelStall()
    this.#stalled = false
    if (unsaved === 0) return
    this.#cancelStall = this.#clock.after(STALLED_MS, () => {
      this.#stalled = true
      this.#look()
    })
  }

  /** What is better than it was is shown once it has lasted; what is worse at once. */
  #calm(state: SaveState): void {
    const isOther = state.kind !== this.#kind
    this.#kind = state.kind
    if (isUnsafe(state)) this.#worse = state
    if (!isOther) return
    this.#cancelCalm()
    if (state.kind === 'loading') this.#worse = null
    else if (this.#worse && !isUnsafe(state))
      this.#cancelCalm = this.#clock.after(CALM_MS, () => {
        this.#worse = null
        this.#look()
      })
  }
}
