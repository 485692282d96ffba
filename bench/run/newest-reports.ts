/** Chooses one report for each scenario if several runs have measured it. */
import type { Scenario } from '../support/scenario.ts'
import type { RunFolder, RunInfo } from './run-folder.ts'
import { readReports, type ScenarioReport } from './read-reports.ts'

export interface ChosenReport {
  readonly info: RunInfo
  readonly report: ScenarioReport
  /** `rounds 1`: the options that were not the defaults. Quick runs name none. */
  readonly otherOptions: readonly string[]
  /** The failures in this run and in later runs that were passed over because of them, each with its run's name. */
  readonly failed: readonly string[]
}

/**
 * Chooses for each scenario, in their order, the newest run that measured all its trials with the default options; else the newest such
 * run with other options; else the newest such quick run; else, with `acceptUnfinished`, the newest run with any of its trials.
 */
export async function newestReports(
  runs: readonly RunFolder[],
  scenarios: readonly Scenario[],
  { acceptUnfinished }: { readonly acceptUnfinished: boolean },
): Promise<ChosenReport[]> {
  const candidates: Candidate[] = []
  for (const run of runs) {
    const info = await run.readInfo()
    for (const report of await readReports(run, scenarios)) {
      const otherOptions = otherOptionsOf(info, scenarios, report.name)
      const rank = rankOf(info, report, otherOptions)
      candidates.push({ run: run.name, info, report, otherOptions, rank })
    }
  }
  return scenarios.flatMap(({ name }) => {
    const own = candidates.filter(({ report }) => report.name === name)
    const [picked] = own
      .filter(({ report: { measured, missing } }) => measured > 0 && (acceptUnfinished || missing === 0))
      .toSorted((a, b) => a.rank - b.rank || startOf(b).localeCompare(startOf(a)))
    return picked ? [{ ...picked, failed: failedSince(picked, own) }] : []
  })
}

interface Candidate extends Omit<ChosenReport, 'failed'> {
  readonly run: string
  readonly rank: number
}

/** Without these, a run could be passed over because of a failure that nobody would hear of. */
const failedSince = (picked: Candidate, own: readonly Candidate[]): string[] =>
  own
    .filter((one) => startOf(one) >= startOf(picked))
    .flatMap(({ run, report }) => report.failures.map((words) => `${words} (${run})`))

function rankOf({ quick }: RunInfo, { missing }: ScenarioReport, otherOptions: readonly string[]): number {
  if (missing > 0) return 3
  if (quick) return 2
  return otherOptions.length > 0 ? 1 : 0
}

const startOf = ({ info }: Pick<ChosenReport, 'info'>): string => info.sittings[0]?.surroundings.at ?? ''

function otherOptionsOf(
  { quick, scenarios: ran }: RunInfo,
  known: readonly Scenario[],
  name: string,
): string[] {
  if (quick) return []
  const defaults = known.find((scenario) => scenario.name === name)?.bind([], false).values ?? {}
  const values = ran.find((scenario) => scenario.name === name)?.values ?? {}
  return Object.entries(defaults)
    .filter(([option, value]) => option in values && String(values[option]) !== String(value))
    .map(([option]) => `${option} ${String(values[option])}`)
}
