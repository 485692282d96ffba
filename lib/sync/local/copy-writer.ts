/**
 * When the keeper writes a document's copy, and of what: the whole text where all of it is saved, else what the server said since the
 * last copy, where that can grow by it. Knows time and bytes; does not know rows or who is elected.
 */
import type { ChannelRole } from '../../protocol/channel-messages.ts'
import type { Clock } from '../../session/clock.ts'

/** How long after a change a copy is written, in ms. */
const COPY_DELAY_MS = 2_000
/** A copy may cost this share of the time: a document of 20 MB takes half a second to encode. */
const MAX_COPY_TIME_SHARE = 1 / 20
/** Even where the disk is slow, in ms. */
const MAX_COPY_DELAY_MS = 20_000

export interface CurrentText {
  /** The whole text, where all of it is saved on the server: only that is copied. */
  readonly state: Uint8Array | null
  readonly title: string
  readonly role: ChannelRole
}

export type CopyDetails = Omit<CurrentText, 'state'>

export interface CopyWriterDependencies {
  readonly clock: Pick<Clock, 'now'>
  /** Not any more once the document is closed. */
  after(ms: number, run: () => void): void
  /** Null while there is nothing that could be copied. */
  currentText(): CurrentText | null
  /**
   * @param content The whole text, or what is added to the copy.
   * @param mergesFormer What the former copy holds beyond a whole text stays in it.
   */
  writeCopy(
    details: CopyDetails,
    content: Uint8Array | readonly Uint8Array[],
    mergesFormer: boolean,
  ): Promise<void>
}

export class CopyWriter {
  readonly #dependencies: CopyWriterDependencies
  #isElected = false
  /** What the server said since the last copy. While something is unsaved the copy grows by this alone. */
  #serverUpdates: Uint8Array[] = []
  #dueState: 'no' | 'later' | 'now' = 'no'
  #isWriting = false
  #lastWriteMs = 0
  /** There is something to which what was heard can be added. */
  #hasCopy = false
  /** Something was said before this window was elected: whether it is in the copy, only its writer knew. The next is whole. */
  #hasMissedUpdates = false
  /** The former copy is another window's, which may have known what this one has not heard yet. */
  #isOfOtherWindow = true

  constructor(dependencies: CopyWriterDependencies) {
    this.#dependencies = dependencies
  }

  /** There was a copy, or none. */
  onLoaded(hasCopy: boolean): void {
    this.#hasCopy = hasCopy
  }

  /** From now on it is this window that writes the copy. */
  onElected(): void {
    this.#isElected = true
    this.onChanged()
  }

  /** The server said this of its text. */
  onServerUpdate(update: Uint8Array): void {
    if (this.#isElected) this.#serverUpdates.push(update)
    else this.#hasMissedUpdates = true
  }

  /** The text changed, or what is known of it: the keeper writes a copy soon. */
  onChanged(): void {
    if (!this.#isElected || this.#dueState !== 'no') return
    this.#dueState = 'later'
    const wait = Math.min(Math.max(COPY_DELAY_MS, this.#lastWriteMs / MAX_COPY_TIME_SHARE), MAX_COPY_DELAY_MS)
    this.#dependencies.after(wait, () => {
      this.#dueState = 'now'
      void this.#writeWhenPossible()
    })
  }

  /** More of it is saved: a copy that had to wait for that may be written. */
  onSaved(): void {
    if (this.#dueState === 'now') void this.#writeWhenPossible()
  }

  get #canGrow(): boolean {
    return this.#hasCopy && !this.#hasMissedUpdates && this.#serverUpdates.length > 0
  }

  async #writeWhenPossible(): Promise<void> {
    const text = this.#isWriting ? null : this.#dependencies.currentText()
    if (!text || !(text.state || this.#canGrow)) return
    this.#dueState = 'no'
    this.#isWriting = true
    const { clock } = this.#dependencies
    const startedAt = clock.now()
    await this.#writeCopy(text, this.#serverUpdates.splice(0))
    this.#lastWriteMs = clock.now() - startedAt
    this.#isWriting = false
    this.onSaved() // meanwhile
  }

  async #writeCopy({ state, ...details }: CurrentText, serverUpdates: Uint8Array[]): Promise<void> {
    try {
      await this.#dependencies.writeCopy(details, state ?? serverUpdates, this.#isOfOtherWindow)
      this.#isOfOtherWindow = false
      this.#hasCopy = true
      this.#hasMissedUpdates = false
    } catch {
      this.#serverUpdates.unshift(...serverUpdates)
      this.onChanged()
    }
  }
}
