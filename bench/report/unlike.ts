/** What makes two runs hard to compare: sentences. */
import type { RunInfo } from '../run/folder.ts'
import type { ScenarioReport } from '../run/read.ts'
import { summarise } from '../support/stats.ts'
import { versionWords } from '../support/versions.ts'
import { plain } from './figures.ts'

export interface ComparedRun {
  readonly info: RunInfo
  readonly reports: readonly ScenarioReport[]
}

/** A sync at p50 that took so many times as long is another disk. */
const OTHER_DISK = 1.5

export function unlike(before: ComparedRun, after: ComparedRun): string[] {
  const [at, then] = [before, after].map(({ info: { sittings } }) => sittings.at(-1)!.surroundings)
  const [one, other] = [
    { ...at!, releases: versionWords(at!.versions) },
    { ...then!, releases: versionWords(then!.versions) },
  ]
  return [
    `Diptych ${one.commit} → ${other.commit}. "apart": all rounds of one lie beyond all rounds of the other.`,
    ...(['machine', 'cores', 'system', 'node', 'browser', 'releases'] as const)
      .filter((name) => one[name] !== other[name] && one[name] !== '')
      .map((name) => `Not the same ${name}: ${one[name]} → ${other[name]}.`),
    ...options(before.info, after.info),
    ...disk(before, after),
    ...after.reports.flatMap((report) => {
      const former = before.reports.find(({ name }) => name === report.name)
      return former ? saturation(former, report) : []
    }),
  ]
}

function options(before: RunInfo, after: RunInfo): string[] {
  const values = (info: RunInfo, name: string) =>
    JSON.stringify(info.scenarios.find((scenario) => scenario.name === name)?.values)
  const otherwise = after.scenarios.filter(
    ({ name }) => values(before, name) !== undefined && values(before, name) !== values(after, name),
  )
  return otherwise.length === 0
    ? []
    : [`Run with other options: ${otherwise.map(({ name }) => name).join(', ')}.`]
}

const fsyncOf = ({ info, reports }: ComparedRun): number =>
  summarise([...info.sittings.flatMap(({ fsync }) => fsync), ...reports.flatMap(({ fsync }) => fsync)]).p50

function disk(before: ComparedRun, after: ComparedRun): string[] {
  const [one, other] = [fsyncOf(before), fsyncOf(after)]
  return Math.max(one / other, other / one) > OTHER_DISK
    ? [
        `Not the same disk, or not as calm: its fdatasync took ${plain(one, 2)} ms → ${plain(other, 2)} ms at p50, and what waits for it differs by that.`,
      ]
    : []
}

function saturation(before: ScenarioReport, after: ScenarioReport): string[] {
  const words = ({ saturated }: ScenarioReport) => (saturated.length > 0 ? saturated.join('; ') : 'none')
  return before.saturated.length + after.saturated.length > 0
    ? [`SATURATED, ${after.name}: ${words(before)} → ${words(after)}.`]
    : []
}
