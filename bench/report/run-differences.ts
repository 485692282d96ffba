/** Says what makes two runs hard to compare. */
import type { RunInfo } from '../run/run-folder.ts'
import type { ScenarioReport } from '../run/read-reports.ts'
import { summarise } from '../support/stats.ts'
import { versionWords } from '../support/versions.ts'
import { formatFixed } from './format-figures.ts'

export interface ComparedRun {
  readonly info: RunInfo
  readonly reports: readonly ScenarioReport[]
}

/** If a sync at p50 takes this many times as long, it is another disk, or the same disk with other work. */
const OTHER_DISK = 1.5

export function runDifferences(before: ComparedRun, after: ComparedRun): string[] {
  const [one, other] = [before, after].map(({ info: { sittings } }) => {
    const { surroundings } = sittings.at(-1)!
    return { ...surroundings, releases: versionWords(surroundings.versions) }
  })
  return [
    `Diptych ${one!.commit} → ${other!.commit}. "apart": all rounds of one run lie beyond all rounds of the other.`,
    ...(['machine', 'cores', 'system', 'node', 'browser', 'releases'] as const)
      .filter((name) => one![name] !== other![name] && one![name] !== '')
      .map((name) => `Not the same ${name}: ${one![name]} → ${other![name]}.`),
    ...optionDifferences(before.info, after.info),
    ...diskDifferences(before, after),
    ...after.reports.flatMap((report) => {
      const former = before.reports.find(({ name }) => name === report.name)
      return former ? saturations(former, report) : []
    }),
  ]
}

function optionDifferences(before: RunInfo, after: RunInfo): string[] {
  const values = (info: RunInfo, name: string) =>
    JSON.stringify(info.scenarios.find((scenario) => scenario.name === name)?.values)
  const different = after.scenarios
    .map(({ name }) => name)
    .filter((name) => values(before, name) !== undefined && values(before, name) !== values(after, name))
  return different.length === 0 ? [] : [`Run with other options: ${different.join(', ')}.`]
}

const fsyncMedian = ({ info, reports }: ComparedRun): number =>
  summarise([...info.sittings, ...reports].flatMap(({ fsync }) => fsync)).p50

function diskDifferences(before: ComparedRun, after: ComparedRun): string[] {
  const [one, other] = [fsyncMedian(before), fsyncMedian(after)]
  return Math.max(one / other, other / one) > OTHER_DISK
    ? [
        `Not the same disk, or a busier one: its fdatasync took ${formatFixed(one, 2)} ms → ${formatFixed(other, 2)} ms at p50, and figures that wait for it differ by that.`,
      ]
    : []
}

function saturations(before: ScenarioReport, after: ScenarioReport): string[] {
  const trialsOf = ({ saturated }: ScenarioReport) => (saturated.length > 0 ? saturated.join('; ') : 'none')
  return before.saturated.length + after.saturated.length > 0
    ? [`SATURATED, ${after.name}: ${trialsOf(before)} → ${trialsOf(after)}.`]
    : []
}
