/**
 * What a node has published and its medium has not taken yet, up to a limit of bytes. A message that could not be sent leaves a gap in
 * its topic. As soon as the medium takes messages again, a notice of each gap goes out, so that a message which its sender lost is missed
 * for good only when the sender ends. Knows topics and bytes; does not know connections.
 */
import type { EnvelopeCodec, EnvelopeKind } from './envelope.ts'
import type { FanoutCounts } from './fanout-counts.ts'
import type { OutgoingMessage } from './fanout-medium.ts'

const MAX_BYTES = 16 * 1024 * 1024
/** No more topics with gaps are remembered. */
const MAX_GAPS = 50_000
const NO_BYTES = new Uint8Array()

export interface OutgoingMessagesOptions {
  /** The name of this node. */
  readonly node: string
  readonly envelopes: EnvelopeCodec
  readonly counts: FanoutCounts
  /** By default 16 MiB. */
  readonly maxBytes?: number | undefined
}

export class OutgoingMessages {
  readonly #node: string
  readonly #envelopes: EnvelopeCodec
  readonly #counts: FanoutCounts
  readonly #maxBytes: number
  readonly #gaps = new Set<string>()
  #queue: OutgoingMessage[] = []
  /** Counts the queue, and what was handed to the medium and is not settled. */
  #bytes = 0

  constructor({ node, envelopes, counts, maxBytes = MAX_BYTES }: OutgoingMessagesOptions) {
    this.#node = node
    this.#envelopes = envelopes
    this.#counts = counts
    this.#maxBytes = maxBytes
  }

  get hasGaps(): boolean {
    return this.#gaps.size > 0
  }

  hasRoomFor({ length }: Uint8Array): boolean {
    return this.#bytes + length <= this.#maxBytes
  }

  add(topic: string, payload: Uint8Array): void {
    this.#enqueue(topic, 'message', payload)
    this.#counts.published += 1
  }

  /** A message of this topic is not sent. */
  drop(topic: string): void {
    this.#counts.dropped += 1
    this.#addGap(topic)
  }

  /** Drops what was not handed to a connection that is lost. */
  dropQueue(): void {
    const messages = this.#takeQueue()
    this.onNotSent(messages)
    this.onSettled(messages)
  }

  /** Returns what is to be handed to the medium, with notices of gaps unless much waits already. */
  take(): readonly OutgoingMessage[] {
    if (this.#bytes <= this.#maxBytes / 2) {
      for (const topic of this.#gaps) this.#enqueue(topic, 'gap', NO_BYTES)
      this.#gaps.clear()
    }
    return this.#takeQueue()
  }

  /** The medium may have taken none of these. */
  onNotSent(messages: readonly OutgoingMessage[]): void {
    for (const { topic, kind } of messages)
      if (kind === 'message') this.drop(topic)
      else this.#addGap(topic)
  }

  /** These are sent, or given up. */
  onSettled(messages: readonly OutgoingMessage[]): void {
    for (const { envelope } of messages) this.#bytes -= envelope.length
  }

  #enqueue(topic: string, kind: EnvelopeKind, payload: Uint8Array): void {
    const envelope = this.#envelopes.write(topic, { node: this.#node, kind, payload })
    this.#queue.push({ topic, kind, envelope })
    this.#bytes += envelope.length
  }

  #addGap(topic: string): void {
    if (this.#gaps.size < MAX_GAPS) this.#gaps.add(topic)
  }

  #takeQueue(): readonly OutgoingMessage[] {
    const messages = this.#queue
    this.#queue = []
    return messages
  }
}
