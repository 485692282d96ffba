/**
 * What a window says about the safety of its text over time. The timers are here and not in React: an effect that sets a state at each
 * acknowledgement would make React render again and again within one key press, and give up after fifty times.
 *
 * Knows statuses and a clock; does not know React.
 */
import { Subscribable } from '@/lib/subscribable.ts'
import type { Clock } from '@/lib/session/clock.ts'
import type { ReadableStore, SyncStatus } from '@/lib/sync/status.ts'
import { isUnsafe, isSameSaveState, saveStateOf, leastSafeOf, type SaveState } from './save-state.ts'

/** In ms. Far above a slow commit on a slow network: beyond it, the server's disk is the likely problem (D3). */
const STALLED_MS = 10_000

/**
 * In ms. "Saved", on the server or on this device, appears this much later than it becomes true, so that it does not flicker between two
 * key presses. It never appears earlier.
 */
const IMPROVEMENT_DELAY_MS = 400

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
  readonly #clock: Pick<Clock, 'after'>
  readonly #listeners = new Subscribable(
    () => this.#startWatching(),
    () => this.#stopWatching(),
  )
  #unsubscribe = noop
  #isDisconnected = false
  #unsaved = 0
  #isStalled = false
  #cancelStall = noop
  /** How many edits were unsaved when the present wait for the device began; null while everything is on it. */
  #deviceMark: number | null = null
  #unsavedOfAll = 0
  #isDeviceBehind = false
  #cancelDeviceWait = noop
  #latestKind: SaveState['kind'] = 'loading'
  /** The worse state, which stays on screen for a while after the state improved. */
  #heldState: SaveState | null = null
  #cancelImprovement = noop
  #shown: SaveState

  /** @param otherStatuses The statuses of the documents that the window shows beside its own. */
  constructor(
    status: ReadableStore<SyncStatus>,
    otherStatuses: ReadableStore<readonly SyncStatus[]>,
    clock: Pick<Clock, 'after'>,
  ) {
    this.#status = status
    this.#otherStatuses = otherStatuses
    this.#clock = clock
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
    this.#cancelStall()
    this.#stopDeviceWait()
    this.#cancelImprovement()
    // The next listener starts from the beginning.
    this.#unsaved = 0
    this.#isStalled = false
    this.#latestKind = 'loading'
    this.#heldState = null
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
    this.#cancelStall()
    this.#isStalled = false
    if (unsaved === 0) return
    this.#cancelStall = this.#clock.after(STALLED_MS, () => {
      this.#isStalled = true
      this.#update()
    })
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
    this.#stopDeviceWait()
    this.#deviceMark = this.#countEdits().unsaved
    this.#waitForDevice(this.#deviceMark, DEVICE_TURNS)
  }

  #waitForDevice(mark: number, turns: number): void {
    this.#cancelDeviceWait = this.#clock.after(DEVICE_TURN_MS, () => {
      if (turns > 1) return this.#waitForDevice(mark, turns - 1)
      this.#isDeviceBehind = this.#hasUnstoredBefore(mark)
      if (this.#isDeviceBehind) this.#update()
      else this.#startDeviceWait()
    })
  }

  #stopDeviceWait(): void {
    this.#cancelDeviceWait()
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
    this.#cancelImprovement()
    if (state.kind === 'loading') this.#heldState = null
    else if (this.#heldState && !isUnsafe(state))
      this.#cancelImprovement = this.#clock.after(IMPROVEMENT_DELAY_MS, () => {
        this.#heldState = null
        this.#update()
      })
  }
}
