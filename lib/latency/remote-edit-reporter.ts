/**
 * Reports to the authors of stamps: when each edit came here, by which path first, and when it was on screen. One message carries many
 * edits.
 */
import type { Clock } from '../session/clock.ts'
import { MAX_REPORT_ROWS, type EditReportRow, type EditStamp } from './latency-messages.ts'
import type { MeasurementPlatform } from './measurement-platform.ts'
import type { ArrivalPath } from './latency-state.ts'

/**
 * How long rows are gathered for a report, in ms: figures are drawn every second or two, and each report wakes the window that is typed
 * in. The delay grows with each window in the room, since all of them report to one author.
 */
const REPORT_DELAY_MS = 500
const REPORT_DELAY_PER_WINDOW_MS = 10
/** The number of edits that are remembered, to recognise an edit that comes by the second path. */
const MAX_RECORDED_EDITS = 1_000
/** The number of authors for whom rows are gathered. */
const MAX_AUTHORS = 100

interface PendingReport {
  readonly opening: number
  readonly rows: EditReportRow[]
}

export interface RemoteEditReporterDependencies {
  readonly platform: Pick<MeasurementPlatform, 'afterPaint'> & { readonly clock: Clock }
  /** The number of windows in the room. */
  windowCount(): number
  sendReport(author: number, opening: number, rows: readonly EditReportRow[]): void
}

export interface EditReceipt {
  readonly received: number
  readonly applied: number
  readonly path: ArrivalPath
}

export class RemoteEditReporter {
  readonly #dependencies: RemoteEditReporterDependencies
  readonly #recordedEdits = new Set<string>()
  readonly #pendingReports = new Map<number, PendingReport>()
  #cancelSending: (() => void) | null = null

  constructor(dependencies: RemoteEditReporterDependencies) {
    this.#dependencies = dependencies
  }

  recordEdit(author: number, { opening, edit }: EditStamp, { received, applied, path }: EditReceipt): void {
    const key = `${author}:${opening}:${edit}`
    if (this.#recordedEdits.has(key)) return
    this.#recordedEdits.add(key)
    if (this.#recordedEdits.size > MAX_RECORDED_EDITS)
      this.#recordedEdits.delete(this.#recordedEdits.values().next().value!)
    this.#dependencies.platform.afterPaint((at) => {
      const painted = at === 'hidden' ? at : Math.max(0, at - received)
      this.#queueRow(author, opening, {
        edit,
        received,
        applied: Math.max(0, applied - received),
        painted,
        path,
      })
    })
  }

  stop(): void {
    this.#cancelSending?.()
    this.#cancelSending = null
    this.#pendingReports.clear()
  }

  #queueRow(author: number, opening: number, row: EditReportRow): void {
    const previous = this.#pendingReports.get(author)
    const report = previous?.opening === opening ? previous : { opening, rows: [] }
    if (this.#pendingReports.size >= MAX_AUTHORS && !previous) return
    this.#pendingReports.set(author, report)
    report.rows.push(row)
    if (report.rows.length >= MAX_REPORT_ROWS) return this.#sendReports()
    const { clock } = this.#dependencies.platform
    this.#cancelSending ??= clock.after(
      REPORT_DELAY_MS + REPORT_DELAY_PER_WINDOW_MS * this.#dependencies.windowCount(),
      () => this.#sendReports(),
    )
  }

  #sendReports(): void {
    const reports = [...this.#pendingReports]
    this.stop()
    for (const [author, { opening, rows }] of reports) this.#dependencies.sendReport(author, opening, rows)
  }
}
