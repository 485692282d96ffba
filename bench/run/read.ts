/** A run as its sections: whatever has been measured so far. */
import { becauseBusy, diskWords, fsyncOf } from '../report/reasons.ts'
import type { Aim, Section } from '../report/section.ts'
import { keyOf, type Outcome, type Scenario, type Trial, wordsOf } from '../support/scenario.ts'
import type { Failure, RunFolder } from './folder.ts'

export interface Told {
  readonly name: string
  readonly sentence: string
  readonly section: Section
  /** Trials that were measured, and those that were not run, or failed. */
  readonly measured: number
  readonly missing: number
  /** Milliseconds each of the disk's own fdatasync, between the trials. */
  readonly fsync: readonly number[]
}

/** A scenario that the program does not know any more has no section; one that could not be measured says so. */
export async function sectionsOf(folder: RunFolder, scenarios: readonly Scenario[]): Promise<Told[]> {
  const told: Told[] = []
  for (const { name, values } of (await folder.info()).scenarios) {
    const bound = scenarios.find((known) => known.name === name)?.bindTo(values)
    if (!bound) continue
    const kept = await folder.keptOf(name)
    const outcomes = inOrder(
      bound.trials,
      kept.filter((one): one is Outcome => !('failed' in one)),
    )
    const failures = kept.filter((one): one is Failure => 'failed' in one)
    const planned = new Set([...bound.trials, ...kept.map(({ trial }) => trial)].map(keyOf)).size
    const section = outcomes.length > 0 ? explained(bound.report(outcomes), outcomes) : nothing
    const notes = [...section.notes, ...healthNotes(outcomes, failures, planned)]
    told.push({
      name,
      sentence: bound.scenario.sentence,
      section: { ...section, notes },
      measured: outcomes.length,
      missing: planned - outcomes.length,
      fsync: fsyncOf(outcomes),
    })
  }
  return told
}

/** As planned; behind them what would not be planned here, where a recording or a RAM disk that was there is not. */
function inOrder(trials: readonly Trial[], outcomes: readonly Outcome[]): Outcome[] {
  const places = new Map(trials.map((trial, index) => [keyOf(trial), index]))
  const placeOf = ({ trial }: Outcome): number => places.get(keyOf(trial)) ?? trials.length
  return outcomes.toSorted((a, b) => placeOf(a) - placeOf(b) || a.at.localeCompare(b.at))
}

/** A time that was missed without a reason of its own has the machine's, where there is one. */
function explained(section: Section, outcomes: readonly Outcome[]): Section {
  const busy = becauseBusy(outcomes)
  const explain = (aim: Aim): Aim =>
    busy && aim.unit === 'ms' && !aim.reached && !aim.reason ? { ...aim, reason: busy } : aim
  return {
    ...section,
    aims: section.aims.map(explain),
    headlines: section.headlines.map((headline) => ({
      ...headline,
      aims: headline.aims?.map(explain) ?? [],
    })),
  }
}

const nothing: Section = { method: '', tables: [], charts: [], aims: [], headlines: [], notes: [] }

function healthNotes(outcomes: readonly Outcome[], failures: readonly Failure[], planned: number): string[] {
  const saturated = outcomes.filter((one) => one.saturated)
  const missing = planned - outcomes.length - failures.length
  const most = Math.max(...outcomes.map(({ load }) => load))
  const fsync = fsyncOf(outcomes)
  return [
    ...(planned === 0 ? ['Nothing was measured: something that it needs was not there.'] : []),
    ...(outcomes.length > 0
      ? [`${outcomes.length} trials; the machine was at most ${Math.round(most * 100)} % busy.`]
      : []),
    ...(saturated.length > 0
      ? [
          `SATURATED: ${saturated.length} of ${outcomes.length} trials ran on a machine more than 80 % busy${saturated.length < outcomes.length ? ` (${namesOf(saturated)})` : ''}: their times tell of waiting for a core.`,
        ]
      : []),
    ...(fsync.length > 0 ? [`The disk by itself, between these trials: ${diskWords(fsync)}.`] : []),
    ...failures.map(({ trial, failed }) => `FAILED: ${wordsOf(trial)}: ${failed.split('\n')[0]}`),
    ...(missing > 0 ? [`${missing} of ${planned} trials have not been run.`] : []),
  ]
}

const namesOf = (outcomes: readonly Outcome[]): string =>
  [...new Set(outcomes.map(({ trial: { subject, lane } }) => `${subject} ${lane}`))].join('; ')
