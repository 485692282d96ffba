/** What is made of runs that are there already: the report, the comparison, and the tables in the README and in docs/PERFORMANCE.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { projectFolder } from '../../server/page-build.ts'
import { compare, differencesText } from '../report/compare.ts'
import { htmlOf } from '../report/html.ts'
import { withNodesTable, withReadmeRows, withTable } from '../report/readme.ts'
import { machineText, textOf } from '../report/text.ts'
import { unlike } from '../report/unlike.ts'
import { UsageError } from '../support/options.ts'
import type { Scenario } from '../support/scenario.ts'
import { resultsFolder, RunFolder, runsIn } from './folder.ts'
import { newestReports } from './newest.ts'
import { readReports } from './read.ts'

type Command = (scenarios: readonly Scenario[], names: readonly string[]) => Promise<void>

export const commands: Readonly<Record<string, Command>> = {
  /** `report [RUN]` */
  report: async (scenarios, [name]) => writeReport(await runCalled(name), scenarios),
  /** `compare A B` */
  async compare(scenarios, [before, after]) {
    if (before === undefined || after === undefined) throw new UsageError('compare wants two runs.')
    const read = async (run: RunFolder) => ({
      name: run.name,
      info: await run.info(),
      reports: await readReports(run, scenarios),
    })
    const [one, other] = [await read(await runCalled(before)), await read(await runCalled(after))]
    console.log(`${one.name} → ${other.name}\n`)
    for (const line of unlike(one, other)) console.log(`${line}\n`)
    console.log(differencesText(compare(one.reports, other.reports)))
  },
  /** `readme [RUN…]`: of all runs, or of those that are named. */
  async readme(scenarios, names) {
    const named = await Promise.all(names.map((name) => runCalled(name)))
    const runs = names.length > 0 ? named : await runsIn(resultsFolder)
    const picked = await newestReports(runs, scenarios, { unfinished: names.length > 0 })
    if (picked.length === 0)
      throw new UsageError('There is no run that has measured a scenario whole: name one.')
    await changePage('docs/PERFORMANCE.md', (text) => withTable(text, picked))
    await changePage('README.md', (text) => withReadmeRows(text, picked))
    const measured = new Set(picked.map(({ report }) => report.name))
    const without = scenarios.filter(({ name }) => !measured.has(name)).map(({ name }) => name)
    console.log(
      `docs/PERFORMANCE.md has the headlines of ${[...measured].join(', ')}; README.md has its few of them.`,
    )
    if (without.length > 0) console.log(`Not measured whole by any of these runs: ${without.join(', ')}.`)
  },
  /** `nodes-table RUN…` */
  async 'nodes-table'(scenarios, names) {
    if (names.length === 0) throw new UsageError('nodes-table wants the runs that measured nodes.')
    const runs = await Promise.all(names.map((name) => runCalled(name)))
    const picked = await newestReports(runs, scenarios, { unfinished: true })
    await changePage('docs/PERFORMANCE.md', (text) => withNodesTable(text, picked))
    console.log(
      `docs/PERFORMANCE.md has what ${picked.map(({ report }) => report.name).join(', ')} say of nodes.`,
    )
  },
}

async function changePage(name: string, change: (text: string) => string): Promise<void> {
  const path = join(projectFolder, name)
  const changed = change(await readFile(path, 'utf8'))
  await writeFile(path, await format(changed, { ...(await resolveConfig(path)), parser: 'markdown' }))
}

/** On the terminal, as a page, and as JSON: into the run's own folder. */
export async function writeReport(folder: RunFolder, scenarios: readonly Scenario[]): Promise<void> {
  const info = await folder.info()
  const reports = await readReports(folder, scenarios)
  for (const { name, section } of reports) console.log(`\n${textOf(name, section)}`)
  console.log(`${machineText(info)}\n`)
  const page = join(folder.path, 'report.html')
  await writeFile(page, await htmlOf(folder.name, info, reports))
  await writeFile(
    join(folder.path, 'report.json'),
    `${JSON.stringify({ run: folder.name, ...info, reports })}\n`,
  )
  console.log(`The report: ${relative(projectFolder, page)}`)
}

/** By its name, by its path, or the newest. @throws {UsageError} */
async function runCalled(name?: string): Promise<RunFolder> {
  const runs = await runsIn(resultsFolder)
  if (name === undefined) return newestBegun(runs)
  const known = runs.find((run) => run.name === name)
  const run = known ?? new RunFolder(isAbsolute(name) ? name : join(process.cwd(), name))
  const info = await run.info().catch(() => undefined)
  if (info && info.sittings.length > 0) return run
  if (info) throw new UsageError(`The run "${run.name}" was stopped before its first trial.`)
  const list = runs.slice(0, 8).map((run) => `\n  ${run.name}`)
  throw new UsageError(
    `There is no run "${name}".${list.length > 0 ? ` The latest are:${list.join('')}` : ''}`,
  )
}

/** @throws {UsageError} */
async function newestBegun(runs: readonly RunFolder[]): Promise<RunFolder> {
  for (const run of runs) if ((await run.info()).sittings.length > 0) return run
  throw new UsageError('There is no run yet.')
}
