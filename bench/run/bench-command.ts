/** What is asked on the command line: which scenarios, in which measure; then the run, and its report. */
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import ensureBrowserAndBuild from '../../e2e/fixtures/global-setup.ts'
import { arePagesBuilt, projectFolder } from '../../server/page-build.ts'
import { FSYNC_PAUSE_MS, FSYNCS_A_TRIAL, measureFsync } from '../support/fsync.ts'
import { loadNow, readEnvironment } from '../support/machine.ts'
import { helpText, UsageError } from '../support/options.ts'
import { arePeersInstalled, installPeers } from '../support/peer-packages.ts'
import type { BoundScenario, Scenario } from '../support/scenario.ts'
import { digestSources } from '../support/source-digest.ts'
import { resultsFolder, RunFolder, type RunInfo, unfinished } from './folder.ts'
import { duration, secondsOf, secondsOfAll } from './progress.ts'
import { writeReport } from './commands.ts'
import { remainingTrials, runAll } from './run.ts'

/** Before the first trial. */
const FSYNCS = 300

export async function bench(scenarios: readonly Scenario[], args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return console.log(helpText(scenarios))
  const asked = readRequest(scenarios, args)
  const { folder, info } = await folderFor(asked)
  await announce(asked.plan, folder, info)
  await installPeers()
  if (opensPages(asked.plan)) await ensureBrowserAndBuild()
  const ended = await sit(asked.plan, folder, info)
  if (!ended.stopped && ended.failed === 0)
    await folder.writeInfo({ ...(await folder.info()), finished: new Date().toISOString() })
  await writeReport(folder, scenarios)
  if (ended.failed > 0) console.error(`${counted(ended.failed)} failed: the same command tries again.`)
  if (ended.stopped) console.log('Stopped. The same command goes on where it was; --fresh begins anew.')
  // A trial that was stopped may wait for something still.
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
  if (options[0] !== undefined && !isKnown(options[0], scenarios))
    throw new UsageError(`There is no option ${options[0]}.`)
  if (options.length > 0 && names.length !== 1)
    throw new UsageError(`${options[0]} is an option of one scenario: name it, and it alone.`)
  for (const name of names)
    if (!scenarios.some((known) => known.name === name))
      throw new UsageError(`There is no benchmark "${name}".`)
  const chosen = scenarios.filter(({ name }) => names.length === 0 || names.includes(name))
  return { plan: chosen.map((known) => known.bind(options, quick)), quick, fresh }
}

/** @param option As it was given, `--keys` or `--keys=7`. */
const isKnown = (option: string, scenarios: readonly Scenario[]): boolean =>
  scenarios.some(({ options }) => option.slice(2).split('=')[0]! in options)

/** The run that was stopped, if the plan and the program are still the same; else a new one. */
async function folderFor({
  plan,
  quick,
  fresh,
}: BenchRequest): Promise<{ folder: RunFolder; info: RunInfo }> {
  const scenarios = plan.map(({ scenario: { name }, values }) => ({ name, values }))
  const wanted = { quick, scenarios, source: digestSources() }
  const stopped = fresh ? undefined : await unfinished(resultsFolder, wanted)
  if (stopped) return { folder: stopped, info: await stopped.info() }
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const what = scenarios.length > 3 ? 'all' : scenarios.map(({ name }) => name).join('-')
  const info: RunInfo = { ...wanted, sittings: [] }
  const name = [moment, what, ...(quick ? ['quick'] : [])].join('-')
  return { folder: await RunFolder.create(resultsFolder, name, info), info }
}

async function announce(plan: readonly BoundScenario[], folder: RunFolder, info: RunInfo): Promise<void> {
  const left = await remainingTrials(plan, folder)
  for (const { bound, trials } of left) {
    const { scenario, trials: all } = bound
    const done = all.length - trials.length
    const count = `${counted(all.length)}${done > 0 ? `, ${done} done` : ''}, ${duration(secondsOf(bound, trials))}`
    console.log(`  ${scenario.name.padEnd(16)}${scenario.sentence}\n${' '.repeat(18)}${count}`)
  }
  const seconds = secondsOfAll(left, { build: opensPages(plan) && !(await arePagesBuilt()), fsyncs: FSYNCS })
  const goesOn = info.sittings.length > 0 ? 'Goes on with' : 'Kept in'
  if (!(await arePeersInstalled()))
    console.log(
      '\nBefore the first trial npm installs the other servers and their clients, which every run has at hand.',
    )
  console.log(`\n${goesOn} ${relative(projectFolder, folder.path)}. About ${duration(seconds)}.\n`)
}

const opensPages = (plan: readonly BoundScenario[]): boolean =>
  plan.some(({ scenario: { pages }, trials }) => pages && trials.length > 0)

const counted = (trials: number): string => `${trials} ${trials === 1 ? 'trial' : 'trials'}`

/** From one start to its end, or to Ctrl-C. */
async function sit(plan: readonly BoundScenario[], folder: RunFolder, info: RunInfo) {
  const dataFolder = join(folder.path, 'data')
  mkdirSync(dataFolder, { recursive: true })
  const clear = () => rmSync(dataFolder, { recursive: true, force: true })
  process.once('exit', clear)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const fsync = (count: number) => measureFsync(dataFolder, count, FSYNC_PAUSE_MS)
  const sitting = {
    surroundings: readEnvironment(),
    fsync: await fsync(FSYNCS),
    loadBefore: loadNow(),
  }
  await folder.writeInfo({ ...info, sittings: [...info.sittings, sitting] })
  const ended = await runAll(plan, {
    folder,
    dataFolder,
    signal: stop.signal,
    fsync: () => fsync(FSYNCS_A_TRIAL),
    say: console.log,
  })
  clear()
  return ended
}
