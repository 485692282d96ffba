/**
 * Declares what scenarios measure. A metric says how a figure is called, in which unit, how it is taken of the outcomes, whether
 * less or more is better, and whether somebody else published it; tables, charts, aims, headlines and `compare` are made of metrics.
 */
import { type Samples, summaryOf } from '../support/histogram.ts'
import { overRounds, type Spread, summarise, type Summary } from '../support/stats.ts'
import type { Outcome, Params, Trial } from '../support/trial.ts'
import { headOf, isSpread, plain } from './figures.ts'
import { sentences } from './reasons.ts'
import type { Aim, BarChart, Cell, Column, Headline, LineChart, Section, Table } from './section.ts'

/** A column of a table, or a series of a chart, and what it shows of a row or group. */
export interface Figure<Row> extends Column {
  of(row: Row): Cell
}

/** A figure of trials that measured the same thing. */
export type Metric<Of extends Params = Params, Data = unknown> = Figure<Rounds<Of, Data>>

/** The outcome of one trial for a metric; several numbers where it measured several times, undefined where it did not measure it. */
type FigureOfTrial<Of extends Params, Data> = (
  data: Data,
  trial: Trial<Of>,
) => number | readonly number[] | undefined

/** Outcomes that belong together: all of a scenario, or the rounds of one row. */
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

  named(name: string): Rounds<Of, Data> {
    return new Rounds(this.outcomes, name)
  }

  /** Those of a subject, by a lane, with params. @template Own What such trials measured, where others measured something else. */
  where<Own = Data>(wanted: Params, name = this.name): Rounds<Of, Own> {
    const own = this.outcomes.filter(({ trial }) => isOf(trial, wanted))
    return new Rounds(own as unknown as readonly Outcome<Of, Own>[], name)
  }

  /** Those of each value of the subject, the lane or a param, in the order of the values. */
  split<const Values extends readonly (string | number | boolean)[]>(
    name: string,
    values: Values,
  ): { readonly [At in keyof Values]: Rounds<Of, Data> } {
    return values.map((value) => this.where({ [name]: value })) as { [At in keyof Values]: Rounds<Of, Data> }
  }

  /** A row for each name, in the order of the plan. */
  by(nameOf: (trial: Trial<Of>) => string): Rounds<Of, Data>[] {
    const named = Map.groupBy(this.outcomes, ({ trial }) => nameOf(trial))
    return [...named].map(([name, outcomes]) => new Rounds(outcomes, name))
  }

  /** A row for each value of a param, in the order that is given, or else in that of the plan. */
  rows<Value extends string | number>(
    name: string,
    values?: readonly Value[],
    titleOf: (value: Value) => string = String,
  ): Rounds<Of, Data>[] {
    return (values ?? this.each((trial) => valuesOf(trial)[name] as Value))
      .map((value) => this.where({ [name]: value }, titleOf(value)))
      .filter(({ isEmpty }) => !isEmpty)
  }

  /** The values that there are, each once. */
  each<Value>(valueOf: (trial: Trial<Of>) => Value): Value[] {
    return [...new Set(this.outcomes.map(({ trial }) => valueOf(trial)))]
  }

  figures(of: FigureOfTrial<Of, Data>): number[] {
    return this.outcomes.flatMap(({ data, trial }) => of(data, trial) ?? [])
  }

  /** The median of the rounds' own figures, and both ends; null where nothing was measured. */
  spread(of: FigureOfTrial<Of, Data>): Spread | null {
    const figures = this.figures(of)
    return figures.length === 0 ? null : overRounds(figures)
  }

  sum(of: FigureOfTrial<Of, Data>): number {
    return this.figures(of).reduce((sum, figure) => sum + figure, 0)
  }

  /** NaN where nothing was measured. */
  most(of: FigureOfTrial<Of, Data>): number {
    return this.isEmpty ? Number.NaN : Math.max(...this.figures(of))
  }

  /** `4.2 ms`, or `Hocuspocus 9.1 ms`; undefined where nothing was measured. */
  words(metric: Metric<Of, Data>, whose = '', digits = metric.digits): string | undefined {
    return amount(this.median(metric), metric.unit ?? '', digits, whose)
  }

  /** NaN where nothing was measured. */
  median(metric: Metric<Of, Data>): number {
    const cell = metric.of(this)
    return cell === null || typeof cell === 'string' ? Number.NaN : isSpread(cell) ? cell.median : cell
  }
}

const valuesOf = ({ subject, lane, params }: Trial): Params => ({ subject, lane, ...params })

/** Whether the trial has these values: of its subject, its lane or its params. */
export const isOf = (trial: Trial, wanted: Params): boolean =>
  Object.entries(wanted).every(([name, value]) => valuesOf(trial)[name] === value)

// Metrics

/** Each round has its own figure; over the rounds there are a median and two ends. Less is better, unless said otherwise. */
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

/** Counted in all rounds together. */
export const count = <Data, Of extends Params = Params>(
  name: string,
  of: FigureOfTrial<Of, Data>,
): Metric<Of, Data> => ({ name, digits: 0, of: (rounds) => rounds.sum(of) })

/** A percentile or the mean of samples, each round's own: of raw ones, or of histograms. */
export const time = <Data>(
  which: keyof Summary,
  samplesOf: (data: Data) => readonly number[] | readonly Samples[],
  column: Partial<Column> = {},
): Metric<Params, Data> => metric(which, 'ms', (data) => summaryIn(samplesOf(data))[which], column)

/** A row that stands for samples of the same rounds. */
export interface SampleRow<Data> extends Row {
  readonly samplesOf: (data: Data) => readonly number[] | readonly Samples[]
}

