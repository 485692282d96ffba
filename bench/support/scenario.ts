/**
 * Defines a benchmark: it plans trials, runs one of them, and reports the outcomes of all. The runner (bench/run) keeps the order of
 * the plan.
 */
import { faultNote } from '../report/fault-note.ts'
import { Rounds } from '../report/metrics.ts'
import { type SectionDeclaration, sectionOf } from '../report/section-declaration.ts'
import type { Section } from '../report/section.ts'
import type { Context } from './context.ts'
import { number, type Option, type Options, readOptions, type Values } from './options.ts'
import { keyOf, type Outcome, type Params, type Trial, type TrialPlan, trialsOf, wordsOf } from './trial.ts'

export interface ScenarioDefinition<Own extends Options, Of extends Params, Data> {
  readonly name: string
  readonly sentence: string
  readonly options: Own
  /** The number of rounds unless `--rounds` says otherwise; 3 by default. */
  readonly rounds?: number
  /**
   * The options that `--quick` sets, as text like that of the command line. A quick run has one round by default. It shows that everything
   * works and roughly what comes out, so it leaves out what takes long and adds little, such as a server that another scenario's quick run
   * measures.
   */
  readonly quick: { readonly [Name in keyof Own]?: string }
  /** The scenario opens pages in a browser, which are built before the first trial. */
  readonly pages?: boolean
  /** Returns the trials of the first round, in order. */
  plan(values: Values<Own> & Rounded): TrialPlan<Of>
  /** Returns how many seconds a trial takes. */
  estimate(trial: Trial<Of>, values: Values<Own>): number
  /** Returns why this machine cannot run the trial, for the report, as a sentence without a full stop; null if it can. */
  missing?(trial: Trial<Of>): string | null
  /** Returns plain JSON with the raw samples, from which everything in the report comes. @throws {Error} when it cannot measure. */
  run(trial: Trial<Of>, ctx: Context, values: Values<Own>): Promise<Data>
  /** Is pure, because it also reports earlier and unfinished runs. There is at least one outcome. */
  report(all: Rounds<Of, Data>, values: Values<Own>): SectionDeclaration
}

/** The option that every scenario has. */
interface Rounded {
  readonly rounds: number
}

/** A scenario with the values of its options, without its own types. */
export interface BoundScenario {
  readonly scenario: Scenario
  /** The values that are kept with the run, defaults included. */
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
  /** Binds to the values of an earlier run; options that it did not have get their defaults. */
  bindTo(values: Readonly<Record<string, unknown>>): BoundScenario
}

export function scenario<Own extends Options, Of extends Params, Data>(
  definition: ScenarioDefinition<Own, Of, Data>,
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
          const notes = [...(section.notes ?? []), refusalNote(outcomes), ...skippedWords(outcomes)]
          return sectionOf({ ...section, notes })
        },
      }
    },
  }
  return made
}

/** The data of a trial that the machine could not run. */
interface SkippedTrial {
  readonly skipped: string
}

const isSkipped = (outcome: Outcome): outcome is Outcome<Params, SkippedTrial> =>
  typeof outcome.data === 'object' && outcome.data !== null && 'skipped' in outcome.data

/** The load of a scenario is honest: a server that refuses some of it has a limit that is too low, or a price that is too high. */
function refusalNote(outcomes: readonly Outcome[]): string | undefined {
  const faults = outcomes.flatMap(({ trial, refusals = {} }) => {
    const counts = Object.entries(refusals).map(([what, count]) => `${what}: ${count}`)
    return counts.length > 0 ? [`${wordsOf(trial)} (${counts.join(', ')})`] : []
  })
  return faultNote('The server refused somebody, or let them wait,', faults, outcomes.length)
}

/** Returns a sentence for each reason. */
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
