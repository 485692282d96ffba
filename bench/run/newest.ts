/** Of each scenario the run that speaks for it where several have measured it. */
import type { Scenario } from '../support/scenario.ts'
import type { RunFolder, RunInfo } from './folder.ts'
import { readReports, type ScenarioReport } from './read.ts'

export interface ChosenReport {
  readonly info: RunInfo
  readonly report: ScenarioReport
  /** `rounds 1`: what was asked for otherwise than by default; quick runs do not say. */
  readonly otherwise: readonly string[]
  /** What failed in it, and in runs since that were not whole because of that, each with its run's name. */
  readonly failed: readonly string[]
}

/**
 * The newest in which it was measured whole and as by default; else the newest whole one with other options; else the newest whole
 * quick one; else, if `unfinished` ones count, the newest that has anything of it. In the order of the scenarios.
 */
export async function newestReports(
  runs: readonly RunFolder[],
  scenarios: readonly Scenario[],
  { unfinished }: { readonly unfinished: boolean },
): Promise<ChosenReport[]> {
  const candidates: Candidate[] = []
  for (const run of runs) {
    const info = await run.info()
    for (const report of await readReports(run, scenarios)) {
      const otherwise = otherwiseOf(info, scenarios, report.name)
      const rank = rankOf(info, report, otherwise)
      candidates.push({ run: run.name, info, report, otherwise, rank })
    }
  }
  return scenarios.flatMap(({ name }) => {
    const own = candidates.filter(({ report }) => report.name === name)
    const [picked] = own
      .filter(({ report: { measured, missing } }) => measured > 0 && (unfinished || missing === 0))
      .toSorted((a, b) => a.rank - b.rank || beginOf(b).localeCompare(beginOf(a)))
    return picked ? [{ ...picked, failed: failedSince(picked, own) }] : []
  })
}

interface Candidate extends Omit<ChosenReport, 'failed'> {
  readonly run: string
  readonly rank: number
}

/** Else a run would be passed over for what went wrong in it, and nobody would be told. */
const failedSince = (picked: Candidate, own: readonly Candidate[]): string[] =>
  own
    .filter((one) => beginOf(one) >= beginOf(picked))
    .flatMap(({ run, report }) => report.failures.map((words) => `${words} (${run})`))

function rankOf({ quick }: RunInfo, { missing }: ScenarioReport, otherwise: readonly string[]): number {
  if (missing > 0) return 3
  if (quick) return 2
  return otherwise.length > 0 ? 1 : 0
}

const beginOf = ({ info }: Pick<ChosenReport, 'info'>): string => info.sittings[0]?.surroundings.at ?? ''

function otherwiseOf({ quick, scenarios: ran }: RunInfo, known: readonly Scenario[], name: string): string[] {
  if (quick) return []
  const defaults = known.find((scenario) => scenario.name === name)?.bind([], false).values ?? {}
  const values = ran.find((scenario) => scenario.name === name)?.values ?? {}
  return Object.entries(defaults)
    .filter(([option, value]) => option in values && String(values[option]) !== String(value))
    .map(([option]) => `${option} ${String(values[option])}`)
}
