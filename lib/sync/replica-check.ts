/**
 * Makes sure that this replica and the server's are the same (D7). Numbers and acknowledgements should guarantee that; this check is for
 * what nobody thought of. At rest it sends a digest to the server. Where digests differ twice, or where an update waits too long for text
 * that it builds on, everything is compared and sent anew. Knows Yjs and time; does not know the wire.
 *
 *   at rest 5 s ─▶ digest ─▶ same ─▶ again in a minute
 *                    └─▶ differs ─▶ digest ─▶ differs ─▶ resync, and the next one twice as late
 */
import type * as Y from 'yjs'
import { digestOf } from '../protocol/digest.ts'
import type { Clock } from '../session/clock.ts'
import { hasPendingStructs } from '../yjs-internals/struct-store.ts'

const CHECK_AFTER_REST_MS = 5_000
const CHECK_INTERVAL_MS = 60_000
/** A resync that does not help costs the whole document each time. */
const MAX_CHECK_INTERVAL_MS = 64 * CHECK_INTERVAL_MS
const PENDING_LIMIT_MS = 5_000

export interface ReplicaCheckHandlers {
  /** Nothing of the document is under way to the server, as far as this window knows. */
  isAtRest(): boolean
  sendDigest(digest: Uint8Array): void
  resync(cause: 'digest' | 'pending'): void
}

export class ReplicaCheck {
  readonly #doc: Y.Doc
  readonly #clock: Clock
  readonly #handlers: ReplicaCheckHandlers
  #activeAt: number
  #intervalMs = CHECK_INTERVAL_MS
  #nextCheckAt = 0
  #pendingSince: number | null = null
  /** Identifies the digest that was sent, as long as nothing has changed since. */
  #openCheck: object | null = null
  #hasDiffered = false
  #cancel = () => {}

  constructor(doc: Y.Doc, clock: Clock, handlers: ReplicaCheckHandlers) {
    this.#doc = doc
    this.#clock = clock
    this.#handlers = handlers
    this.#activeAt = clock.now()
    doc.on('afterTransaction', this.#onTransaction)
    this.#scheduleCheck(CHECK_AFTER_REST_MS)
  }

  /** Something about the document was sent or received. */
  onActivity(): void {
    this.#activeAt = this.#clock.now()
    this.#openCheck = null
  }

  onCompared(isSame: boolean): void {
    if (!this.#openCheck) return
    this.#openCheck = null
    if (isSame) this.#intervalMs = CHECK_INTERVAL_MS
    else if (this.#hasDiffered) return this.#resync('digest')
    this.#hasDiffered = !isSame
    this.#nextCheckAt = this.#clock.now() + (isSame ? CHECK_INTERVAL_MS : CHECK_AFTER_REST_MS)
  }

  stop(): void {
    this.#cancel()
    this.#doc.off('afterTransaction', this.#onTransaction)
  }

  /** Runs also for updates that only wait, of which Yjs notifies nobody. */
  #onTransaction = (): void => {
    this.onActivity()
    if (!hasPendingStructs(this.#doc)) this.#pendingSince = null
    else this.#pendingSince ??= this.#clock.now()
  }

  #scheduleCheck(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      this.#check()
      this.#scheduleCheck(CHECK_AFTER_REST_MS)
    })
  }

  #check(): void {
    const now = this.#clock.now()
    if (this.#pendingSince !== null && now - this.#pendingSince >= PENDING_LIMIT_MS)
      return this.#resync('pending')
    if (now - this.#activeAt < CHECK_AFTER_REST_MS || now < this.#nextCheckAt || !this.#handlers.isAtRest())
      return
    this.#nextCheckAt = now + CHECK_INTERVAL_MS // in case no answer comes
    void this.#sendDigest()
  }

  async #sendDigest(): Promise<void> {
    const thisCheck = (this.#openCheck = {})
    const digest = await digestOf(this.#doc)
    if (this.#openCheck === thisCheck) this.#handlers.sendDigest(digest)
  }

  #resync(cause: 'digest' | 'pending'): void {
    const now = this.#clock.now()
    if (cause === 'pending') this.#pendingSince = now + this.#intervalMs
    this.#hasDiffered = false
    this.#nextCheckAt = now + this.#intervalMs
    this.#intervalMs = Math.min(MAX_CHECK_INTERVAL_MS, 2 * this.#intervalMs)
    this.#handlers.resync(cause)
  }
}
