/**
 * Declares what scenarios measure. A metric says how a figure is called, in which unit, how it is taken from the outcomes, whether
 * less or more is better, and whether somebody else published it. Tables, charts, aims, headlines and `compare` are made of metrics.
 */
import { type Samples, summaryOf } from '../support/histogram.ts'
import { overRounds, type Spread, summarise, type Summary } from '../support/stats.ts'
import type { Outcome, Params, Trial } from '../support/trial.ts'
import { columnHead, formatFixed, isSpread } from './format-figures.ts'
import { busyReason, joinSentences, lossReason } from './miss-reasons.ts'
import type { Aim, Axis, BarChart, Cell, Column, Headline, LineChart, Section, Table } from './section.ts'

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

// Tables and charts

interface Row {
  readonly name: string
}

interface TableOptions {
  /** The heading of the first column, which has the rows' names. */
  readonly head?: string
  readonly note?: string | undefined
}

/** Undefined if there are no rows. */
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

/** A table with a row for each metric, all of the same rounds. */
export const figuresTable = <Of extends Params, Data>(
  title: string,
  rounds: Rounds<Of, Data>,
  metrics: readonly Metric<Of, Data>[],
  digits: number,
): Table | undefined =>
  table(
    title,
    metrics.map((one) => ({ name: columnHead(one), metric: one })),
    [{ name: 'figure', digits, of: (row) => row.metric.of(rounds) }],
    { head: 'what' },
  )

/** A chart with a group for each row and a bar in it for each figure. Undefined if there are no rows. */
export function barChart<R extends Row>(
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
      values: rows.map((row) => barValue(figure.of(row))),
      ...(figure.published && { published: true }),
    })),
  }
}

const barValue = (cell: Cell): Spread | number | null => (typeof cell === 'string' ? null : cell)

/** A chart with a line for each row. */
export const lineChart = <R extends Row>(
  title: string,
  { x, y }: { readonly x: Axis; readonly y: Axis },
  rows: readonly R[],
  pointsOf: (row: R) => readonly (readonly [x: number, y: number])[],
): LineChart => ({
  kind: 'lines',
  title,
  x,
  y,
  series: rows.map((row) => ({ name: row.name, points: pointsOf(row) })),
})

// Aims

/** An aim whose figure is NaN is left out. */
export interface AimDeclaration extends Omit<Aim, 'reached' | 'reason'> {
  /** Sentences; empty ones are left out. */
  readonly reason?: string | readonly string[]
}

interface AimOptions<Of extends Params, Data> {
  readonly atMost: number
  readonly of: Rounds<Of, Data>
  /** What the figure of `of` is divided by. */
  readonly beside?: Rounds<Of, Data>
  readonly sum?: string
  /** Sentences for a missed aim. How busy the machine was follows by itself. */
  readonly reasons?: readonly string[]
}

/** Limits the median of a metric, or its ratio to the same metric of others. */
export const aim = <Of extends Params, Data>(
  name: string,
  figure: Metric<Of, Data>,
  { atMost, of, beside, sum, reasons = [] }: AimOptions<Of, Data>,
): AimDeclaration => ({
  name,
  measured: beside ? ratio(figure, of, beside) : of.median(figure),
  limit: atMost,
  unit: beside ? '×' : (figure.unit ?? ''),
  ...(sum !== undefined && { sum }),
  reason: [...reasons, busyReason(of)],
})

/** Limits to 0 what must never happen. @param where Where it was found: `round 2: 3 lost`. */
export const neverAim = (
  name: string,
  unit: string,
  measured: number,
  where: readonly string[] = [],
): AimDeclaration => ({ name, measured, limit: 0, unit, reason: lossReason(where) })

/** An aim is reached if the figure is no greater than the limit. */
const aimsOf = (declared: OptionalList<AimDeclaration>): Aim[] =>
  dropUndefined(declared)
    .filter(({ measured }) => !Number.isNaN(measured))
    .map(({ reason, ...rest }) => ({
      ...rest,
      reached: rest.measured <= rest.limit,
      ...(reason !== undefined && { reason: joinSentences(...[reason].flat()) }),
    }))

// Headlines

/** A headline is left out if it has no figure of ours. */
interface HeadlineDeclaration extends Pick<Headline, 'what'> {
  readonly ours: string | undefined
  readonly published?: string | undefined
  readonly of?: Headline['of'] | undefined
  readonly beside?: string | undefined | OptionalList<string>
  readonly aims?: OptionalList<AimDeclaration>
}

/** Puts our median beside those of peers. There is no figure of ours if no peer was measured. @param peers By the name to show. */
export function besidePeers<Of extends Params, Data>(
  figure: Metric<Of, Data>,
  ours: Rounds<Of, Data>,
  peers: Readonly<Record<string, Rounds<Of, Data>>>,
  digits = figure.digits,
): Pick<HeadlineDeclaration, 'ours' | 'beside'> {
  const beside = Object.entries(peers).map(([name, rounds]) => rounds.medianText(figure, name, digits))
  return { ours: beside.some(Boolean) ? ours.medianText(figure, '', digits) : undefined, beside }
}

const headlinesOf = (declared: OptionalList<HeadlineDeclaration>): Headline[] =>
  dropUndefined(declared).flatMap(({ what, ours, beside = [], published, aims, of }) => {
    const others = dropUndefined([beside].flat())
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

/** `4.2 ms`, or `Hocuspocus 9.1 ms`; undefined for NaN, which is what was not measured. */
export const amountText = (value: number, unit: string, digits = 1, whose = ''): string | undefined =>
  Number.isNaN(value) ? undefined : `${whose} ${formatFixed(value, digits)} ${unit}`.trim()

// Sections

type OptionalList<Item> = readonly (Item | undefined)[]

/** A section in which an item is undefined, or a list is missing, if it was not measured. */
export interface SectionDeclaration {
  readonly method: string
  readonly tables: OptionalList<Table>
  readonly charts?: OptionalList<BarChart | LineChart>
  readonly aims?: OptionalList<AimDeclaration>
  readonly headlines?: OptionalList<HeadlineDeclaration>
  readonly notes?: OptionalList<string>
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
  tables: dropUndefined(tables),
  charts: dropUndefined(charts),
  aims: aimsOf(aims),
  headlines: headlinesOf(headlines),
  notes: dropUndefined(notes),
})

/** Makes one section of parts of a scenario that report by themselves. */
export const joinSections = (parts: readonly SectionDeclaration[]): SectionDeclaration => ({
  method: parts.map(({ method }) => method).join(' '),
  tables: parts.flatMap(({ tables }) => tables),
  charts: parts.flatMap(({ charts = [] }) => charts),
  aims: parts.flatMap(({ aims = [] }) => aims),
  headlines: parts.flatMap(({ headlines = [] }) => headlines),
  notes: parts.flatMap(({ notes = [] }) => notes),
})

const dropUndefined = <Item>(all: OptionalList<Item>): Item[] => all.filter((item) => item !== undefined)
