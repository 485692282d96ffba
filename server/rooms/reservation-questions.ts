/**
 * Asks all nodes, when a document part is opened on this one, which client ids their windows have announced there (A5), and answers such
 * questions. Also nodes that do not have the part open answer, so that whoever asks need not guess how long to wait. The answers come by
 * the topic of the part. Knows topics; does not know rooms.
 */
import { readString, writeString } from '../../lib/protocol/wire.ts'
import type { Fanout } from '../fanout/fanout.ts'
import { readVersionedMessage, writeVersionedMessage } from '../fanout/versioned-message.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { ClientReservations } from './client-reservations.ts'
import { writeRoomMessage } from './room-messages.ts'

const TOPIC = 'reservations'
const VERSION = 1

export class ReservationQuestions {
  readonly #fanout: Fanout
  readonly #nodes: Pick<Nodes, 'self' | 'others'>
  readonly #open = new Map<string, ClientReservations>()
  readonly close: () => void

  constructor(fanout: Fanout, nodes: Pick<Nodes, 'self' | 'others'>) {
    this.#fanout = fanout
    this.#nodes = nodes
    const subscription = fanout.subscribe(TOPIC, {
      onMessage: (message) => this.#answer(message),
      onInterrupted() {},
    })
    this.close = () => subscription.end()
  }

  /** How many nodes answer. */
  get otherNodes(): number {
    return this.#nodes.others.length
  }

  /** The part is open on this node. Returns the undo. */
  register(topic: string, reservations: ClientReservations): () => void {
    this.#open.set(topic, reservations)
    return () => {
      if (this.#open.get(topic) === reservations) this.#open.delete(topic)
    }
  }

  ask(topic: string): void {
    this.#fanout.publish(
      TOPIC,
      writeVersionedMessage(VERSION, (encoder) => writeString(encoder, topic)),
    )
  }

  /** A message that cannot be read is one of another release. */
  #answer(message: Uint8Array): void {
    try {
      const topic = readVersionedMessage(VERSION, message, readString)
      if (topic === null) return
      const reservations = this.#open.get(topic) ?? this.#createEmpty(topic)
      reservations.answer()
    } catch {
      // Whoever asks waits for a moment, and no longer.
    }
  }

  #createEmpty(topic: string): ClientReservations {
    return new ClientReservations((answer) =>
      this.#fanout.publish(topic, writeRoomMessage(this.#nodes.self, answer)),
    )
  }
}
