/** A run as its sections: whatever has been measured so far. */
import { isOf } from '../report/metrics.ts'
import { diskWords, fsyncOf, inGeneral } from '../report/reasons.ts'
import type { Aim, Section } from '../report/section.ts'
import { type Scenario } from '../support/scenario.ts'
import { keyOf, nameOf, type Outcome, type Trial, wordsOf } from '../support/trial.ts'
import type { StoredTrial, RunFolder } from './folder.ts'

export interface ScenarioReport {
  readonly name: string
  readonly sentence: string
  readonly section: Section
  /** Trials that were measured, and those that were not run, or failed. */
  readonly measured: number
  readonly missing: number
  /** What failed, each in words; also of trials that were measured when they were run again. */
  readonly failures: readonly string[]
  /** What ran on a machine that was more than 80 % busy: `relay, websocket, part many, clients 200 (2 of 3)`. */
  readonly saturated: readonly string[]
  /** Milliseconds each of the disk's own fdatasync, between the trials. */
  readonly fsync: readonly number[]
}

/** A scenario that the program does not know any more has no section; one that could not be measured says so. */
export async function readReports(
  folder: RunFolder,
  scenarios: readonly Scenario[],
): Promise<ScenarioReport[]> {
  const reports: ScenarioReport[] = []
  for (const { name, values } of (await folder.info()).scenarios) {
    const bound = scenarios.find((known) => known.name === name)?.bindTo(values)
    if (!bound) continue
    const kept = await folder.keptOf(name)
    const outcomes = inOrder(
      bound.trials,
      kept.filter((one): one is Outcome => !('failed' in one)),
    )
    const failing = kept.filter((one) => 'failed' in one).length
    const failures = kept.flatMap(failureWords)
    const planned = new Set([...bound.trials, ...kept.map(({ trial }) => trial)].map(keyOf)).size
    const section = outcomes.length > 0 ? explained(bound.report(outcomes), outcomes) : nothing
    const notes = [...section.notes, ...healthNotes(outcomes, { failing, failures, planned })]
    reports.push({
      name,
      sentence: bound.scenario.sentence,
      section: { ...section, notes },
      measured: outcomes.length,
      missing: planned - outcomes.length,
      failures,
      saturated: saturatedOf(outcomes),
      fsync: fsyncOf({ outcomes }),
    })
  }
  return reports
}

/** As planned; behind them what would not be planned here, where a recording or a RAM disk that was there is not. */
function inOrder(trials: readonly Trial[], outcomes: readonly Outcome[]): Outcome[] {
  const places = new Map(trials.map((trial, index) => [keyOf(trial), index]))
  const placeOf = ({ trial }: Outcome): number => places.get(keyOf(trial)) ?? trials.length
  return outcomes.toSorted((a, b) => placeOf(a) - placeOf(b) || a.at.localeCompare(b.at))
}

/** No aim is missed without words, and no row hides that it tells of waiting for a core. */
function explained(section: Section, outcomes: readonly Outcome[]): Section {
  const explain = (aim: Aim): Aim =>
    aim.reached || aim.reason ? aim : { ...aim, reason: inGeneral({ outcomes }) }
  return {
    ...section,
    aims: section.aims.map(explain),
    headlines: section.headlines.map((headline) => {
      const own = outcomes.filter(({ trial }) => isOf(trial, headline.of ?? {}))
      const count = own.filter(({ saturated }) => saturated).length
      return {
        ...headline,
        aims: headline.aims?.map(explain) ?? [],
        ...(count > 0 && { saturated: { count, trials: own.length } }),
      }
    }),
  }
}

const nothing: Section = { method: '', tables: [], charts: [], aims: [], headlines: [], notes: [] }

interface Health {
  /** Trials. */
  readonly planned: number
  readonly failing: number
  readonly failures: readonly string[]
}

function healthNotes(outcomes: readonly Outcome[], { planned, failing, failures }: Health): string[] {
  const saturated = outcomes.filter((one) => one.saturated)
  const missing = planned - outcomes.length - failing
  const most = Math.max(...outcomes.map(({ load }) => load))
  const fsync = fsyncOf({ outcomes })
  return [
    ...(planned === 0 ? ['Nothing was measured: something that it needs was not there.'] : []),
    ...(outcomes.length > 0
      ? [`${outcomes.length} trials; the machine was at most ${Math.round(most * 100)} % busy.`]
      : []),
    ...(saturated.length > 0
      ? [
          `SATURATED: ${saturated.length} of ${outcomes.length} trials ran on a machine more than 80 % busy${saturated.length < outcomes.length ? ` (${saturatedOf(outcomes).join('; ')})` : ''}: their times tell of waiting for a core.`,
        ]
      : []),
    ...(fsync.length > 0 ? [`The disk by itself, between these trials: ${diskWords(fsync)}.`] : []),
    ...failures.map((failure) => `FAILED: ${failure}`),
    ...(missing > 0 ? [`${missing} of ${planned} trials have not been run.`] : []),
  ]
}

/** In words. One that was run again may have been measured since. */
function failureWords(kept: StoredTrial): string[] {
  const words = (failed: string): string => `${wordsOf(kept.trial)}: ${failed.split('\n')[0]}`
  return [
    ...(kept.failedBefore ?? []).map((failed) => `${words(failed)}, and was run again`),
    ...('failed' in kept ? [words(kept.failed)] : []),
  ]
}

function saturatedOf(outcomes: readonly Outcome[]): string[] {
  const alike = Map.groupBy(outcomes, ({ trial }) => nameOf(trial))
  return [...alike].flatMap(([name, rounds]) => {
    const count = rounds.filter(({ saturated }) => saturated).length
    return count > 0 ? [`${name} (${count} of ${rounds.length})`] : []
  })
}
