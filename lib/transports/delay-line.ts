/** One direction of a simulated link: what enters comes out later, in order (T2). */
import type { Clock } from '../session/clock.ts'
import type { Conditions } from './conditions.ts'
import { HANDED, HIGH_WATER_BYTES } from './link.ts'
import { givenUp } from './opening.ts'

interface Held {
  readonly due: number
  readonly bytes: number
  readonly pass: () => unknown
}

export class DelayLine {
  readonly #clock: Clock
  readonly #conditions: () => Conditions
  #held: Held[] = []
  #bytes = 0
  #room: PromiseWithResolvers<void> | undefined
  #cancel = () => {}
  /** What is on its way ends with it: silence no longer counts. */
  #leaving = false

  /** @param conditions Asked anew for each frame. */
  constructor(clock: Clock, conditions: () => Conditions) {
    this.#clock = clock
    this.#conditions = conditions
  }

  /** @returns As `Link.send` does: resolved at once while little waits. */
  push(bytes: number, pass: () => Promise<void> | void): Promise<void> {
    const due = this.#due()
    if (this.#held.length === 0 && !this.#silent && due <= this.#clock.now()) return pass() ?? HANDED
    this.#held.push({ due, bytes, pass })
    this.#bytes += bytes
    if (this.#held.length === 1) this.flush()
    return this.#bytes > HIGH_WATER_BYTES ? (this.#room ??= Promise.withResolvers()).promise : HANDED
  }

  /** Resolves when something sent now would have arrived. @throws {TransportError} when it is given up meanwhile. */
  passage(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(givenUp(signal))
      signal.addEventListener('abort', () => reject(givenUp(signal)), { once: true })
      void this.push(0, resolve)
    })
  }

  /** Lets out what is due. To be called when the conditions have changed, too. */
  flush(): void {
    this.#cancel()
    while (!this.#silent && this.#held.length > 0 && this.#held[0]!.due <= this.#clock.now()) {
      const { bytes, pass } = this.#held.shift()!
      this.#bytes -= bytes
      pass()
    }
    if (this.#bytes <= HIGH_WATER_BYTES) this.#makeRoom()
    const [next] = this.#held
    if (!next || this.#silent) return
    this.#cancel = this.#clock.after(Math.max(0, next.due - this.#clock.now()), () => this.flush())
  }

  leave(): void {
    this.#leaving = true
    this.flush()
  }

  clear(): void {
    this.#cancel()
    this.#held = []
    this.#bytes = 0
    this.#makeRoom()
  }

  get #silent(): boolean {
    return this.#conditions().silent && !this.#leaving
  }

  /** What is due sooner than those before it waits for them all the same. */
  #due(): number {
    const { delayMs, jitterMs } = this.#conditions()
    return this.#clock.now() + delayMs + jitterMs * this.#clock.random()
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}
