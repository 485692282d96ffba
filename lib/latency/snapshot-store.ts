/** Notifies listeners of a new snapshot when they are to draw it, and only where it has changed: figures are polled, not watched. */
import { notifyAll } from '../notify-all.ts'
export interface SnapshotStoreDependencies<State> {
  read(): State
  /** Returns the same string as long as the state does not change. */
  version(): string
}

export class SnapshotStore<State> {
  readonly #dependencies: SnapshotStoreDependencies<State>
  readonly #listeners = new Set<() => void>()
  #snapshot: { readonly version: string; readonly state: State } | null = null

  constructor(dependencies: SnapshotStoreDependencies<State>) {
    this.#dependencies = dependencies
  }

  /** Returns the state of the last notification, so that everything drawn in between shows the same. */
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
