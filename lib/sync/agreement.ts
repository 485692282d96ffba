/**
 * Makes sure that this replica and the server's are the same (D7). Numbers and acknowledgements should see to that; this is for
 * what nobody thought of. At rest it tells the server a digest; where they differ twice, or where something waits too long for
 * text that it builds on, everything is compared and sent anew. Knows Yjs and time; does not know the wire.
 *
 *   at rest 5 s ─▶ digest ─▶ same ─▶ again in a minute
 *                    └─▶ differs ─▶ digest ─▶ differs ─▶ heal, and the next one twice as late
 */
import type * as Y from 'yjs'
import { digestOf } from '../protocol/digest.ts'
import type { Clock } from '../session/clock.ts'

const REST_MS = 5_000
const AGAIN_MS = 60_000
/** Healing that does not help costs the whole document each time. */
const LATEST_MS = 64 * AGAIN_MS
const PENDING_MS = 5_000

export interface AgreementHandlers {
  /** Nothing of it is under way to the server, as far as is known here. */
  isAtRest(): boolean
  tell(digest: Uint8Array): void
  heal(cause: 'digest' | 'pending'): void
}

export const isPending = ({ store }: Y.Doc): boolean =>
  store.pendingStructs !== null || store.pendingDs !== null

export class Agreement {
  readonly #doc: Y.Doc
  readonly #clock: Clock
  readonly #handlers: AgreementHandlers
  #touchedAt: number
  #againMs = AGAIN_MS
  #nextAt = 0
  #pendingSince: number | null = null
  /** What was told, as long as nothing has changed since. */
  #told: object | null = null
  #differed = false
  #cancel = () => {}

  constructor(doc: Y.Doc, clock: Clock, handlers: AgreementHandlers) {
    this.#doc = doc
    this.#clock = clock
    this.#handlers = handlers
    this.#touchedAt = clock.now()
    doc.on('afterTransaction', this.#onTransaction)
    this.#lookIn(REST_MS)
  }

  /** Something was said or heard about the document. */
  touched(): void {
    this.#touchedAt = this.#clock.now()
    this.#told = null
  }

  compared(same: boolean): void {
    if (!this.#told) return
    this.#told = null
    if (same) this.#againMs = AGAIN_MS
    else if (this.#differed) return this.#heal('digest')
    this.#differed = !same
    this.#nextAt = this.#clock.now() + (same ? AGAIN_MS : REST_MS)
  }

  stop(): void {
    this.#cancel()
    this.#doc.off('afterTransaction', this.#onTransaction)
  }

  /** Also of updates that only wait, which Yjs tells nobody of. */
  #onTransaction = (): void => {
    this.touched()
    if (!isPending(this.#doc)) this.#pendingSince = null
    else this.#pendingSince ??= this.#clock.now()
  }

  #lookIn(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      this.#look()
      this.#lookIn(REST_MS)
    })
  }

  #look(): void {
    const now = this.#clock.now()
    if (this.#pendingSince !== null && now - this.#pendingSince >= PENDING_MS) return this.#heal('pending')
    if (now - this.#touchedAt < REST_MS || now < this.#nextAt || !this.#handlers.isAtRest()) return
    this.#nextAt = now + AGAIN_MS // should no answer come
    void this.#tell()
  }

  async #tell(): Promise<void> {
    const told = (this.#told = {})
    const digest = await digestOf(this.#doc)
    if (this.#told === told) this.#handlers.tell(digest)
  }

  #heal(cause: 'digest' | 'pending'): void {
    const now = this.#clock.now()
    if (cause === 'pending') this.#pendingSince = now + this.#againMs
    this.#differed = false
    this.#nextAt = now + this.#againMs
    this.#againMs = Math.min(LATEST_MS, 2 * this.#againMs)
    this.#handlers.heal(cause)
  }
}
