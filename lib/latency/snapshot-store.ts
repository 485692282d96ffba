/** Notifies listeners of a new snapshot when they are to draw it, and only where it has changed: figures are polled, not watched. */
import { Subscribable } from '../subscribable.ts'
export interface SnapshotStoreDependencies<State> {
  read(): State
  /** Returns the same string as long as the state does not change. */
  version(): string
}

export class SnapshotStore<State> {
  readonly #dependencies: SnapshotStoreDependencies<State>
  readonly #listeners = new Subscribable()
  #snapshot: { readonly version: string; readonly state: State } | null = null

  constructor(dependencies: SnapshotStoreDependencies<State>) {
    this.#dependencies = dependencies
  }

  /** Returns the state of the last notification, so that everything drawn in between shows the same. */
  get(): State {
    if (this.#snapshot && (this.#listeners.hasListeners || !this.#isStale)) return this.#snapshot.state
    return this.#takeSnapshot()
  }

  readonly subscribe = this.#listeners.subscribe

  notifyIfStale(): void {
    if (!this.#listeners.hasListeners || !this.#isStale) return
    this.#takeSnapshot()
    this.#listeners.notify()
  }

  get #isStale(): boolean {
    return this.#snapshot?.version !== this.#dependencies.version()
  }

  #takeSnapshot(): State {
    this.#snapshot = { version: this.#dependencies.version(), state: this.#dependencies.read() }
    return this.#snapshot.state
  }
}
