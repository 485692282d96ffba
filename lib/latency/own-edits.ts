/**
 * Measures the edits made in this window: records them in the journal, stamps them for other windows, and adds when those received them.
 */
import type { DocumentHandle } from '../document-handle.ts'
import type { ProviderObserver } from '../sync/provider.ts'
import type { LinkInfo } from '../transports/transport.ts'
import { linkKey } from './edits-by-link.ts'
import type { ClockOffset } from './clock-estimate.ts'
import type { RemoteWindows } from './remote-windows.ts'
import { Journal } from './journal.ts'
import type { EditReport, EditReportRow, EditStamp } from './latency-messages.ts'
import { BytesPerKey } from './bytes-per-key.ts'
import type { MeasurementPlatform } from './measurement-platform.ts'
import { clockOf } from '../yjs-internals/struct-store.ts'

/** A longer delay is more likely due to a clock that leapt than to the network. */
const MAX_ARRIVAL_DELAY_MS = 60 * 60_000

export interface OwnEditsDependencies {
  readonly opened: DocumentHandle
  readonly platform: MeasurementPlatform
  readonly remoteWindows: RemoteWindows
  /** Whether somebody of this person looks. */
  shouldStamp(): boolean
  /** Called in the same turn as the edit, so that the stamp goes in the same frame. */
  broadcastStamp(stamp: EditStamp): void
}

export class OwnEdits {
  readonly journal: Journal
  readonly bytesPerKey = new BytesPerKey()
  readonly #dependencies: OwnEditsDependencies
  /** Identifies this page load, because another one counts edits from 1 again. */
  readonly #opening = Math.floor(Math.random() * 2 ** 31)
  #stamp: EditStamp | null = null
  #intendedAt: number | undefined

  constructor(dependencies: OwnEditsDependencies) {
    this.#dependencies = dependencies
    this.journal = new Journal((client) => dependencies.remoteWindows.idOf(client))
  }

  /** The stamp of the edit that is being made. */
  get stamp(): EditStamp | null {
    return this.#stamp
  }

  readonly watch: ProviderObserver = {
    onEditCreated: (edit, number) => this.#onMade(edit, number),
    onCountChange: () => {
      const { provider } = this.#dependencies.opened.mainPart
      this.journal.recordSaved(provider.saved, this.#dependencies.platform.now(), this.#link)
      if (provider.refusal) this.journal.recordRefusal()
    },
  }

  setIntendedTime(at: number): void {
    this.#intendedAt = at
  }

  /** All messages up to this one were handed to the transport. */
  onSent(upTo: number): void {
    this.journal.recordSent(upTo, this.#dependencies.platform.now(), this.#link)
  }

  /** @param offset From the reporting window's clock to this one. */
  receiveReport(client: number, { opening, rows }: EditReport, offset: ClockOffset): void {
    if (opening !== this.#opening) return
    for (const row of rows) this.#recordArrival(client, row, offset)
  }

  stop(): void {
    this.#stamp = null
    this.#intendedAt = undefined
  }

  reset(): void {
    this.journal.reset()
    this.bytesPerKey.reset()
  }

  #onMade(edit: number, messageNumber: number | undefined): void {
    const { opened, platform, shouldStamp } = this.#dependencies
    this.#stamp = null
    if (!shouldStamp()) return
    const at = platform.now()
    const inputAt = this.#intendedAt === undefined ? platform.inputAt() : undefined
    const by = inputAt === undefined ? 'program' : 'input'
    this.journal.recordEdit({ edit, messageNumber, at, triggeredAt: this.#intendedAt ?? inputAt, by })
    this.#intendedAt = undefined
    const { bytesUp: up, bytesDown: down } = opened.session.links.record.traffic
    this.bytesPerKey.recordEdit(at, { up, down }, this.#link && linkKey(this.#link))
    this.#stampEdit(edit)
    platform.afterPaint((paintedAt) => this.journal.recordPaint(edit, paintedAt))
  }

  get #link(): LinkInfo | undefined {
    return this.#dependencies.opened.session.links.current?.info
  }

  #stampEdit(edit: number): void {
    const { opened, broadcastStamp } = this.#dependencies
    const { doc } = opened.mainPart
    this.#stamp = {
      type: 'stamp',
      opening: this.#opening,
      edit,
      clock: clockOf(doc, doc.clientID),
    }
    broadcastStamp(this.#stamp)
  }

  #recordArrival(client: number, row: EditReportRow, { ms: shift, boundMs }: ClockOffset): void {
    const key = this.journal.keyTimeOf(row.edit)
    if (key === undefined) return
    const delay = row.received + shift - key
    if (!(delay >= -boundMs && delay <= MAX_ARRIVAL_DELAY_MS)) return // a clock that is wrong or leapt
    const received = Math.max(0, delay)
    const painted = row.painted === 'hidden' ? row.painted : received + row.painted
    const arrival = { client, received, applied: received + row.applied, painted, path: row.path, boundMs }
    if (this.journal.recordArrival(row.edit, arrival)) this.#dependencies.remoteWindows.recordArrival(arrival)
  }
}
