/** A snapshot that listeners are told of when they are to draw it, and only where it is another one: figures are read, not watched. */
import { notifyAll } from '../notify-all.ts'
export interface TellerParts<State> {
  read(): State
  /** The same as long as what is read is. */
  version(): string
}

export class Teller<State> {
  readonly #parts: TellerParts<State>
  readonly #listeners = new Set<() => void>()
  #made: { readonly version: string; readonly state: State } | null = null

  constructor(parts: TellerParts<State>) {
    this.#parts = parts
  }

  /** Listeners get the state they were told of: whoever draws in between draws the same. */
  get(): State {
    if (this.#made && (this.#listeners.size > 0 || !this.#isStale)) return this.#made.state
    return this.#make()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(): void {
    if (this.#listeners.size === 0 || !this.#isStale) return
    this.#make()
    notifyAll(this.#listeners)
  }

  get #isStale(): boolean {
    return this.#made?.version !== this.#parts.version()
  }

  #make(): State {
    this.#made = { version: this.#parts.version(), state: this.#parts.read() }
    return this.#made.state
  }
}
