/**
 * What a benchmark is: a plan of trials, how one of them is run, and what the outcomes of all say. The runner (bench/run) interleaves
 * nothing by itself: the order of the plan is the order of the run.
 */
import type { Section } from '../report/section.ts'
import type { Context } from './context.ts'
import { type Option, type Options, readOptions, type Values } from './options.ts'

/** What a trial is about beside subject and lane: `{ clients: 200 }`. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** One measurement of one subject. It starts from nothing and leaves nothing behind, so that a run can go on from any of them. */
export interface Trial<Of extends Params = Params> {
  /** What is measured: `diptych`, `hocuspocus`. */
  readonly subject: string
  /** The way it is measured by: a transport, or what there is instead. */
  readonly lane: string
  readonly params: Of
  /** From 1. */
  readonly round: number
}

/** A trial and what came of it, as it is kept in the run's folder. */
export interface Outcome<Of extends Params = Params, Data = unknown> {
  readonly trial: Trial<Of>
  readonly data: Data
  /** ISO 8601, at the end of the trial. */
  readonly at: string
  readonly seconds: number
  /** Of all cores, 0 to 1, while `ctx.measure` ran; of the whole trial where it was not used. */
  readonly load: number
  /** The load was above 80 %: what was measured is the waiting for a core. */
  readonly saturated: boolean
  /** Milliseconds each of the disk's own fdatasync right before the trial; runs of before had none. */
  readonly fsync?: readonly number[]
}

export interface Definition<Own extends Options, Of extends Params, Data> {
  readonly name: string
  readonly sentence: string
  readonly options: Own
  /** Of the options what `--quick` sets, as text on the command line would be. */
  readonly quick: { readonly [Name in keyof Own]?: string }
  /** It opens pages in a browser: they are built before the first trial. */
  readonly pages?: boolean
  /** Every trial in the order they are run in: see `interleaved`. */
  plan(values: Values<Own>): readonly Trial<Of>[]
  /** Seconds that one trial takes. */
  estimate(trial: Trial<Of>, values: Values<Own>): number
  /** Returns plain JSON with the raw samples: what is not in it cannot be in the report. Throws when it could not measure. */
  run(trial: Trial<Of>, ctx: Context, values: Values<Own>): Promise<Data>
  /** Pure: it is called for runs of last week, too, and for runs that were broken off. `outcomes` is never empty. */
  report(outcomes: readonly Outcome<Of, Data>[], values: Values<Own>): Section
}

/** A definition with its own types hidden, bound to values. */
export interface Bound {
  readonly scenario: Scenario
  /** As given, defaults and all: kept with the run. */
  readonly values: Readonly<Record<string, unknown>>
  readonly trials: readonly Trial[]
  estimate(trial: Trial): number
  run(trial: Trial, ctx: Context): Promise<unknown>
  report(outcomes: readonly Outcome[]): Section
}

export interface Scenario {
  readonly name: string
  readonly sentence: string
  readonly options: Options
  readonly pages: boolean
  /** @throws {UsageError} for an unknown option, or a value that is not allowed. */
  bind(args: readonly string[], quick: boolean): Bound
  /** To values that an earlier run was given; options that it did not know yet have their defaults. */
  bindTo(values: Readonly<Record<string, unknown>>): Bound
}

export function scenario<Own extends Options, Of extends Params, Data>(
  definition: Definition<Own, Of, Data>,
): Scenario {
  const { name, sentence, options, quick, pages = false } = definition
  const made: Scenario = {
    name,
    sentence,
    options,
    pages,
    bind: (args, isQuick) => made.bindTo(readOptions(isQuick ? withDefaults(options, quick) : options, args)),
    bindTo: (given) => {
      const values = { ...readOptions(options, []), ...given } as Values<Own>
      return {
        scenario: made,
        values: given,
        trials: distinct(name, definition.plan(values)),
        estimate: (trial) => definition.estimate(trial as Trial<Of>, values),
        run: (trial, ctx) => definition.run(trial as Trial<Of>, ctx, values),
        report: (outcomes) => definition.report(outcomes as readonly Outcome<Of, Data>[], values),
      }
    },
  }
  return made
}

const withDefaults = (options: Options, quick: { readonly [name: string]: string | undefined }): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]): [string, Option<unknown>] => [
      name,
      { ...option, default: quick[name] ?? option.default },
    ]),
  )

/** Names a trial among all of its scenario; also its file's name. */
export function keyOf({ subject, lane, params, round }: Trial): string {
  const more = Object.entries(params).map(([name, value]) => `${name}=${value}`)
  return [subject, lane, ...more, `round=${round}`]
    .map((part) => part.toLowerCase().replaceAll(/[^a-z0-9.=]+/g, '-'))
    .join('~')
}

/** `diptych, websocket, clients 60` */
export const nameOf = ({ subject, lane, params }: Trial): string =>
  [subject, lane, ...Object.entries(params).map(([name, value]) => `${name} ${value}`)].join(', ')

/** `diptych, websocket, clients 60, round 1` */
export const wordsOf = (trial: Trial): string => `${nameOf(trial)}, round ${trial.round}`

function distinct<Of extends Params>(name: string, trials: readonly Trial<Of>[]): readonly Trial<Of>[] {
  const seen = new Set<string>()
  for (const key of trials.map(keyOf)) {
    if (seen.has(key)) throw new Error(`${name} plans the same trial twice: ${key}`)
    seen.add(key)
  }
  return trials
}

/** Rounds of the same items, every other one backwards: A B, B A. What drifts meets all alike. */
export const interleaved = <Item>(
  rounds: number,
  items: readonly Item[],
): { readonly round: number; readonly item: Item }[] =>
  Array.from({ length: rounds }, (_, index) =>
    (index % 2 === 0 ? items : items.toReversed()).map((item) => ({ round: index + 1, item })),
  ).flat()
