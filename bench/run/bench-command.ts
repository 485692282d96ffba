/** Reads from the command line which scenarios to run and how, runs them, and writes the report. */
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import ensureBrowserAndBuild from '../../e2e/fixtures/global-setup.ts'
import { arePagesBuilt, projectFolder } from '../../server/page-build.ts'
import { FSYNC_PAUSE_MS, FSYNCS_A_TRIAL, measureFsync } from '../support/fsync.ts'
import { loadNow, readEnvironment } from '../support/machine.ts'
import { UsageError } from '../../server/usage-error.ts'
import { helpText } from '../support/options.ts'
import { arePeersInstalled, installPeers, needsPeers } from '../support/peer-packages.ts'
import type { BoundScenario, Scenario } from '../support/scenario.ts'
import { digestSources } from '../support/source-digest.ts'
import { findUnfinishedRun, resultsFolder, RunFolder } from './run-folder.ts'
import { estimateSeconds, estimateTotalSeconds, formatDuration, trialCount } from './progress.ts'
import { writeReport } from './report-commands.ts'
import { remainingTrials, runTrials } from './run-trials.ts'

const FSYNCS_BEFORE_RUN = 300

export async function runBench(scenarios: readonly Scenario[], args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return console.log(helpText(scenarios))
  const request = readRequest(scenarios, args)
  const folder = await openRunFolder(request)
  await printPlan(request.plan, folder)
  if (measuresPeers(request.plan)) await installPeers()
  if (opensPages(request.plan)) await ensureBrowserAndBuild()
  const ended = await runSession(request.plan, folder)
  if (!ended.stopped && ended.failed === 0)
    await folder.writeInfo({ ...(await folder.readInfo()), finished: new Date().toISOString() })
  await writeReport(folder, scenarios)
  if (ended.failed > 0) console.error(`${trialCount(ended.failed)} failed. The same command tries again.`)
  if (ended.stopped) console.log('Stopped. The same command goes on from here; --fresh starts anew.')
  // The stopped trial may still wait for something, which would keep the process alive.
  if (ended.stopped) process.exit(130)
  if (ended.failed > 0) process.exitCode = 1
}

interface BenchRequest {
  readonly plan: readonly BoundScenario[]
  readonly quick: boolean
  readonly fresh: boolean
}

/** @throws {UsageError} */
export function readRequest(scenarios: readonly Scenario[], args: readonly string[]): BenchRequest {
  const quick = args.includes('--quick')
  const fresh = args.includes('--fresh')
  const rest = args.filter((arg) => arg !== '--quick' && arg !== '--fresh')
  const firstOption = rest.findIndex((arg) => arg.startsWith('--'))
  const names = firstOption < 0 ? rest : rest.slice(0, firstOption)
  const options = rest.slice(names.length)
  if (options[0] !== undefined && !isOption(options[0], scenarios))
    throw new UsageError(`There is no option ${options[0]}.`)
  if (options.length > 0 && names.length !== 1)
    throw new UsageError(`${options[0]} is an option of one scenario: name it, and it alone.`)
  for (const name of names)
    if (!scenarios.some((known) => known.name === name))
      throw new UsageError(`There is no benchmark "${name}".`)
  const chosen = scenarios.filter(({ name }) => names.length === 0 || names.includes(name))
  return { plan: chosen.map((known) => known.bind(options, quick)), quick, fresh }
}

/** @param option `--keys` or `--keys=7` */
const isOption = (option: string, scenarios: readonly Scenario[]): boolean =>
  scenarios.some(({ options }) => option.slice(2).split('=')[0]! in options)

/** Opens the run that was stopped, if plan and program are still the same, or else creates a new one. */
async function openRunFolder({ plan, quick, fresh }: BenchRequest): Promise<RunFolder> {
  const scenarios = plan.map(({ scenario: { name }, values }) => ({ name, values }))
  const wanted = { quick, scenarios, source: digestSources() }
  const stopped = fresh ? undefined : await findUnfinishedRun(resultsFolder, wanted)
  if (stopped) return stopped
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const what = scenarios.length > 3 ? 'all' : scenarios.map(({ name }) => name).join('-')
  const name = [moment, what, ...(quick ? ['quick'] : [])].join('-')
  return RunFolder.create(resultsFolder, name, { ...wanted, sittings: [] })
}

async function printPlan(plan: readonly BoundScenario[], folder: RunFolder): Promise<void> {
  const left = await remainingTrials(plan, folder)
  for (const { bound, trials } of left) {
    const { scenario, trials: all } = bound
    const done = all.length - trials.length
    const count = `${trialCount(all.length)}${done > 0 ? `, ${done} done` : ''}, ${formatDuration(estimateSeconds({ bound, trials }))}`
    console.log(`  ${scenario.name.padEnd(16)}${scenario.sentence}\n${' '.repeat(18)}${count}`)
  }
  const seconds = estimateTotalSeconds(left, {
    build: opensPages(plan) && !(await arePagesBuilt()),
    fsyncs: FSYNCS_BEFORE_RUN,
  })
  const isContinued = (await folder.readInfo()).sittings.length > 0
  if (measuresPeers(plan) && !(await arePeersInstalled()))
    console.log('\nBefore the first trial, npm installs the other servers and their clients.')
  console.log(
    `\n${isContinued ? 'Continues' : 'Saved in'} ${relative(projectFolder, folder.path)}. About ${formatDuration(seconds)}.\n`,
  )
}

const opensPages = (plan: readonly BoundScenario[]): boolean =>
  plan.some(({ scenario: { pages }, trials }) => pages && trials.length > 0)

const measuresPeers = (plan: readonly BoundScenario[]): boolean =>
  plan.some(({ trials }) => trials.some(needsPeers))

/** Runs trials until all are done or somebody presses Ctrl-C. */
async function runSession(plan: readonly BoundScenario[], folder: RunFolder) {
  const dataFolder = join(folder.path, 'data')
  mkdirSync(dataFolder, { recursive: true })
  const clear = () => rmSync(dataFolder, { recursive: true, force: true })
  process.once('exit', clear)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const fsync = (count: number) => measureFsync(dataFolder, count, FSYNC_PAUSE_MS)
  const info = await folder.readInfo()
  const fsyncBefore = await fsync(FSYNCS_BEFORE_RUN)
  const session = { surroundings: readEnvironment(), fsync: fsyncBefore, loadBefore: loadNow() }
  await folder.writeInfo({ ...info, sittings: [...info.sittings, session] })
  const ended = await runTrials(plan, {
    folder,
    dataFolder,
    signal: stop.signal,
    measureFsync: () => fsync(FSYNCS_A_TRIAL),
    print: console.log,
  })
  clear()
  return ended
}
