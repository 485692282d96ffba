/**
 * Lets callers use the Y.Doc in the order of their calls. The gate is closed while the Y.Doc is being built, and while it holds part of
 * an edit; whoever comes meanwhile waits. Knows callbacks and promises; does not know the Y.Doc.
 */
export class DocGate {
  readonly #startBuild: StartWork
  readonly #waiting: WaitingCaller[] = []
  #opening: Promise<void> | null = null

  /** @param startBuild Called before each use of the Y.Doc: starts to build it, or returns null if it can be used. */
  constructor(startBuild: StartWork) {
    this.#startBuild = startBuild
  }

  get isOpen(): boolean {
    return this.#opening === null
  }

  /**
   * Runs the callback when it is its turn: at once if the gate is open. Callers behind it wait if it closes the gate.
   * @param startWork Called in that turn, until it returns null: starts what the callback needs, for which the gate is closed.
   * @throws What the callback throws, in this turn or by the promise.
   */
  run<Answer>(
    callback: () => Answer | Promise<Answer>,
    startWork: StartWork = startNothing,
  ): Answer | Promise<Answer> {
    if (this.#waiting.length === 0 && this.#isUsable(startWork)) return callback()
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(callback())
        } catch (error) {
          reject(error)
        }
      }
      this.#waiting.push({ startWork, run })
    })
  }

  /** Closes the gate until the work is done, however it ends. */
  closeFor(work: Promise<unknown>): void {
    const opening: Promise<void> = work.then(doNothing, doNothing).then(() => {
      if (this.#opening !== opening) return
      this.#opening = null
      while (this.#waiting.length > 0 && this.#isUsable(this.#waiting[0]!.startWork))
        this.#waiting.shift()!.run()
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

  #isUsable(startWork: StartWork): boolean {
    const work = this.#opening ? null : (this.#startBuild() ?? startWork())
    if (work) this.closeFor(work)
    return this.isOpen
  }
}

type StartWork = () => Promise<unknown> | null

interface WaitingCaller {
  readonly startWork: StartWork
  run(): void
}

const doNothing = (): void => {}
const startNothing = (): null => null
