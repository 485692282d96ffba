/**
 * Declares what scenarios measure. A metric says how a figure is called, in which unit, how it is taken from the outcomes, whether
 * less or more is better, and whether somebody else published it. Tables, charts, aims, headlines and `compare` are made of metrics.
 */
import { type Samples, summaryOf } from '../support/histogram.ts'
import { overRounds, type Spread, summarise, type Summary } from '../support/stats.ts'
import type { Outcome, Params, Trial } from '../support/trial.ts'
import { formatFixed, isSpread } from './format-figures.ts'
import type { Cell, Column } from './section.ts'

/** A column of a table or a series of a chart, and what it shows for a row or group. */
export interface Figure<Row> extends Column {
  of(row: Row): Cell
}

/** A figure of trials that measured the same thing. */
export type Metric<Of extends Params = Params, Data = unknown> = Figure<Rounds<Of, Data>>

/** Takes a figure from the outcome of one trial: several numbers if it measured several times, undefined if it did not measure it. */
type FigureOfTrial<Of extends Params, Data> = (
  data: Data,
  trial: Trial<Of>,
) => number | readonly number[] | undefined

/** Outcomes that belong together: all outcomes of a scenario, or the rounds of one row. */
export class Rounds<Of extends Params = Params, Data = unknown> {
  /** The label of the row. */
  readonly name: string
  readonly outcomes: readonly Outcome<Of, Data>[]

  constructor(outcomes: readonly Outcome<Of, Data>[], name = '') {
    this.name = name
    this.outcomes = outcomes
  }

  get isEmpty(): boolean {
    return this.outcomes.length === 0
  }

  get data(): Data[] {
    return this.outcomes.map(({ data }) => data)
  }

  get params(): Of | undefined {
    return this.outcomes[0]?.trial.params
  }

  filter(holds: (outcome: Outcome<Of, Data>) => boolean, name = this.name): Rounds<Of, Data> {
    return new Rounds(this.outcomes.filter(holds), name)
  }

  withName(name: string): Rounds<Of, Data> {
    return new Rounds(this.outcomes, name)
  }

  /** Selects by subject, lane and params. @template Own What the selected trials measured, if other trials measured something else. */
  where<Own = Data>(wanted: Params, name = this.name): Rounds<Of, Own> {
    const own = this.outcomes.filter(({ trial }) => hasValues(trial, wanted))
    return new Rounds(own as unknown as readonly Outcome<Of, Own>[], name)
  }

  /** Selects once for each value of the subject, the lane or a param, in the order of the values. */
  split<const Values extends readonly (string | number | boolean)[]>(
    name: string,
    values: Values,
  ): { readonly [At in keyof Values]: Rounds<Of, Data> } {
    return values.map((value) => this.where({ [name]: value })) as { [At in keyof Values]: Rounds<Of, Data> }
  }

  /** Makes a row for each name, in the order of the plan. */
  groupBy(nameOf: (trial: Trial<Of>) => string): Rounds<Of, Data>[] {
    const named = Map.groupBy(this.outcomes, ({ trial }) => nameOf(trial))
    return [...named].map(([name, outcomes]) => new Rounds(outcomes, name))
  }

  /** Makes a row for each value of a param, in the order of the values, or without values in the order of the plan. */
  rows<Value extends string | number>(
    name: string,
    values?: readonly Value[],
    titleOf: (value: Value) => string = String,
  ): Rounds<Of, Data>[] {
    return (values ?? this.distinct((trial) => valuesOf(trial)[name] as Value))
      .map((value) => this.where({ [name]: value }, titleOf(value)))
      .filter(({ isEmpty }) => !isEmpty)
  }

  /** Returns each value once. */
  distinct<Value>(valueOf: (trial: Trial<Of>) => Value): Value[] {
    return [...new Set(this.outcomes.map(({ trial }) => valueOf(trial)))]
  }

  figures(of: FigureOfTrial<Of, Data>): number[] {
    return this.outcomes.flatMap(({ data, trial }) => of(data, trial) ?? [])
  }

  /** The median of the rounds' figures, with the least and the most; null if nothing was measured. */
  spread(of: FigureOfTrial<Of, Data>): Spread | null {
    const figures = this.figures(of)
    return figures.length === 0 ? null : overRounds(figures)
  }

