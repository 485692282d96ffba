/**
 * Carries what windows tell each other about delays: to windows of this browser by the way their edits take (W2), to all others by
 * the server. Knows whom it can reach how; does not know what is said.
 */
import type { Provider } from '../sync/provider.ts'
import { encodeMessage, type Message, readMessage, type Stamp } from './messages.ts'
import type { Path } from './state.ts'

interface Note {
  /** The client id of its window's presence. */
  readonly client: number
  readonly bytes: Uint8Array
}

export interface PostHandlers {
  heard(message: Message, from: number, path: Path): void
  /** What goes along with the edit that was made just now. */
  stamp(): Stamp | null
}

export class Post {
  readonly #provider: Provider
  readonly #handlers: PostHandlers
  /** By the client ids of their presence. */
  readonly #neighbours = new Map<number, string>()

  constructor(provider: Provider, handlers: PostHandlers) {
    this.#provider = provider
    this.#handlers = handlers
    provider.onTrace = (from, bytes) => this.hear(from, bytes, 'server')
    provider.stamps.read({
      noteOf: () => {
        const stamp = handlers.stamp()
        return stamp ? this.#noteOf(encodeMessage(stamp)) : undefined
      },
      heard: (note, from) => this.#hearNote(note, from),
      met: () => {},
      gone: (from) => this.#forget(from),
    })
  }

  /** By both ways: who hears it twice hears the same. */
  toAll(message: Message): void {
    const bytes = encodeMessage(message)
    this.#provider.trace(0, bytes)
    this.#provider.stamps.tell(this.#noteOf(bytes))
  }

  /** The note along with an edit is the neighbours'; this is for all others. */
  stamp(stamp: Stamp): void {
    this.#provider.trace(0, encodeMessage(stamp))
  }

  isNeighbour(client: number): boolean {
    return this.#neighbours.has(client)
  }

  to(client: number, message: Message): void {
    const bytes = encodeMessage(message)
    const neighbour = this.#neighbours.get(client)
    if (neighbour) this.#provider.stamps.tell(this.#noteOf(bytes), neighbour)
    else this.#provider.trace(client, bytes)
  }

  hear(from: number, bytes: Uint8Array, path: Path): void {
    const message = from === this.#provider.doc.clientID ? null : readMessage(bytes)
    if (message) this.#handlers.heard(message, from, path)
  }

  #noteOf(bytes: Uint8Array): Note {
    return { client: this.#provider.doc.clientID, bytes }
  }

  #hearNote(note: unknown, from: string): void {
    if (!isNote(note)) return
    this.#neighbours.set(note.client, from)
    this.hear(note.client, note.bytes, 'browser')
  }

  #forget(name: string): void {
    for (const [client, neighbour] of this.#neighbours)
      if (neighbour === name) this.#neighbours.delete(client)
  }
}

/** Another version of the page may say something else. */
const isNote = (note: unknown): note is Note =>
  typeof note === 'object' &&
  note !== null &&
  'client' in note &&
  typeof note.client === 'number' &&
  'bytes' in note &&
  note.bytes instanceof Uint8Array
