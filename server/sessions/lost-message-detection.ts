/**
 * Detects that the last messages were lost although the link lives, for example if a proxy drops a piece of a stream: no later number
 * shows the gap. A link keeps its order (T2), so a pong proves that what was sent before its ping arrived, or never will.
 *
 *   unacknowledged at two checks ──ask──▶ pong ──still unacknowledged at the next check──▶ repeat
 */
export class LostMessageDetection {
  #oldest: number | undefined
  #ping: { readonly token: number; answered: boolean } | null = null

  /** @param oldest The number that has waited longest for its acknowledgement. */
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

  /** Called for a new link, on which all unacknowledged messages are sent anyway. */
  reset(): void {
    this.#oldest = undefined
    this.#ping = null
  }
}
