/** A run as its sections: whatever has been measured so far. */
import type { Section } from '../report/section.ts'
import { type Outcome, type Scenario, wordsOf } from '../support/scenario.ts'
import type { Failure, RunFolder } from './folder.ts'

export interface Told {
  readonly name: string
  readonly sentence: string
  readonly section: Section
}

/** A scenario that the program does not know any more has no section; one that could not be measured says so. */
export async function sectionsOf(folder: RunFolder, scenarios: readonly Scenario[]): Promise<Told[]> {
  const told: Told[] = []
  for (const { name, values } of (await folder.info()).scenarios) {
    const bound = scenarios.find((known) => known.name === name)?.bindTo(values)
    if (!bound) continue
    const kept = await Promise.all(bound.trials.map((trial) => folder.kept(name, trial)))
    const outcomes = kept.filter((one): one is Outcome => one !== undefined && !('failed' in one))
    const failures = kept.filter((one): one is Failure => one !== undefined && 'failed' in one)
    const section = outcomes.length > 0 ? bound.report(outcomes) : nothing
    const notes = [...section.notes, ...healthNotes(outcomes, failures, bound.trials.length)]
    told.push({ name, sentence: bound.scenario.sentence, section: { ...section, notes } })
  }
  return told
}

const nothing: Section = { method: '', tables: [], charts: [], aims: [], headlines: [], notes: [] }

function healthNotes(outcomes: readonly Outcome[], failures: readonly Failure[], planned: number): string[] {
  const saturated = outcomes.filter((one) => one.saturated)
  const missing = planned - outcomes.length - failures.length
  const most = Math.max(...outcomes.map(({ load }) => load))
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
    ...failures.map(({ trial, failed }) => `FAILED: ${wordsOf(trial)}: ${failed.split('\n')[0]}`),
    ...(missing > 0 ? [`${missing} of ${planned} trials have not been run.`] : []),
  ]
}

const namesOf = (outcomes: readonly Outcome[]): string =>
  [...new Set(outcomes.map(({ trial: { subject, lane } }) => `${subject} ${lane}`))].join('; ')
