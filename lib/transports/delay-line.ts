/** One direction of a simulated link: frames come out later, in the order in which they entered (T2). */
import type { Clock } from '../session/clock.ts'
import type { NetworkConditions } from './network-conditions.ts'
import { SENT, HIGH_WATER_BYTES } from './link.ts'
import { abortedOpening } from './opening.ts'

interface DelayedItem {
  readonly dueAt: number
  readonly bytes: number
  readonly deliver: () => unknown
}

export class DelayLine {
  readonly #clock: Clock
  readonly #conditions: () => NetworkConditions
  #queue: DelayedItem[] = []
  #bytes = 0
  #room: PromiseWithResolvers<void> | undefined
  #cancel = () => {}
  /** The link is closing: silence no longer holds back what is on its way. */
  #ignoresSilence = false

  /** @param conditions Called anew for each frame. */
  constructor(clock: Clock, conditions: () => NetworkConditions) {
    this.#clock = clock
    this.#conditions = conditions
  }

  /** @returns A promise like that of `Link.send`: resolved at once while little waits. */
  push(bytes: number, deliver: () => Promise<void> | void): Promise<void> {
    const dueAt = this.#nextDueTime()
    if (this.#queue.length === 0 && !this.#isSilent && dueAt <= this.#clock.now()) return deliver() ?? SENT
    this.#queue.push({ dueAt, bytes, deliver })
    this.#bytes += bytes
    if (this.#queue.length === 1) this.flush()
    return this.#bytes > HIGH_WATER_BYTES ? (this.#room ??= Promise.withResolvers()).promise : SENT
  }

  /** Resolves when a frame sent now would have arrived. @throws {TransportError} when the opening is given up meanwhile. */
  waitForTransit(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(abortedOpening(signal))
      signal.addEventListener('abort', () => reject(abortedOpening(signal)), { once: true })
      void this.push(0, resolve)
    })
  }

  /** Delivers what is due. It must also be called when the conditions have changed. */
  flush(): void {
    this.#cancel()
    while (!this.#isSilent && this.#queue.length > 0 && this.#queue[0]!.dueAt <= this.#clock.now()) {
      const { bytes, deliver } = this.#queue.shift()!
      this.#bytes -= bytes
      deliver()
    }
    if (this.#bytes <= HIGH_WATER_BYTES) this.#makeRoom()
    const [next] = this.#queue
    if (!next || this.#isSilent) return
    this.#cancel = this.#clock.after(Math.max(0, next.dueAt - this.#clock.now()), () => this.flush())
  }

  ignoreSilence(): void {
    this.#ignoresSilence = true
    this.flush()
  }

  clear(): void {
    this.#cancel()
    this.#queue = []
    this.#bytes = 0
    this.#makeRoom()
  }

  get #isSilent(): boolean {
    return this.#conditions().silent && !this.#ignoresSilence
  }

  /** A frame may be due sooner than those before it. It waits for them all the same. */
  #nextDueTime(): number {
    const { delayMs, jitterMs } = this.#conditions()
    return this.#clock.now() + delayMs + jitterMs * this.#clock.random()
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}
