/**
 * Decides when the elected window writes a document's copy, and of what: the whole text where all of it is saved, else the server's
 * updates since the last copy, where the copy can grow by them. Knows time and bytes; does not know rows or who is elected.
 */
import type { ChannelRole } from '../../protocol/channel-messages.ts'
import type { Clock } from '../../session/clock.ts'

/** How long after a change a copy is written, in ms. */
const COPY_DELAY_MS = 2_000
/** A copy may cost this share of the time: a document of 20 MB takes half a second to encode. */
const MAX_COPY_TIME_SHARE = 1 / 20
/** The limit where the disk is slow, in ms. */
const MAX_COPY_DELAY_MS = 20_000

export interface CurrentText {
  /** The whole text, only where all of it is saved on the server: nothing else is copied. */
  readonly state: Uint8Array | null
  readonly title: string
  readonly role: ChannelRole
}

export type CopyDetails = Omit<CurrentText, 'state'>

export interface CopyWriterDependencies {
  readonly clock: Pick<Clock, 'now'>
  /** Does not run after the document is closed. */
  after(ms: number, run: () => void): void
  /** Returns null while there is nothing to copy. */
  currentText(): CurrentText | null
  /**
   * @param content The whole text, or what is added to the copy.
   * @param mergesFormer Whether the copy keeps what the former one holds beyond a whole text.
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
  /** The server's updates since the last copy. While something is unsaved the copy grows by these alone. */
  #serverUpdates: Uint8Array[] = []
  #dueState: 'no' | 'later' | 'now' = 'no'
  #isWriting = false
  #lastWriteMs = 0
  /** There is a copy to which the server's updates can be added. */
  #hasCopy = false
  /**
   * An update came before this window was elected, and only the former writer knew whether it is in the copy. So the next copy is whole.
   */
  #hasMissedUpdates = false
  /** The former copy is another window's, which may have had what this one has not received yet. */
  #isOfOtherWindow = true

  constructor(dependencies: CopyWriterDependencies) {
    this.#dependencies = dependencies
  }

  /** The local store was read: it had a copy, or none. */
  onLoaded(hasCopy: boolean): void {
    this.#hasCopy = hasCopy
  }

  /** From now on this window writes the copy. */
  onElected(): void {
    this.#isElected = true
    this.onChanged()
  }

  /** The server sent this update of its text. */
  onServerUpdate(update: Uint8Array): void {
    if (this.#isElected) this.#serverUpdates.push(update)
    else this.#hasMissedUpdates = true
  }

  /** The text changed, or what is known of it: the elected window writes a copy soon. */
  onChanged(): void {
    if (!this.#isElected || this.#dueState !== 'no') return
    this.#dueState = 'later'
    const wait = Math.min(Math.max(COPY_DELAY_MS, this.#lastWriteMs / MAX_COPY_TIME_SHARE), MAX_COPY_DELAY_MS)
    this.#dependencies.after(wait, () => {
      this.#dueState = 'now'
      void this.#writeWhenPossible()
    })
  }

  /** More edits are saved: a copy that waited for that may now be written. */
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
    this.onSaved() // more may have been saved meanwhile
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
