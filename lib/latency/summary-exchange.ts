/** Holds the summaries that this person's other windows sent within the last 15 s. */
import { MAX_TRACE_BYTES } from '../protocol/limits.ts'
import { readSummary } from './read-summary.ts'
import type { ReceivedSummary, LatencySummary } from './latency-state.ts'

const SUMMARY_LIFETIME_MS = 15_000
const MAX_WINDOWS = 50

type SentSummary = LatencySummary & Pick<ReceivedSummary, 'id' | 'name' | 'device'>

export class SummaryExchange {
  /** Grows with each summary that is received or dropped. */
  revision = 0
  readonly #windows = new Map<string, ReceivedSummary>()

  get received(): readonly ReceivedSummary[] {
    return [...this.#windows.values()]
  }

  /** @param short Only as much as fits into one trace, for another device. */
  static encode(summary: SentSummary, short: boolean): string {
    return short ? shortenSummary(summary) : JSON.stringify(summary)
  }

  receive(text: string, sameBrowser: boolean, at: number): void {
    const summary = readSummary(text, { sameBrowser, at })
    if (!summary || (this.#windows.size >= MAX_WINDOWS && !this.#windows.has(summary.id))) return
    this.revision += 1
    this.#windows.set(summary.id, summary)
  }

  dropExpired(now: number): void {
    for (const [id, { at }] of this.#windows)
      if (now - at > SUMMARY_LIFETIME_MS && this.#windows.delete(id)) this.revision += 1
  }
}

/** Leaves room for the message's kind and length. */
const MAX_SHORT_SUMMARY_BYTES = MAX_TRACE_BYTES - 16

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Drops first what is needed least: history, old timelines, then switches, earlier links and windows. */
function shortenSummary(summary: SentSummary): string {
  const { timelines, switches, windows, earlier, roundTrip, ...rest } = summary
  for (const [editCount, switchCount, windowCount, linkCount] of [
    [8, 5, 8, 4],
    [3, 5, 8, 4],
    [0, 3, 5, 2],
    [0, 0, 2, 1],
    [0, 0, 0, 0],
  ] as const) {
    const text = JSON.stringify(
      {
        ...rest,
        roundTrip: { ...roundTrip, history: [] },
        windows: windows.slice(0, windowCount),
        earlier: earlier.slice(0, linkCount),
        switches: switches.slice(switches.length - switchCount),
        timelines: timelines.slice(timelines.length - editCount),
      },
      (_key, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value),
    )
    if (bytesOf(text) <= MAX_SHORT_SUMMARY_BYTES) return text
  }
  return '{}'
}
