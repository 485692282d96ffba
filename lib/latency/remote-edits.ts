/** Notes when remote edits came into this window's document, and so when a stamp's edit was here. */
import type * as Y from 'yjs'
import type { EditStamp } from './latency-messages.ts'
import type { MeasurementPlatform } from './measurement-platform.ts'
import type { ArrivalPath } from './latency-state.ts'
import { clockOf } from '../yjs-internals/struct-store.ts'
import type { RemoteEditReporter } from './remote-edit-reporter.ts'

export class RemoteEdits {
  readonly #doc: Y.Doc
  readonly #now: MeasurementPlatform['now']
  readonly #reporter: RemoteEditReporter
  /** When the frame came that is being handled. */
  #frameAt = 0
  /** When the latest remote transaction began; 0 while there was none since measuring began. */
  #transactionStartedAt = 0
  #appliedAt = 0

  constructor(doc: Y.Doc, now: MeasurementPlatform['now'], reporter: RemoteEditReporter) {
    this.#doc = doc
    this.#now = now
    this.#reporter = reporter
  }

  start(): void {
    this.#doc.on('beforeTransaction', this.#onBeforeTransaction)
    this.#doc.on('afterTransaction', this.#onAfterTransaction)
  }

  stop(): void {
    this.#doc.off('beforeTransaction', this.#onBeforeTransaction)
    this.#doc.off('afterTransaction', this.#onAfterTransaction)
    this.#appliedAt = 0
    this.#reporter.stop()
  }

  /** A frame of messages came and is handled next. */
  onFrame(): void {
    this.#frameAt = this.#now()
  }

  /** A stamp comes after its edit, by either path. Where the edit is still not here, it was not accepted. */
  receiveStamp(author: number, stamp: EditStamp, path: ArrivalPath): void {
    if (this.#appliedAt === 0 || clockOf(this.#doc, author) < stamp.clock) return
    const received = path === 'browser' ? this.#transactionStartedAt : this.#frameAt
    this.#reporter.recordEdit(author, stamp, { received, applied: this.#appliedAt, path })
  }

  readonly #onBeforeTransaction = ({ local }: Y.Transaction): void => {
    if (!local) this.#transactionStartedAt = this.#now()
  }

  /** The editor has drawn the edit by then, as far as the page can tell. */
  readonly #onAfterTransaction = ({ local }: Y.Transaction): void => {
    if (!local) this.#appliedAt = this.#now()
  }
}