  sum(of: FigureOfTrial<Of, Data>): number {
    return this.figures(of).reduce((sum, figure) => sum + figure, 0)
  }

  /** NaN if nothing was measured. */
  max(of: FigureOfTrial<Of, Data>): number {
    return this.isEmpty ? Number.NaN : Math.max(...this.figures(of))
  }

  /** NaN if nothing was measured. */
  median(metric: Metric<Of, Data>): number {
    const cell = metric.of(this)
    return cell === null || typeof cell === 'string' ? Number.NaN : isSpread(cell) ? cell.median : cell
  }

  /** `4.2 ms`, or `Hocuspocus 9.1 ms`; undefined if nothing was measured. */
  medianText(metric: Metric<Of, Data>, whose = '', digits = metric.digits): string | undefined {
    return amountText(this.median(metric), metric.unit ?? '', digits, whose)
  }
}

const valuesOf = ({ subject, lane, params }: Trial): Params => ({ subject, lane, ...params })

/** Whether the trial has these values as its subject, its lane or its params. */
export const hasValues = (trial: Trial, wanted: Params): boolean =>
  Object.entries(wanted).every(([name, value]) => valuesOf(trial)[name] === value)

// Metrics

/** Takes one figure from each round, and shows their median, least and most. Less is better, unless the column says otherwise. */
export const metric = <Data, Of extends Params = Params>(
  name: string,
  unit: string,
  of: FigureOfTrial<Of, Data>,
  column: Partial<Column> = {},
): Metric<Of, Data> => ({
  name,
  ...(unit && { unit }),
  better: 'less',
  ...column,
  of: (rounds) => rounds.spread(of),
})

/** Adds up over all rounds. */
export const count = <Data, Of extends Params = Params>(
  name: string,
  of: FigureOfTrial<Of, Data>,
): Metric<Of, Data> => ({ name, digits: 0, of: (rounds) => rounds.sum(of) })

/** Takes a percentile or the mean of each round's samples, which are numbers or histograms. */
export const time = <Data>(
  which: keyof Summary,
  samplesOf: (data: Data) => readonly number[] | readonly Samples[],
  column: Partial<Column> = {},
): Metric<Params, Data> => metric(which, 'ms', (data) => summaryIn(samplesOf(data))[which], column)

/** A row of a table, or a group of a chart. */
export interface Row {
  readonly name: string
}

/** A row of a table in which each row has its own samples, all from the same rounds. */
export interface SampleRow<Data> extends Row {
  readonly samplesOf: (data: Data) => readonly number[] | readonly Samples[]
}

/** Makes a column for each percentile of such rows. */
export const percentiles = <Of extends Params, Data>(
  rounds: Rounds<Of, Data>,
  which: readonly (keyof Summary)[],
  column: Partial<Column> = {},
): Figure<SampleRow<Data>>[] =>
  which.map((one) => ({
    ...time(one, () => [], column),
    of: ({ samplesOf }) => (time(one, samplesOf) as Metric<Of, Data>).of(rounds),
  }))

const summaryIn = (samples: readonly number[] | readonly Samples[]): Summary =>
  typeof samples[0] === 'object'
    ? summaryOf(samples as readonly Samples[])
    : summarise(samples as readonly number[])

/** A figure that somebody else published; empty for rows about which they published none. */
export const publishedFigure = <Row>(
  name: string,
  unit: string,
  of: (row: Row) => Cell | undefined,
  column: Partial<Column> = {},
): Figure<Row> => ({ name, ...(unit && { unit }), ...column, published: true, of: (row) => of(row) ?? null })

/** Divides the median of ours by the median of theirs. */
export const ratio = <Of extends Params, Data>(
  metric: Metric<Of, Data>,
  ours: Rounds<Of, Data>,
  theirs: Rounds<Of, Data>,
): number => ours.median(metric) / theirs.median(metric)

/** The same figure under another name. */
export const withName = <Row>(
  name: string,
  figure: Figure<Row>,
  column: Partial<Column> = {},
): Figure<Row> => ({ ...figure, ...column, name })

/** `4.2 ms`, or `Hocuspocus 9.1 ms`; undefined for NaN, which is what was not measured. */
export const amountText = (value: number, unit: string, digits = 1, whose = ''): string | undefined =>
  Number.isNaN(value) ? undefined : `${whose} ${formatFixed(value, digits)} ${unit}`.trim()
