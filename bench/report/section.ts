/** The report of a scenario as data, from which the terminal, the HTML page, `compare` and the README make their own text. */
import type { Spread } from '../support/stats.ts'

export interface Section {
  /** Says in one or two sentences what was done, with what, and how often. */
  readonly method: string
  readonly tables: readonly Table[]
  readonly charts: readonly Chart[]
  readonly aims: readonly Aim[]
  /** The few rows that go into the table of docs/PERFORMANCE.md. */
  readonly headlines: readonly Headline[]
  /** Sentences about what falls short, and what a reader has to know. */
  readonly notes: readonly string[]
}

/** The median, least and most of several rounds; or one number; or text; or null if nothing was measured. */
export type Cell = Spread | number | string | null

export interface Column {
  readonly name: string
  /** `ms`, `KiB`; none for ratios and text. */
  readonly unit?: string
  /** Digits after the point, by default 1. */
  readonly digits?: number
  /** The direction that `compare` calls better. */
  readonly better?: 'less' | 'more' | 'neither'
  /** Somebody else measured the figure elsewhere: it is drawn apart, and not compared between runs. */
  readonly published?: boolean
}

export interface Table {
  readonly title: string
  /** The first column has the rows' names, which are different from each other. */
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** Stands below the table, and says what a column means or where the published figures are from. */
  readonly note?: string
}

export type Chart = BarChart | LineChart

export interface BarChart {
  readonly kind: 'bars'
  readonly title: string
  readonly unit: string
  readonly scale?: 'linear' | 'log'
  /** Each is the name of a group of bars. */
  readonly groups: readonly string[]
  /** Each has a bar in every group. A spread is drawn as a whisker. */
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
  /** `×`, `ms`, `tokens`. */
  readonly unit: string
  /** How the limit is calculated: `round trip 4.00 + 1`. */
  readonly sum?: string
  readonly reached: boolean
  /** Why it was missed, as far as that is known. Reports show it only for missed aims. */
  readonly reason?: string
}

export interface Headline {
  readonly what: string
  /** With its unit: `4.2 ms`. */
  readonly ours: string
  /** The figure of others in the same run: `Hocuspocus 9.1 ms`. */
  readonly beside?: string
  /** `88 ms (Fladvad and Khans 2021)`. */
  readonly published?: string
  /** The section's aims that limit this figure. */
  readonly aims?: readonly Aim[]
  /** Selects the trials that were measured for it, by default all: `{ part: 'many' }`, `{ lane: 'sse' }`. */
  readonly of?: Readonly<Record<string, string | number | boolean>>
  /** How many of those trials ran on a machine that was more than 80 % busy. `readReports` sets it. */
  readonly saturated?: { readonly count: number; readonly trials: number }
}
