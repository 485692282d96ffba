/**
 * Whether the last that was said is lost although the link lives, as where a proxy drops a piece of a stream: no later number shows
 * the gap. A link keeps its order (T2), so a pong proves that what was said before its ping came, or never will.
 *
 *   unconfirmed at two checks ──ask──▶ pong ──still unconfirmed at the next check──▶ say it again
 */
export class LostMessageDetection {
  #oldest: number | undefined
  #ping: { readonly token: number; answered: boolean } | null = null

  /** @param oldest The number that waits longest for its confirmation. */
  check(oldest: number | undefined): 'fine' | 'ask' | 'repeat' {
    if (oldest === undefined || oldest !== this.#oldest) {
      this.#oldest = oldest
      this.#ping = null
      return 'fine'
    }
    if (!this.#ping) return 'ask'
    if (!this.#ping.answered) return 'fine'
    this.#ping = null
    return 'repeat'
  }

  onPing(token: number): void {
    this.#ping = { token, answered: false }
  }

  onPong(token: number): void {
    if (this.#ping?.token === token) this.#ping.answered = true
  }

  /** Another link: all that is unconfirmed is said on it anyway. */
  reset(): void {
    this.#oldest = undefined
    this.#ping = null
  }
}
