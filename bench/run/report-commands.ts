/** The commands that read finished runs: they write reports, comparisons, and the tables in README.md and docs/PERFORMANCE.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { projectFolder } from '../../server/page-build.ts'
import { compareReports, differencesText } from '../report/compare-reports.ts'
import { reportHtml } from '../report/report-html.ts'
import {
  nodesTable,
  performanceTable,
  readmeTable,
  replaceTable,
  type TablePlace,
} from '../report/headline-tables.ts'
import { runText, sectionText } from '../report/report-text.ts'
import { runDifferences } from '../report/run-differences.ts'
import { UsageError } from '../../server/usage-error.ts'
import type { Scenario } from '../support/scenario.ts'
import { listRuns, resultsFolder, RunFolder } from './run-folder.ts'
import { type ChosenReport, newestReports } from './newest-reports.ts'
import { readReports } from './read-reports.ts'

type Command = (scenarios: readonly Scenario[], names: readonly string[]) => Promise<void>

export const commands: Readonly<Record<string, Command>> = {
  /** `report [RUN]` */
  report: async (scenarios, [name]) => writeReport(await findRun(name), scenarios),
  /** `compare A B` */
  async compare(scenarios, [before, after]) {
    if (before === undefined || after === undefined) throw new UsageError('compare needs two runs.')
    const read = async (run: RunFolder) => ({
      name: run.name,
      info: await run.readInfo(),
      reports: await readReports(run, scenarios),
    })
    const [one, other] = [await read(await findRun(before)), await read(await findRun(after))]
    console.log(`${one.name} → ${other.name}\n`)
    for (const line of runDifferences(one, other)) console.log(`${line}\n`)
    console.log(differencesText(compareReports(one.reports, other.reports)))
  },
  /** `readme [RUN…]` reads the named runs, or else all runs. */
  async readme(scenarios, names) {
    const named = await Promise.all(names.map((name) => findRun(name)))
    const runs = names.length > 0 ? named : await listRuns(resultsFolder)
    const picked = await newestReports(runs, scenarios, { acceptUnfinished: names.length > 0 })
    if (picked.length === 0)
      throw new UsageError('No run has measured all of a scenario. Name a run to use it anyway.')
    await writeTable(performanceTable, picked)
    await writeTable(readmeTable, picked)
    const measured = new Set(picked.map(({ report }) => report.name))
    const without = scenarios.filter(({ name }) => !measured.has(name)).map(({ name }) => name)
    console.log(
      `docs/PERFORMANCE.md has the headlines of ${[...measured].join(', ')}, and README.md a few of them.`,
    )
    if (without.length > 0) console.log(`No run has measured all of these: ${without.join(', ')}.`)
  },
  /** `nodes-table RUN…` */
  async 'nodes-table'(scenarios, names) {
    if (names.length === 0) throw new UsageError('nodes-table needs the runs that measured nodes.')
    const runs = await Promise.all(names.map((name) => findRun(name)))
    const picked = await newestReports(runs, scenarios, { acceptUnfinished: true })
    await writeTable(nodesTable, picked)
    console.log(
      `docs/PERFORMANCE.md has the nodes' headlines of ${picked.map(({ report }) => report.name).join(', ')}.`,
    )
  },
}

async function writeTable(place: TablePlace, picked: readonly ChosenReport[]): Promise<void> {
  const path = join(projectFolder, place.page)
  const changed = replaceTable(await readFile(path, 'utf8'), place, picked)
  await writeFile(path, await format(changed, { ...(await resolveConfig(path)), parser: 'markdown' }))
}

/** Prints the report, and writes it as a page and as JSON into the run's folder. */
export async function writeReport(folder: RunFolder, scenarios: readonly Scenario[]): Promise<void> {
  const info = await folder.readInfo()
  const reports = await readReports(folder, scenarios)
  for (const { name, section } of reports) console.log(`\n${sectionText(name, section)}`)
  console.log(`${runText(info, reports)}\n`)
  const page = join(folder.path, 'report.html')
  await writeFile(page, await reportHtml(folder.name, info, reports))
  await writeFile(
    join(folder.path, 'report.json'),
    `${JSON.stringify({ run: folder.name, ...info, reports })}\n`,
  )
  console.log(`The report: ${relative(projectFolder, page)}`)
}

/** Finds a run by its name or its path, or without either the newest run. @throws {UsageError} */
async function findRun(name?: string): Promise<RunFolder> {
  const runs = await listRuns(resultsFolder)
  if (name === undefined) return newestStarted(runs)
  const known = runs.find((run) => run.name === name)
  const run = known ?? new RunFolder(isAbsolute(name) ? name : join(process.cwd(), name))
  const info = await run.readInfo().catch(() => undefined)
  if (info && info.sittings.length > 0) return run
  if (info) throw new UsageError(`The run "${run.name}" was stopped before its first trial.`)
  const list = runs.slice(0, 8).map((run) => `\n  ${run.name}`)
  throw new UsageError(
    `There is no run "${name}".${list.length > 0 ? ` The latest are:${list.join('')}` : ''}`,
  )
}

/** @throws {UsageError} */
async function newestStarted(runs: readonly RunFolder[]): Promise<RunFolder> {
  for (const run of runs) if ((await run.readInfo()).sittings.length > 0) return run
  throw new UsageError('There is no run yet.')
}
