/** What a scenario says, as data: the terminal, the HTML page, `compare` and the README draw it each in their way. */
import type { Spread } from '../support/stats.ts'

export interface Section {
  /** One or two sentences: what was done, with what, how often. */
  readonly method: string
  readonly tables: readonly Table[]
  readonly charts: readonly Chart[]
  readonly aims: readonly Aim[]
  /** Rows of the table of headlines (docs/PERFORMANCE.md); few. */
  readonly headlines: readonly Headline[]
  /** Sentences: what falls short, what to know when reading. */
  readonly notes: readonly string[]
}

/** Of several rounds their median and both ends; one number where there is no spread; text; null where nothing was measured. */
export type Cell = Spread | number | string | null

export interface Column {
  readonly name: string
  /** `ms`, `KiB`; '' for ratios and words. */
  readonly unit?: string
  /** Digits after the point; 1 unless said. */
  readonly digits?: number
  /** The direction that `compare` calls better. */
  readonly better?: 'less' | 'more' | 'neither'
  /** Somebody else's figure, measured elsewhere: drawn apart, and not compared between runs. */
  readonly published?: boolean
}

export interface Table {
  readonly title: string
  /** The first is the row's name; rows of one table have different names. */
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** Below the table: what a column means, where the published figures are from. */
  readonly note?: string
}

export type Chart = BarChart | LineChart

export interface BarChart {
  readonly kind: 'bars'
  readonly title: string
  readonly unit: string
  readonly scale?: 'linear' | 'log'
  /** One group of bars each. */
  readonly groups: readonly string[]
  /** A bar in each group; with a spread it has a whisker. */
  readonly series: readonly {
    readonly name: string
    readonly values: readonly (Spread | number | null)[]
    readonly published?: boolean
  }[]
}

export interface LineChart {
  readonly kind: 'lines'
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly {
    readonly name: string
    readonly points: readonly (readonly [x: number, y: number])[]
    readonly published?: boolean
  }[]
}

export interface Axis {
  readonly name: string
  readonly unit: string
  readonly scale?: 'linear' | 'log'
}

export interface Aim {
  readonly name: string
  readonly measured: number
  readonly limit: number
  /** `×`, `ms`, `lost`. */
  readonly unit: string
  /** How the limit comes about: `0.5 × Hocuspocus's 1.84 µs`. */
  readonly sum?: string
  readonly reached: boolean
  /** Why it was missed, where that is known; nobody is told where it was reached. */
  readonly reason?: string
}

export interface Headline {
  readonly what: string
  /** With its unit: `4.2 ms`. */
  readonly ours: string
  /** What stands beside it: `Hocuspocus 9.1 ms`. */
  readonly beside?: string
  /** `88 ms (Fladvad and Khans 2021)`. */
  readonly published?: string
  /** Of the section's aims those that this is about. */
  readonly aims?: readonly Aim[]
  /** The trials that it is taken of, by what they have in common: `{ part: 'many' }`, `{ lane: 'sse' }`. All, unless said. */
  readonly of?: Readonly<Record<string, string | number | boolean>>
  /** How many of those ran on a machine that was more than 80 % busy; not for scenarios to say. */
  readonly saturated?: { readonly count: number; readonly trials: number }
}
