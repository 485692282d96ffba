/** What a medium between nodes implements: how to connect, and what a connection does. `ReconnectingFanout` adds all the rest. */
import type { EnvelopeKind } from './envelope.ts'

export interface OutgoingMessage {
  readonly topic: string
  readonly kind: EnvelopeKind
  readonly envelope: Buffer
}

export interface FanoutConnection {
  /** Resolves when what is published from now on arrives. */
  subscribe(topics: readonly string[]): Promise<void>
  unsubscribe(topics: readonly string[]): Promise<void>
  /** Sends in order, and at once. Resolves when the medium has taken all of it; rejects when it may have taken none. */
  publish(messages: readonly OutgoingMessage[]): Promise<void>
  /** Rejects when the medium cannot serve. A medium that needs no proof of life has none. */
  checkAlive?(): Promise<void>
  /** Says goodbye. */
  end(): Promise<void>
  /** Says none: what is under way fails. */
  destroy(): void
}

export interface ConnectionEvents {
  onMessage(topic: string, envelope: Buffer): void
  onLost(error: Error): void
}

export interface FanoutMedium {
  readonly name: string
  /** A medium within this process answers without a promise. */
  open(events: ConnectionEvents): Promise<FanoutConnection> | FanoutConnection
  canCarry(topic: string, message: Uint8Array): boolean
}
