/**
 * Carries notes between the windows of one browser beside the text (W2). A note goes in the same message as an edit, so that whoever
 * reads the note has the edit, or by itself. Knows neither what a note says nor the channel that carries it.
 */
import type * as Y from 'yjs'

export interface NoteHandlers {
  /** Returns the note that goes along with the edit of this transaction. */
  noteOf(transaction: Y.Transaction): unknown
  /** @param from A neighbour, by the name it has for as long as it has the document open. */
  onNote(note: unknown, from: string): void
  onNeighbourJoined(from: string): void
  onNeighbourGone(from: string): void
}

/** Implemented by the channel that carries the notes. */
interface NoteSender {
  /** @param to Without it, the note is for all neighbours. */
  sendNote(note: unknown, to?: string): void
}

export class NoteChannel {
  #handlers: NoteHandlers | null = null
  #sender: NoteSender | null = null
  readonly #neighbours = new Set<string>()

  /** There is one handler at a time. It misses earlier notes, but is told which neighbours are here. */
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
