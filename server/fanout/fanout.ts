/**
 * Messages between the nodes of one service: one interface, one contract suite over each implementation. A topic is a name that two
 * nodes agree on; a message is bytes. What is delivered is a hint: it may be lost, repeated, or arrive in another order, and whoever
 * needs certainty reads the log (docs/PROTOCOL.md, D10). Knows nothing of documents.
 */

/**
 * Every medium carries a message of so many bytes, in a topic of up to 70 letters. What is longer has a brief, or comes in pieces: a
 * message that a medium never carries is an interruption for all others, and whoever answers that with the same message begins a loop.
 */
export const SMALL_MESSAGE_BYTES = 5_800

export interface FanoutListener {
  /** Called with what another node published; never with this node's own messages. */
  onMessage(message: Uint8Array): void
  /**
   * Called when messages may have been lost: each time that the connection was away and the topic is subscribed again, and when
   * another medium took over.
   */
  onInterrupted(): void
}

export interface FanoutSubscription {
  /** Resolves when what is published from now on arrives. Never rejects: while the medium is away it stays pending. */
  readonly ready: Promise<void>
  end(): void
}

/** Which medium carries messages now: the preferred one, the slower one that stands in for it, or none. */
export type FanoutStatus = 'connected' | 'degraded' | 'disconnected'

export interface Fanout {
  readonly status: FanoutStatus
  /**
   * Sends without waiting. While no medium is there, or for a message that it cannot carry, nothing is sent: that is a lost message.
   * @param brief Sent in its place where the medium cannot carry a message of that length.
   */
  publish(topic: string, message: Uint8Array, brief?: Uint8Array): void
  subscribe(topic: string, listener: FanoutListener): FanoutSubscription
  onStatus(listener: (status: FanoutStatus) => void): () => void
  /** Sends what was published before, within a second, and ends every subscription. */
  close(): Promise<void>
}
