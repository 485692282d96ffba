/**
 * When the keeper writes a document's copy, and of what: the whole text where all of it is saved, else what the server said since the
 * last copy, where that can grow by it. Knows time and bytes; does not know rows or who is elected.
 */
import type { ChannelRole } from '../../protocol/channel.ts'
import type { Clock } from '../../session/clock.ts'

/** How long after a change a copy is written, in ms. */
const COPY_MS = 2_000
/** A copy may cost this share of the time: a document of 20 MB takes half a second to encode. */
const COPY_SHARE = 1 / 20
/** Even where the disk is slow, in ms. */
const COPY_AT_LAST_MS = 20_000

export interface CurrentText {
  /** The whole text, where all of it is saved on the server: only that is copied. */
  readonly state: Uint8Array | null
  readonly title: string
  readonly role: ChannelRole
}

export type AboutText = Omit<CurrentText, 'state'>

export interface CopyWriterParts {
  readonly clock: Pick<Clock, 'now'>
  /** Not any more once the document is closed. */
  after(ms: number, run: () => void): void
  /** Null while there is nothing that could be copied. */
  text(): CurrentText | null
  /**
   * @param content The whole text, or what is added to the copy.
   * @param keepsFormer What the former copy holds beyond a whole text stays in it.
   */
  write(about: AboutText, content: Uint8Array | readonly Uint8Array[], keepsFormer: boolean): Promise<void>
}

export class CopyWriter {
  readonly #parts: CopyWriterParts
  #isKeeper = false
  /** What the server said since the last copy. While something is unsaved the copy grows by this alone. */
  #heard: Uint8Array[] = []
  #due: 'no' | 'later' | 'now' = 'no'
  #isWriting = false
  #costMs = 0
  /** There is something to which what was heard can be added. */
  #hasCopy = false
  /** Something was said before this window was elected: whether it is in the copy, only its writer knew. The next is whole. */
  #hasMissed = false
  /** The former copy is another window's, which may have known what this one has not heard yet. */
  #isOthers = true

  constructor(parts: CopyWriterParts) {
    this.#parts = parts
  }

  /** There was a copy, or none. */
  found(hasCopy: boolean): void {
    this.#hasCopy = hasCopy
  }

  /** From now on it is this window that writes the copy. */
  elected(): void {
    this.#isKeeper = true
    this.changed()
  }

  /** The server said this of its text. */
  heard(update: Uint8Array): void {
    if (this.#isKeeper) this.#heard.push(update)
    else this.#hasMissed = true
  }

  /** The text changed, or what is known of it: the keeper writes a copy soon. */
  changed(): void {
    if (!this.#isKeeper || this.#due !== 'no') return
    this.#due = 'later'
    const wait = Math.min(Math.max(COPY_MS, this.#costMs / COPY_SHARE), COPY_AT_LAST_MS)
    this.#parts.after(wait, () => {
      this.#due = 'now'
      void this.#write()
    })
  }

  /** More of it is saved: a copy that had to wait for that may be written. */
  saved(): void {
    if (this.#due === 'now') void this.#write()
  }

  get #canGrow(): boolean {
    return this.#hasCopy && !this.#hasMissed && this.#heard.length > 0
  }

  async #write(): Promise<void> {
    const text = this.#isWriting ? null : this.#parts.text()
    if (!text || !(text.state || this.#canGrow)) return
    this.#due = 'no'
    this.#isWriting = true
    const { clock } = this.#parts
    const startedAt = clock.now()
    await this.#copy(text, this.#heard.splice(0))
    this.#costMs = clock.now() - startedAt
    this.#isWriting = false
    this.saved() // meanwhile
  }

  async #copy({ state, ...about }: CurrentText, heard: Uint8Array[]): Promise<void> {
    try {
      await this.#parts.write(about, state ?? heard, this.#isOthers)
      this.#isOthers = false
      this.#hasCopy = true
      this.#hasMissed = false
    } catch {
      this.#heard.unshift(...heard)
      this.changed()
    }
  }
}
