/**
 * Decides when an edited document is written to the list of documents: soon after the first edit, and whenever its title changes.
 * While somebody goes on writing, it is only now and then, since each write is a commit. Knows time; does not know SQL.
 */
import { startTimeout } from '../timeouts.ts'
const CHECK_MS = 250
const MIN_WRITE_INTERVAL_MS = 10_000

export interface TitleProjectionOptions {
  /** The title may have to be read from the disk first. */
  readTitle(): Promise<string>
  writeTitle(title: string): Promise<void>
  onFailed(error: unknown): void
}

export class TitleProjection {
  readonly #options: TitleProjectionOptions
  #cancelCheck: (() => void) | null = null
  #cancelWrite: (() => void) | null = null
  #written: { title: string; at: number } | null = null
  #writing = Promise.resolve()
  /** True if the list does not show the latest edits. */
  isDue = false

  constructor(options: TitleProjectionOptions) {
    this.#options = options
  }

  schedule(): void {
    this.isDue = true
    this.#cancelCheck ??= startTimeout(CHECK_MS, () => void this.#check())
  }

  /** Resolves when the list is up to date. Never rejects. */
  flush(): Promise<void> {
    this.stop()
    if (!this.isDue) return this.#writing
    this.isDue = false
    return (this.#writing = this.#writing.then(() => this.#writeNow()))
  }

  async #writeNow(): Promise<void> {
    const title = await this.#readTitle()
    if (title === null) return
    this.#written = { title, at: performance.now() }
    try {
      await this.#options.writeTitle(title)
    } catch (error) {
      this.#written = null
      this.#options.onFailed(error)
    }
  }

  /** Null if the text is at fault; the error is reported here, because nobody awaits a timer. */
  async #readTitle(): Promise<string | null> {
    try {
      return await this.#options.readTitle()
    } catch (error) {
      this.#options.onFailed(error)
      return null
    }
  }

  stop(): void {
    this.#cancelCheck?.()
    this.#cancelWrite?.()
    this.#cancelCheck = this.#cancelWrite = null
  }

  async #check(): Promise<void> {
    this.#cancelCheck = null
    const wait = this.#written ? this.#written.at + MIN_WRITE_INTERVAL_MS - performance.now() : 0
    if (wait <= 0 || (await this.#readTitle()) !== this.#written?.title) void this.flush()
    else this.#cancelWrite ??= startTimeout(wait, () => void this.flush())
  }
}
