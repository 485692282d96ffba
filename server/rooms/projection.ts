/**
 * When the list of documents hears of an edited one: soon after the first edit, and whenever its title changes; while somebody goes
 * on writing, only now and then, since each time is a commit. Knows time; does not know SQL.
 */
const LOOK_MS = 250
const WRITE_MS = 10_000

export interface ProjectionParts {
  /** It may have to be read from the disk first. */
  title(): Promise<string>
  write(title: string): Promise<void>
  onFailed(error: unknown): void
}

export class Projection {
  readonly #parts: ProjectionParts
  #look: NodeJS.Timeout | null = null
  #write: NodeJS.Timeout | null = null
  #written: { title: string; at: number } | null = null
  #writing = Promise.resolve()
  /** There are edits that the list has not heard of. */
  isDue = false

  constructor(parts: ProjectionParts) {
    this.#parts = parts
  }

  edited(): void {
    this.isDue = true
    this.#look ??= setTimeout(() => void this.#onLook(), LOOK_MS).unref()
  }

  /** Resolves once the list knows all there is. Never rejects. */
  now(): Promise<void> {
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
      await this.#parts.write(title)
    } catch (error) {
      this.#written = null
      this.#parts.onFailed(error)
    }
  }

  /** Null where the text is at fault: it is read in a timer, where nobody else would hear of it. */
  async #title(): Promise<string | null> {
    try {
      return await this.#parts.title()
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
    const wait = this.#written ? this.#written.at + WRITE_MS - performance.now() : 0
    if (wait <= 0 || (await this.#title()) !== this.#written?.title) void this.now()
    else this.#write ??= setTimeout(() => void this.now(), wait).unref()
  }
}
