/**
 * Lets callers use the Y.Doc in the order of their calls. The gate is closed while the Y.Doc is being built, and while it holds part of
 * an edit; whoever comes meanwhile waits. Knows callbacks and promises; does not know the Y.Doc.
 */
export class DocGate {
  readonly #startBuild: () => Promise<unknown> | null
  readonly #waiting: (() => void)[] = []
  #opening: Promise<void> | null = null

  /** @param startBuild Called before each use of the Y.Doc: starts to build it, or returns null if it can be used. */
  constructor(startBuild: () => Promise<unknown> | null) {
    this.#startBuild = startBuild
  }

  get isOpen(): boolean {
    return this.#opening === null
  }

  /**
   * Runs the callback when it is its turn: at once if the gate is open. Callers behind it wait if it closes the gate.
   * @throws What the callback throws, in this turn or by the promise.
   */
  run<Answer>(callback: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    if (this.#waiting.length === 0 && this.#isUsable()) return callback()
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(callback())
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  /** Closes the gate until the work is done, however it ends. */
  closeFor(work: Promise<unknown>): void {
    const opening: Promise<void> = work.then(doNothing, doNothing).then(() => {
      if (this.#opening !== opening) return
      this.#opening = null
      while (this.#waiting.length > 0 && this.#isUsable()) this.#waiting.shift()!()
    })
    this.#opening = opening
  }

  /** Resolves when the gate opens, behind those who wait for it. Null if it is open; it may be closed again by then. */
  whenOpen(): Promise<void> | null {
    return this.#opening
  }

  /** Resolves when the gate is open and nobody waits. */
  async whenSettled(): Promise<void> {
    while (this.#opening) await this.#opening
  }

  #isUsable(): boolean {
    const build = this.#opening ? null : this.#startBuild()
    if (build) this.closeFor(build)
    return this.isOpen
  }
}

const doNothing = (): void => {}
