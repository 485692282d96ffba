/**
 * What a benchmark is: a plan of trials, how one of them is run, and what the outcomes of all say. The runner (bench/run) interleaves
 * nothing by itself: the order of the plan is the order of the run.
 */
import { Rounds } from '../report/metrics.ts'
import { type SectionDeclaration, sectionOf } from '../report/section-declaration.ts'
import type { Section } from '../report/section.ts'
import type { Context } from './context.ts'
import { number, type Option, type Options, readOptions, type Values } from './options.ts'
import { keyOf, type Outcome, type Params, type Trial, type TrialPlan, trialsOf } from './trial.ts'

export interface Definition<Own extends Options, Of extends Params, Data> {
  readonly name: string
  readonly sentence: string
  readonly options: Own
  /** How often each trial is made unless `--rounds` says otherwise: 3 by default. */
  readonly rounds?: number
  /** The options that `--quick` sets, as text like that of the command line. It makes one round by default. */
  readonly quick: { readonly [Name in keyof Own]?: string }
  /** It opens pages in a browser: they are built before the first trial. */
  readonly pages?: boolean
  /** Every trial of the first round in the order they are run in. */
  plan(values: Values<Own> & Rounded): TrialPlan<Of>
  /** Seconds that one trial takes. */
  estimate(trial: Trial<Of>, values: Values<Own>): number
  /** Why this machine cannot run the trial, as a sentence without its full stop; null where it can. The report then says so in its place. */
  missing?(trial: Trial<Of>): string | null
  /** Returns plain JSON with the raw samples: what is not in it cannot be in the report. Throws when it could not measure. */
  run(trial: Trial<Of>, ctx: Context, values: Values<Own>): Promise<Data>
  /** Pure: it is called for runs of last week, too, and for runs that were broken off. There is at least one outcome. */
  report(all: Rounds<Of, Data>, values: Values<Own>): SectionDeclaration
}

/** The options that every scenario has. */
interface Rounded {
  readonly rounds: number
}

/** A definition with its own types hidden, bound to values. */
export interface BoundScenario {
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
  bind(args: readonly string[], quick: boolean): BoundScenario
  /** To values that an earlier run was given; options that it did not know yet have their defaults. */
  bindTo(values: Readonly<Record<string, unknown>>): BoundScenario
}

export function scenario<Own extends Options, Of extends Params, Data>(
  definition: Definition<Own, Of, Data>,
): Scenario {
  const { name, sentence, pages = false } = definition
  const rounds = number('rounds; the order within them alternates: A B, B A', definition.rounds ?? 3, 1, 100)
  const options = { rounds, ...definition.options }
  const quick = { rounds: '1', ...definition.quick }
  const made: Scenario = {
    name,
    sentence,
    options,
    pages,
    bind: (args, isQuick) => made.bindTo(readOptions(isQuick ? withDefaults(options, quick) : options, args)),
    bindTo: (given) => {
      const values = { ...readOptions(options, []), ...given } as Values<Own> & Rounded
      return {
        scenario: made,
        values: given,
        trials: distinct(name, trialsOf(definition.plan(values), values.rounds)),
        estimate: (trial) => definition.estimate(trial as Trial<Of>, values),
        async run(trial, ctx) {
          const skipped = definition.missing?.(trial as Trial<Of>) ?? null
          return skipped === null ? definition.run(trial as Trial<Of>, ctx, values) : { skipped }
        },
        report(outcomes) {
          const all = new Rounds(outcomes as readonly Outcome<Of, Data>[])
          const measured = all.filter((outcome) => !isSkipped(outcome))
          const section: SectionDeclaration = measured.isEmpty
            ? { method: sentence, tables: [] }
            : definition.report(measured, values)
          return sectionOf({ ...section, notes: [...(section.notes ?? []), ...skippedWords(outcomes)] })
        },
      }
    },
  }
  return made
}

/** What is kept of a trial that the machine could not run. */
interface SkippedTrial {
  readonly skipped: string
}

const isSkipped = (outcome: Outcome): outcome is Outcome<Params, SkippedTrial> =>
  typeof outcome.data === 'object' && outcome.data !== null && 'skipped' in outcome.data

/** A sentence for each reason. */
function skippedWords(outcomes: readonly Outcome[]): string[] {
  const byReason = Map.groupBy(outcomes.filter(isSkipped), ({ data }) => data.skipped)
  return [...byReason].map(([reason, all]) => {
    const trials = new Set(all.map(({ trial: { subject, lane } }) => `${subject} (${lane})`))
    return `Skipped: ${[...trials].join('; ')}. ${reason}.`
  })
}

const withDefaults = (options: Options, quick: { readonly [name: string]: string | undefined }): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]): [string, Option<unknown>] => [
      name,
      { ...option, default: quick[name] ?? option.default },
    ]),
  )

function distinct<Of extends Params>(name: string, trials: readonly Trial<Of>[]): readonly Trial<Of>[] {
  const seen = new Set<string>()
  for (const key of trials.map(keyOf)) {
    if (seen.has(key)) throw new Error(`${name} plans the same trial twice: ${key}`)
    seen.add(key)
  }
  return trials
}
