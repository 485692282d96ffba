/**
 * When the list of documents hears of an edited one: soon after the first edit, and whenever its title changes; while somebody goes
 * on writing, only now and then, since each time is a commit. Knows time; does not know SQL.
 */
const CHECK_MS = 250
const MIN_WRITE_INTERVAL_MS = 10_000

export interface TitleProjectionOptions {
  /** It may have to be read from the disk first. */
  readTitle(): Promise<string>
  writeTitle(title: string): Promise<void>
  onFailed(error: unknown): void
}

export class TitleProjection {
  readonly #parts: TitleProjectionOptions
  #look: NodeJS.Timeout | null = null
  #write: NodeJS.Timeout | null = null
  #written: { title: string; at: number } | null = null
  #writing = Promise.resolve()
  /** There are edits that the list has not heard of. */
  isDue = false

  constructor(options: TitleProjectionOptions) {
    this.#parts = options
  }

  schedule(): void {
    this.isDue = true
    this.#look ??= setTimeout(() => void this.#onLook(), CHECK_MS).unref()
  }

  /** Resolves once the list knows all there is. Never rejects. */
  flush(): Promise<void> {
    this.stop()
    if (!this.isDue) return this.#writing
    this.isDue = false
    return (this.#writing = this.#writing.then(() => this.#writeNow()))
  }

  async #writeNow(): Promise<void> {
    const title = await this.#title()
    if (title === null) return
    this.#written = { title, at: performance.now() }
    try {
      await this.#parts.writeTitle(title)
    } catch (error) {
      this.#written = null
      this.#parts.onFailed(error)
    }
  }

  /** Null where the text is at fault: it is read in a timer, where nobody else would hear of it. */
  async #title(): Promise<string | null> {
    try {
      return await this.#parts.readTitle()
    } catch (error) {
      this.#parts.onFailed(error)
      return null
    }
  }

  stop(): void {
    if (this.#look) clearTimeout(this.#look)
    if (this.#write) clearTimeout(this.#write)
    this.#look = null
    this.#write = null
  }

  async #onLook(): Promise<void> {
    this.#look = null
    const wait = this.#written ? this.#written.at + MIN_WRITE_INTERVAL_MS - performance.now() : 0
    if (wait <= 0 || (await this.#title()) !== this.#written?.title) void this.flush()
    else this.#write ??= setTimeout(() => void this.flush(), wait).unref()
  }
}
