/** Reads a run as reports, one for each scenario, of whatever has been measured so far. */
import { hasValues } from '../report/metrics.ts'
import { diskText, fsyncTimes, highestLoad, machineReason } from '../report/miss-reasons.ts'
import type { Aim, Section } from '../report/section.ts'
import { type Scenario } from '../support/scenario.ts'
import { keyOf, nameOf, type Outcome, type Trial, wordsOf } from '../support/trial.ts'
import { trialCount } from './progress.ts'
import type { StoredTrial, RunFolder } from './run-folder.ts'

export interface ScenarioReport {
  readonly name: string
  readonly sentence: string
  readonly section: Section
  /** The number of trials that were measured, and of those that were not run or failed. */
  readonly measured: number
  readonly missing: number
  /** A text for each failure, also of trials that were measured when they were run again. */
  readonly failures: readonly string[]
  /** The trials that ran on a machine more than 80 % busy: `relay, websocket, part many, clients 200 (2 of 3)`. */
  readonly saturated: readonly string[]
  /** The disk's own fdatasync between the trials, in milliseconds. */
  readonly fsync: readonly number[]
}

/** Leaves out scenarios that the program no longer has. A scenario that could not be measured says so in its report. */
export async function readReports(
  folder: RunFolder,
  scenarios: readonly Scenario[],
): Promise<ScenarioReport[]> {
  const reports: ScenarioReport[] = []
  for (const { name, values } of (await folder.readInfo()).scenarios) {
    const bound = scenarios.find((known) => known.name === name)?.bindTo(values)
    if (!bound) continue
    const stored = await folder.readTrials(name)
    const outcomes = sortByPlan(
      bound.trials,
      stored.filter((one): one is Outcome => !('failed' in one)),
    )
    const failures = stored.flatMap(failureTexts)
    const planned = new Set([...bound.trials, ...stored.map(({ trial }) => trial)].map(keyOf)).size
    const section = outcomes.length > 0 ? addMachine(bound.report(outcomes), outcomes) : emptySection
    const counts = { planned, waiting: planned - stored.length, failures }
    reports.push({
      name,
      sentence: bound.scenario.sentence,
      section: { ...section, notes: [...section.notes, ...healthNotes(outcomes, counts)] },
      measured: outcomes.length,
      missing: planned - outcomes.length,
      failures,
      saturated: saturatedTrials(outcomes),
      fsync: fsyncTimes({ outcomes }),
    })
  }
  return reports
}

/** Sorts by the plan. Trials that would not be planned on this machine, which lacks a recording or a RAM disk, come last. */
function sortByPlan(trials: readonly Trial[], outcomes: readonly Outcome[]): Outcome[] {
  const places = new Map(trials.map((trial, index) => [keyOf(trial), index]))
  const placeOf = ({ trial }: Outcome): number => places.get(keyOf(trial)) ?? trials.length
  return outcomes.toSorted((a, b) => placeOf(a) - placeOf(b) || a.at.localeCompare(b.at))
}

/** Gives a reason to each missed aim that has none, and marks the headlines whose trials ran on a busy machine. */
function addMachine(section: Section, outcomes: readonly Outcome[]): Section {
  const explain = (aim: Aim): Aim =>
    aim.reached || aim.reason ? aim : { ...aim, reason: machineReason({ outcomes }) }
  return {
    ...section,
    aims: section.aims.map(explain),
    headlines: section.headlines.map((headline) => {
      const own = outcomes.filter(({ trial }) => hasValues(trial, headline.of ?? {}))
      const count = own.filter(({ saturated }) => saturated).length
      return {
        ...headline,
        aims: headline.aims?.map(explain) ?? [],
        ...(count > 0 && { saturated: { count, trials: own.length } }),
      }
    }),
  }
}

const emptySection: Section = { method: '', tables: [], charts: [], aims: [], headlines: [], notes: [] }

interface TrialCounts {
  readonly planned: number
  /** The number of trials that have not been run. */
  readonly waiting: number
  readonly failures: readonly string[]
}

function healthNotes(outcomes: readonly Outcome[], { planned, waiting, failures }: TrialCounts): string[] {
  const saturated = outcomes.filter((one) => one.saturated).length
  const all = outcomes.length
  return [
    planned === 0 && 'Nothing was measured, because something that it needs is missing here.',
    all > 0 && `${trialCount(all)}; the machine was at most ${highestLoad(outcomes)} % busy.`,
    saturated > 0 &&
      `SATURATED: ${saturated} of ${trialCount(all)} ran on a machine more than 80 % busy${saturated < all ? ` (${saturatedTrials(outcomes).join('; ')})` : ''}: their times include waiting for a core.`,
    diskText({ outcomes }),
    ...failures.map((failure) => `FAILED: ${failure}`),
    waiting > 0 && `${waiting} of ${planned} trials have not been run.`,
  ].filter((note): note is string => Boolean(note))
}

/** A trial that was run again has a text for each failure. It may have been measured since. */
function failureTexts(stored: StoredTrial): string[] {
  const createText = (failed: string): string => `${wordsOf(stored.trial)}: ${failed.split('\n')[0]}`
  return [
    ...(stored.failedBefore ?? []).map((failed) => `${createText(failed)}, and was run again`),
    ...('failed' in stored ? [createText(stored.failed)] : []),
  ]
}

function saturatedTrials(outcomes: readonly Outcome[]): string[] {
  const alike = Map.groupBy(outcomes, ({ trial }) => nameOf(trial))
  return [...alike].flatMap(([name, rounds]) => {
    const count = rounds.filter(({ saturated }) => saturated).length
    return count > 0 ? [`${name} (${count} of ${rounds.length})`] : []
  })
}
