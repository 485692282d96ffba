/**
 * What the windows of one browser tell each other beside the text (W2): along with an edit, in the same message, so that who reads
 * the note has the edit; or by itself. Knows neither what a note says nor the channel that carries it.
 */
import type * as Y from 'yjs'

export interface NotesReader {
  /** To go along with the edit that this transaction makes. */
  noteOf(transaction: Y.Transaction): unknown
  /** @param from A neighbour, by the name it has for as long as it has the document open. */
  heard(note: unknown, from: string): void
  met(from: string): void
  gone(from: string): void
}

/** Whoever carries them. */
interface Carrier {
  /** @param to Without it, all are meant. */
  tell(note: unknown, to?: string): void
}

export class Notes {
  #reader: NotesReader | null = null
  #carrier: Carrier | null = null
  readonly #present = new Set<string>()

  /** One at a time; what was heard before it came is lost, who is there is not. */
  read(reader: NotesReader): void {
    this.#reader = reader
    for (const from of this.#present) reader.met(from)
  }

  tell(note: unknown, to?: string): void {
    this.#carrier?.tell(note, to)
  }

  carriedBy(carrier: Carrier): void {
    this.#carrier = carrier
  }

  noteOf(transaction: Y.Transaction): unknown {
    return this.#reader?.noteOf(transaction)
  }

  heard(note: unknown, from: string): void {
    if (note !== undefined) this.#reader?.heard(note, from)
  }

  met(from: string): void {
    this.#present.add(from)
    this.#reader?.met(from)
  }

  gone(from: string): void {
    if (this.#present.delete(from)) this.#reader?.gone(from)
  }
}
