/** Pings the other side in time (S7), and measures the round trip. The session decides what goes out on which link. */
import type { Clock } from './clock.ts'
import { Liveness, livenessTiming } from './liveness.ts'

export interface HeartbeatOptions {
  readonly clock: Clock
  /** How long an answer may take at the moment. */
  answerMs(): number
  /** Sends a ping. Returns false if there is no link. */
  ping(token: number): boolean
  onDead(): void
}

export class Heartbeat {
  readonly #options: HeartbeatOptions
  readonly #clock: Clock
  readonly #liveness: Liveness
  #lastPing = { token: 0, at: 0 }
  #cancelCheck = () => {}
  #cancelAnswer: (() => void) | null = null

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#clock = options.clock
    this.#liveness = new Liveness(options.clock.now())
  }

  start(): void {
    this.#cancelCheck = this.#clock.after(livenessTiming.checkMs, () => {
      this.start()
      this.#check(Math.max(livenessTiming.answerMs, this.#options.answerMs()))
    })
  }

  stop(): void {
    this.#cancelCheck()
    this.#cancelAnswer?.()
  }

  onReceived(): void {
    this.#cancelAnswer?.()
    this.#cancelAnswer = null
    this.#liveness.onReceived(this.#clock.now())
  }

  /** Pings at once, for a link in doubt: the answer is due after the shortest time the network allows (S5). */
  pingNow(): void {
    if (this.#cancelAnswer || !this.#ping()) return
    this.#liveness.onPing(this.#clock.now())
    const answerMs = this.#options.answerMs()
    this.#cancelAnswer = this.#clock.after(answerMs + 1, () => {
      this.#cancelAnswer = null
      this.#check(answerMs)
    })
  }

  /** Milliseconds since the ping with this token; undefined if that was not the latest. */
  roundTripOf(token: number): number | undefined {
    return token === this.#lastPing.token ? this.#clock.now() - this.#lastPing.at : undefined
  }

  #check(answerMs: number): void {
    const verdict = this.#liveness.check(this.#clock.now(), answerMs)
    if (verdict === 'ask') this.#ping()
    if (verdict === 'dead') this.#options.onDead()
  }

  #ping(): boolean {
    this.#lastPing = { token: this.#lastPing.token + 1, at: this.#clock.now() }
    return this.#options.ping(this.#lastPing.token)
  }
}