/** A column for each percentile of such rows. */
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

/** Somebody else's figure; none where they published none. */
export const publishedFigure = <Row>(
  name: string,
  unit: string,
  of: (row: Row) => Cell | undefined,
  column: Partial<Column> = {},
): Figure<Row> => ({ name, ...(unit && { unit }), ...column, published: true, of: (row) => of(row) ?? null })

/** One figure divided by the same of others. */
export const ratio = <Of extends Params, Data>(
  metric: Metric<Of, Data>,
  ours: Rounds<Of, Data>,
  theirs: Rounds<Of, Data>,
): number => ours.median(metric) / theirs.median(metric)

/** The same figure, called otherwise. */
export const called = <Row>(
  name: string,
  figure: Figure<Row>,
  column: Partial<Column> = {},
): Figure<Row> => ({
  ...figure,
  ...column,
  name,
})

// Tables and charts

interface Row {
  readonly name: string
}

interface TableOptions {
  /** Above the rows' names. */
  readonly head?: string
  readonly note?: string | undefined
}

/** None where there are no rows. */
export function table<R extends Row>(
  title: string,
  rows: readonly R[],
  figures: readonly Figure<R>[],
  { head = '', note }: TableOptions = {},
): Table | undefined {
  if (rows.length === 0) return undefined
  return {
    title,
    columns: [{ name: head }, ...figures.map(({ of: _, ...column }) => column)],
    rows: rows.map((row) => [row.name, ...figures.map((figure) => figure.of(row))]),
    ...(note && { note }),
  }
}

/** The other way round: a row for each metric, all of the same rounds. */
export const figuresTable = <Of extends Params, Data>(
  title: string,
  rounds: Rounds<Of, Data>,
  metrics: readonly Metric<Of, Data>[],
  digits: number,
): Table | undefined =>
  table(
    title,
    metrics.map((one) => ({ name: headOf(one), metric: one })),
    [{ name: 'figure', digits, of: (row) => row.metric.of(rounds) }],
    { head: 'what' },
  )

/** A group for each row, a bar in it for each figure. None where there are no rows. */
export function bars<R extends Row>(
  title: string,
  rows: readonly R[],
  figures: readonly Figure<R>[],
  { unit = figures[0]?.unit ?? '', scale }: { readonly unit?: string; readonly scale?: 'log' } = {},
): BarChart | undefined {
  if (rows.length === 0) return undefined
  return {
    kind: 'bars',
    title,
    unit,
    ...(scale && { scale }),
    groups: rows.map(({ name }) => name),
    series: figures.map((figure) => ({
      name: figure.name,
      values: rows.map((row) => barIn(figure.of(row))),
      ...(figure.published && { published: true }),
    })),
  }
}

const barIn = (cell: Cell): Spread | number | null => (typeof cell === 'string' ? null : cell)

// Aims and headlines

/** A figure that was not measured has no aim. */
export interface AimDeclaration extends Omit<Aim, 'reached' | 'reason'> {
  /** Sentences; those that say nothing are left out. */
  readonly reason?: string | readonly string[]
}

/** Reached where the figure is no greater than the limit. */
const aimsOf = (declared: Unless<AimDeclaration>): Aim[] =>
  whatIs(declared)
    .filter(({ measured }) => !Number.isNaN(measured))
    .map(({ reason, ...rest }) => ({
      ...rest,
      reached: rest.measured <= rest.limit,
      ...(reason !== undefined && { reason: sentences(...[reason].flat()) }),
    }))

/** None where there is no figure of ours. */
interface HeadlineDeclaration extends Pick<Headline, 'what'> {
  readonly ours: string | undefined
  readonly published?: string | undefined
  readonly of?: Headline['of'] | undefined
  readonly beside?: string | undefined | Unless<string>
  readonly aims?: Unless<AimDeclaration>
}

const headlinesOf = (declared: Unless<HeadlineDeclaration>): Headline[] =>
  whatIs(declared).flatMap(({ what, ours, beside = [], published, aims, of }) => {
    const others = whatIs([beside].flat())
    return ours === undefined
      ? []
      : {
          what,
          ours,
          ...(others.length > 0 && { beside: others.join('; ') }),
          ...(published !== undefined && { published }),
          ...(aims && { aims: aimsOf(aims) }),
          ...(of && { of }),
        }
  })

/** `4.2 ms`, or `Hocuspocus 9.1 ms`; undefined where nothing was measured. */
const amount = (value: number, unit: string, digits = 1, whose = ''): string | undefined =>
  Number.isNaN(value) ? undefined : `${whose && `${whose} `}${plain(value, digits)} ${unit}`

// Sections

type Unless<Thing> = readonly (Thing | undefined)[]

/** A section in which anything may be left out, or undefined because it was not measured. */
export interface SectionDeclaration {
  readonly method: string
  readonly tables: Unless<Table>
  readonly charts?: Unless<BarChart | LineChart>
  readonly aims?: Unless<AimDeclaration>
  readonly headlines?: Unless<HeadlineDeclaration>
  readonly notes?: Unless<string>
}

export const sectionOf = ({
  method,
  tables,
  charts = [],
  aims = [],
  headlines = [],
  notes = [],
}: SectionDeclaration): Section => ({
  method,
  tables: whatIs(tables),
  charts: whatIs(charts),
  aims: aimsOf(aims),
  headlines: headlinesOf(headlines),
  notes: whatIs(notes),
})

const whatIs = <Thing>(all: Unless<Thing>): Thing[] => all.filter((thing) => thing !== undefined)
