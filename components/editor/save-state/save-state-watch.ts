/**
 * What a window says about the safety of its text over time. The timers are here and not in React: an effect that sets a state at each
 * acknowledgement would make React render again and again within one key press, and give up after fifty times.
 *
 * Knows statuses and a clock; does not know React.
 */
import { Subscribable } from '@/lib/subscribable.ts'
import type { Clock } from '@/lib/session/clock.ts'
import { Deadline } from '@/lib/session/deadline.ts'
import type { ReadableStore, SyncStatus } from '@/lib/sync/status.ts'
import { isUnsafe, isSameSaveState, saveStateOf, leastSafeOf, type SaveState } from './save-state.ts'

/** In ms. Far above a slow commit on a slow network: beyond it, the server's disk is the likely problem (D3). */
const STALLED_MS = 10_000

/**
 * In ms. "Saved", on the server or on this device, appears this much later than it becomes true, so that it does not flicker between two
 * key presses. It never appears earlier.
 */
const IMPROVEMENT_DELAY_MS = 400

/** In ms. How many changes are being sent is shown anew this often, and not with each key. */
const COUNT_INTERVAL_MS = 1_000

/**
 * Text is on the device a frame after its key, and a slow disk takes some tens of ms; what takes longer than five turns of 50 ms counts as
 * not saved. A page that stands still for seconds learns late of what was written: its pause is one turn.
 */
const DEVICE_TURN_MS = 50
const DEVICE_TURNS = 5

const noop = (): void => {}

