/** What this person's other windows told of themselves, while they did within the last 15 s. */
import { MAX_TRACE_BYTES } from '../protocol/limits.ts'
import { readElsewhere } from './read-summary.ts'
import type { Elsewhere, Summary } from './state.ts'

const GOOD_FOR_MS = 15_000
const MAX_WINDOWS = 50

type Told = Summary & Pick<Elsewhere, 'id' | 'name' | 'device'>

export class Summaries {
  /** Grows with whatever is told, and forgotten. */
  changes = 0
  readonly #windows = new Map<string, Elsewhere>()

  get all(): readonly Elsewhere[] {
    return [...this.#windows.values()]
  }

  /** @param short For another device: as much as fits into one trace. */
  static write(told: Told, short: boolean): string {
    return short ? shortened(told) : JSON.stringify(told)
  }

  hear(text: string, sameBrowser: boolean, at: number): void {
    const told = readElsewhere(text, { sameBrowser, at })
    if (!told || (this.#windows.size >= MAX_WINDOWS && !this.#windows.has(told.id))) return
    this.changes += 1
    this.#windows.set(told.id, told)
  }

  forget(now: number): void {
    for (const [id, { at }] of this.#windows)
      if (now - at > GOOD_FOR_MS && this.#windows.delete(id)) this.changes += 1
  }
}

/** Kind and length go before it. */
const ROOM = MAX_TRACE_BYTES - 16

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Drops what is asked for least: history, old timelines, then switches, earlier links and windows. */
function shortened(told: Told): string {
  const { timelines, switches, windows, earlier, roundTrip, ...rest } = told
  for (const [edits, moves, others, links] of [
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
        windows: windows.slice(0, others),
        earlier: earlier.slice(0, links),
        switches: switches.slice(switches.length - moves),
        timelines: timelines.slice(timelines.length - edits),
      },
      (_key, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value),
    )
    if (bytesOf(text) <= ROOM) return text
  }
  return '{}'
}
