/**
 * Carries messages about delays between windows: to windows of this browser by the path of their edits (W2), to all others by the server.
 * Knows the path to each window; does not know what messages say.
 */
import type { Provider } from '../sync/provider.ts'
import {
  encodeLatencyMessage,
  type LatencyMessage,
  readLatencyMessage,
  type EditStamp,
} from './latency-messages.ts'
import type { ArrivalPath } from './latency-state.ts'

interface PeerNote {
  /** The client id of the sending window's presence. */
  readonly client: number
  readonly bytes: Uint8Array
}

export interface PeerMessengerHandlers {
  onMessage(message: LatencyMessage, from: number, path: ArrivalPath): void
  /** The stamp that goes along with the edit that was made just now. */
  currentStamp(): EditStamp | null
}

export class PeerMessenger {
  readonly #provider: Provider
  readonly #handlers: PeerMessengerHandlers
  /** Neighbours by the client ids of their presence. */
  readonly #neighbours = new Map<number, string>()

  constructor(provider: Provider, handlers: PeerMessengerHandlers) {
    this.#provider = provider
    this.#handlers = handlers
    provider.onTrace = (from, bytes) => this.receive(from, bytes, 'server')
    provider.latencyStamps.setHandlers({
      noteOf: () => {
        const stamp = handlers.currentStamp()
        return stamp ? this.#noteOf(encodeLatencyMessage(stamp)) : undefined
      },
      onNote: (note, from) => this.#receiveNote(note, from),
      onNeighbourJoined: () => {},
      onNeighbourGone: (from) => this.#forgetNeighbour(from),
    })
  }

  /** Sends by both paths: a window that receives it twice receives the same. */
  broadcast(message: LatencyMessage): void {
    const bytes = encodeLatencyMessage(message)
    this.#provider.sendTrace(0, bytes)
    this.#provider.latencyStamps.sendNote(this.#noteOf(bytes))
  }

  /** Sends the stamp to windows elsewhere; neighbours get it as the note of the edit. */
  broadcastStamp(stamp: EditStamp): void {
    this.#provider.sendTrace(0, encodeLatencyMessage(stamp))
  }

  isNeighbour(client: number): boolean {
    return this.#neighbours.has(client)
  }

  send(client: number, message: LatencyMessage): void {
    const bytes = encodeLatencyMessage(message)
    const neighbour = this.#neighbours.get(client)
    if (neighbour) this.#provider.latencyStamps.sendNote(this.#noteOf(bytes), neighbour)
    else this.#provider.sendTrace(client, bytes)
  }

  receive(from: number, bytes: Uint8Array, path: ArrivalPath): void {
    const message = from === this.#provider.doc.clientID ? null : readLatencyMessage(bytes)
    if (message) this.#handlers.onMessage(message, from, path)
  }

  #noteOf(bytes: Uint8Array): PeerNote {
    return { client: this.#provider.doc.clientID, bytes }
  }

  #receiveNote(note: unknown, from: string): void {
    if (!isPeerNote(note)) return
    this.#neighbours.set(note.client, from)
    this.receive(note.client, note.bytes, 'browser')
  }

  #forgetNeighbour(name: string): void {
    for (const [client, neighbour] of this.#neighbours)
      if (neighbour === name) this.#neighbours.delete(client)
  }
}

/** Another version of the page may send something else. */
const isPeerNote = (note: unknown): note is PeerNote =>
  typeof note === 'object' &&
  note !== null &&
  'client' in note &&
  typeof note.client === 'number' &&
  'bytes' in note &&
  note.bytes instanceof Uint8Array
