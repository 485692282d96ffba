/**
 * What the windows of one browser tell each other beside the text (W2): along with an edit, in the same message, so that who reads
 * the note has the edit; or by itself. Knows neither what a note says nor the channel that carries it.
 */
import type * as Y from 'yjs'

export interface NoteHandlers {
  /** To go along with the edit that this transaction makes. */
  noteOf(transaction: Y.Transaction): unknown
  /** @param from A neighbour, by the name it has for as long as it has the document open. */
  onNote(note: unknown, from: string): void
  onNeighbourJoined(from: string): void
  onNeighbourGone(from: string): void
}

/** Whoever carries them. */
interface NoteSender {
  /** @param to Without it, all are meant. */
  sendNote(note: unknown, to?: string): void
}

export class NoteChannel {
  #handlers: NoteHandlers | null = null
  #sender: NoteSender | null = null
  readonly #neighbours = new Set<string>()

  /** One at a time; what was heard before it came is lost, who is there is not. */
  setHandlers(handlers: NoteHandlers): void {
    this.#handlers = handlers
    for (const from of this.#neighbours) handlers.onNeighbourJoined(from)
  }

  sendNote(note: unknown, to?: string): void {
    this.#sender?.sendNote(note, to)
  }

  setSender(sender: NoteSender): void {
    this.#sender = sender
  }

  noteOf(transaction: Y.Transaction): unknown {
    return this.#handlers?.noteOf(transaction)
  }

  receiveNote(note: unknown, from: string): void {
    if (note !== undefined) this.#handlers?.onNote(note, from)
  }

  onNeighbourJoined(from: string): void {
    this.#neighbours.add(from)
    this.#handlers?.onNeighbourJoined(from)
  }

  onNeighbourGone(from: string): void {
    if (this.#neighbours.delete(from)) this.#handlers?.onNeighbourGone(from)
  }
}