export class SaveStateWatch {
  readonly #status: ReadableStore<SyncStatus>
  readonly #otherStatuses: ReadableStore<readonly SyncStatus[]>
  readonly #clock: Pick<Clock, 'now' | 'after'>
  readonly #listeners = new Subscribable(
    () => this.#startWatching(),
    () => this.#stopWatching(),
  )
  #unsubscribe = noop
  #isDisconnected = false
  #unsaved = 0
  #isStalled = false
  readonly #stall: Deadline
  /** How many edits were unsaved when the present wait for the device began; null while everything is on it. */
  #deviceMark: number | null = null
  #unsavedOfAll = 0
  #isDeviceBehind = false
  /** Until the device is behind: the turn that is under way and those after it. */
  #deviceTurns = 0
  #cancelDeviceTurn: (() => void) | null = null
  #latestKind: SaveState['kind'] = 'loading'
  /** The worse state, which stays on screen for a while after the state improved. */
  #heldState: SaveState | null = null
  readonly #improvement: Deadline
  /** The number of changes on screen was written less than an interval ago. */
  #isCountNew = false
  readonly #newCount: Deadline
  #shown: SaveState

  /** @param otherStatuses The statuses of the documents that the window shows beside its own. */
  constructor(
    status: ReadableStore<SyncStatus>,
    otherStatuses: ReadableStore<readonly SyncStatus[]>,
    clock: Pick<Clock, 'now' | 'after'>,
  ) {
    this.#status = status
    this.#otherStatuses = otherStatuses
    this.#clock = clock
    this.#stall = new Deadline(clock, () => {
      this.#isStalled = true
      this.#update()
    })
    this.#improvement = new Deadline(clock, () => {
      this.#heldState = null
      this.#update()
    })
    this.#newCount = new Deadline(clock, () => {
      this.#isCountNew = false
      this.#update()
    })
    this.#shown = this.#readState()
  }

  get = (): SaveState => this.#shown

  readonly subscribe = this.#listeners.subscribe

  /** @param isDisconnected There has been no link for longer than the grace period. */
  setDisconnected(isDisconnected: boolean): void {
    this.#isDisconnected = isDisconnected
    this.#update()
  }

  #startWatching(): void {
    const stops = [this.#status.subscribe(this.#update), this.#otherStatuses.subscribe(this.#update)]
    this.#unsubscribe = () => stops.forEach((stop) => stop())
    this.#update()
  }

  #stopWatching(): void {
    this.#unsubscribe()
    this.#stall.stop()
    this.#stopDeviceWait()
    this.#cancelDeviceTurn?.()
    this.#cancelDeviceTurn = null
    this.#improvement.stop()
    this.#newCount.stop()
    // The next listener starts from the beginning.
    this.#unsaved = 0
    this.#isStalled = false
    this.#latestKind = 'loading'
    this.#heldState = null
    this.#isCountNew = false
  }

  readonly #update = (): void => {
    this.#watchProgress(this.#status.get().unsaved)
    this.#watchDevice()
    const state = this.#readState()
    this.#delayImprovement(state)
    // Without a link nothing is being sent, however short the interruption.
    const isSendingEnded = this.#heldState?.kind === 'sending' && state.kind === 'on-device'
    const shown =
      isUnsafe(state) || state.kind === 'loading' || isSendingEnded ? state : (this.#heldState ?? state)
    if (isSameSaveState(shown, this.#shown)) return
    if (shown.kind === 'sending' && this.#shown.kind === 'sending' && this.#isCountNew) return
    this.#isCountNew = shown.kind === 'sending'
    if (this.#isCountNew) this.#newCount.set(COUNT_INTERVAL_MS)
    this.#shown = shown
    this.#listeners.notify()
  }

  #readState(): SaveState {
    const delays = {
      isDisconnected: this.#isDisconnected,
      isStalled: this.#isStalled,
      isDeviceBehind: this.#isDeviceBehind,
    }
    const own = saveStateOf(this.#status.get(), delays)
    const otherStates = this.#otherStatuses
      .get()
      .map((other) => saveStateOf(other, { ...delays, isStalled: false }))
    return leastSafeOf([own, ...otherStates])
  }

  /** The state is stalled if edits were unsaved for long and nothing was acknowledged meanwhile. */
  #watchProgress(unsaved: number): void {
    const before = this.#unsaved
    this.#unsaved = unsaved
    if (unsaved >= before && before > 0) return
    this.#isStalled = false
    if (unsaved === 0) this.#stall.clear()
    else this.#stall.set(STALLED_MS)
  }

  /**
   * The device is behind if edits that were unstored at one time still are so long after it. An acknowledgement starts the wait anew: it
   * takes edits out of the count that the mark belongs to.
   */
  #watchDevice(): void {
    const { unsaved, unstored } = this.#countEdits()
    const hasFewer = unsaved < this.#unsavedOfAll
    this.#unsavedOfAll = unsaved
    if (unstored === 0) this.#stopDeviceWait()
    else if (
      this.#deviceMark === null ||
      hasFewer ||
      (this.#isDeviceBehind && !this.#hasUnstoredBefore(this.#deviceMark))
    )
      this.#startDeviceWait()
  }

  #startDeviceWait(): void {
    this.#isDeviceBehind = false
    this.#deviceMark = this.#countEdits().unsaved
    this.#deviceTurns = this.#cancelDeviceTurn ? DEVICE_TURNS + 1 : DEVICE_TURNS
    if (!this.#cancelDeviceTurn) this.#startDeviceTurn()
  }

  #startDeviceTurn(): void {
    this.#cancelDeviceTurn = this.#clock.after(DEVICE_TURN_MS, () => {
      this.#cancelDeviceTurn = null
      if (this.#deviceMark === null) return
      this.#deviceTurns -= 1
      if (this.#deviceTurns > 0) return this.#startDeviceTurn()
      this.#isDeviceBehind = this.#hasUnstoredBefore(this.#deviceMark)
      if (this.#isDeviceBehind) this.#update()
      else this.#startDeviceWait()
    })
  }

  /** The turn that is under way ends by itself: with the next key there would be another. */
  #stopDeviceWait(): void {
    this.#deviceMark = null
    this.#isDeviceBehind = false
  }

  /** Each edit made since the mark is unsaved; what is unstored beyond these is older. */
  #hasUnstoredBefore(mark: number): boolean {
    const { unsaved, unstored } = this.#countEdits()
    return unstored > unsaved - mark
  }

  #countEdits() {
    const statuses = [this.#status.get(), ...this.#otherStatuses.get()]
    return {
      unsaved: statuses.reduce((sum, { unsaved }) => sum + unsaved, 0),
      unstored: statuses.reduce((sum, { unstored }) => sum + unstored, 0),
    }
  }

  /** Shows a better state once it has lasted; a worse one is shown at once. */
  #delayImprovement(state: SaveState): void {
    const isNewKind = state.kind !== this.#latestKind
    this.#latestKind = state.kind
    if (isUnsafe(state)) this.#heldState = state
    if (!isNewKind) return
    this.#improvement.clear()
    if (state.kind === 'loading') this.#heldState = null
    else if (this.#heldState && !isUnsafe(state)) this.#improvement.set(IMPROVEMENT_DELAY_MS)
  }
}
