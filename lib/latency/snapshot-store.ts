/** A snapshot that listeners are told of when they are to draw it, and only where it is another one: figures are read, not watched. */
import { notifyAll } from '../notify-all.ts'
export interface SnapshotStoreDependencies<State> {
  read(): State
  /** The same as long as what is read is. */
  version(): string
}

export class SnapshotStore<State> {
  readonly #dependencies: SnapshotStoreDependencies<State>
  readonly #listeners = new Set<() => void>()
  #snapshot: { readonly version: string; readonly state: State } | null = null

  constructor(dependencies: SnapshotStoreDependencies<State>) {
    this.#dependencies = dependencies
  }

  /** Listeners get the state they were told of: whoever draws in between draws the same. */
  get(): State {
    if (this.#snapshot && (this.#listeners.size > 0 || !this.#isStale)) return this.#snapshot.state
    return this.#takeSnapshot()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  notifyIfStale(): void {
    if (this.#listeners.size === 0 || !this.#isStale) return
    this.#takeSnapshot()
    notifyAll(this.#listeners)
  }

  get #isStale(): boolean {
    return this.#snapshot?.version !== this.#dependencies.version()
  }

  #takeSnapshot(): State {
    this.#snapshot = { version: this.#dependencies.version(), state: this.#dependencies.read() }
    return this.#snapshot.state
  }
}
