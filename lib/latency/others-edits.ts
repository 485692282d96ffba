/** When text from elsewhere came into this window's document, and so when what a stamp speaks of was here. */
import type * as Y from 'yjs'
import type { Stamp } from './messages.ts'
import type { Powers } from './powers.ts'
import type { Path } from './state.ts'
import { structsOf } from './structs.ts'
import type { Witness } from './witness.ts'

export class OthersEdits {
  readonly #doc: Y.Doc
  readonly #now: Powers['now']
  readonly #witness: Witness
  /** Of the frame that is being acted on. */
  #frameAt = 0
  /** Of the latest transaction that was not made here; 0: none since somebody looks. */
  #began = 0
  #applied = 0

  constructor(doc: Y.Doc, now: Powers['now'], witness: Witness) {
    this.#doc = doc
    this.#now = now
    this.#witness = witness
  }

  wake(): void {
    this.#doc.on('beforeTransaction', this.#onBefore)
    this.#doc.on('afterTransaction', this.#onAfter)
  }

  sleep(): void {
    this.#doc.off('beforeTransaction', this.#onBefore)
    this.#doc.off('afterTransaction', this.#onAfter)
    this.#applied = 0
    this.#witness.stop()
  }

  /** Whole messages came, and are acted on next. */
  frame(): void {
    this.#frameAt = this.#now()
  }

  /** A stamp comes behind its edit, by either way. Where the edit is not here all the same, it was not taken. */
  stamped(author: number, stamp: Stamp, path: Path): void {
    if (this.#applied === 0 || structsOf(this.#doc, author) < stamp.clock) return
    const received = path === 'browser' ? this.#began : this.#frameAt
    this.#witness.saw(author, stamp, { received, applied: this.#applied, path })
  }

  readonly #onBefore = ({ local }: Y.Transaction): void => {
    if (!local) this.#began = this.#now()
  }

  /** The editor has drawn it by then, as far as the page goes. */
  readonly #onAfter = ({ local }: Y.Transaction): void => {
    if (!local) this.#applied = this.#now()
  }
}
