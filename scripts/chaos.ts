/**
 * `npm run chaos`: the long form of what the tests do in short, reported step by step. A seed determines each part, so that it can
 * be repeated; the first failure ends the program with exit code 1.
 */
import { constants, setPriority } from 'node:os'
import { flipUnderWriters } from '../e2e/chaos/flips.ts'
import { runEditorSeeds } from '../e2e/chaos/editor-seeds.ts'
import { attackWithHostileUpdates } from '../e2e/chaos/hostile-updates.ts'
import { killServerRepeatedly } from '../e2e/chaos/server-kills.ts'
import { attackWithCostlyEdits } from '../e2e/chaos/costly-edits.ts'
import { attackWithCostlyRequests, type CostlyRequestReport } from '../e2e/chaos/costly-requests.ts'
import { costlyRequests, STORE_FAILS } from '../e2e/chaos/fixtures/costly-requests.ts'
import { quantileOf, type ProbeEdit } from '../e2e/chaos/fixtures/latency-probe.ts'
import { countIdleConnections } from '../e2e/chaos/idle-connections.ts'
import { runOffice } from '../e2e/chaos/office.ts'
import { runReconnectStorm } from '../e2e/chaos/reconnect-storm.ts'
import { arePagesBuilt } from '../server/page-build.ts'
import { UsageError } from '../server/usage-error.ts'
import { readCommandLine, readNumber, readOrExit } from './command-line.ts'
import { run } from './processes.ts'

const IDLE_MS = 125_000
const FLIPS = 150
/** More clients would measure how fast the machine takes them all back. */
const MAX_CLIENTS_OF_DEATHS = 200
/** Each run has 250 rounds in each of the test's three forms: 10,000 rounds a form. */
const MEMORY_RUNS = 40
/** Each run has 200 rounds. */
const SOCKET_RUNS = 10
/** Of the seeds that "editor" runs in one process. */
const SEEDS_FOR_ONE_OVER_SERVER = 50
/** The longest wait (p99) of everybody else under attack. */
const MAX_PROBE_P99_MS = 50
/** How long each kind of costly requests goes on, and what others may notice of it (p99). */
const COSTLY_REQUESTS_MS = 8_000
const MAX_SAVE_P99_MS = 100
const MAX_HEALTH_P99_MS = 50
const MAX_MEMORY_MIB = 1_536

/** When an office comes to work, and how long it writes before and after the cut. */
const OFFICE_ARRIVES_MS = 60_000
const OFFICE_WRITES_MS = 30_000

const MAX_SEED = 2 ** 32 - 1
const MAX_COUNT = 1e9

const USAGE = `Usage: npm run chaos -- [PART…] [OPTIONS]
Parts, all of them where none is named: kills, flips, storm, deaths, sockets, memory, silence, office.
Five more run only where they are named: nodes (needs PostgreSQL and Redis), hostile (hours), requests, megabytes,
editor.
"hostile" begins with "requests". "editor" runs seeds that are counted, or the one of --seed.
  --seed N       repeats a run; without it the seed is random, and printed
  --kills N      how often "kills" kills the server; 200 without it
  --clients N    how many clients "storm" and "deaths" have; 2000 without it
  --people N     how many people "office" has; 500 without it
  --faults N     how many faults "nodes" has; 60 without it
  --updates N    how many updates "hostile" sends; 1000000 without it
  --seeds N      how many seeds "editor" runs; 10000 without it
  --from N       the first of them; 1 without it
  --kind NAME    one kind of "requests", may be given several times; all without it`

const options = {
  seed: { type: 'string' },
  kills: { type: 'string', default: '200' },
  clients: { type: 'string', default: '2000' },
  people: { type: 'string', default: '500' },
  faults: { type: 'string', default: '60' },
  updates: { type: 'string', default: '1000000' },
  seeds: { type: 'string', default: '10000' },
  from: { type: 'string', default: '1' },
  kind: { type: 'string', multiple: true, default: Object.keys(costlyRequests) },
} as const

/** @throws {UsageError} */
function readChoices() {
  const { values, positionals } = readCommandLine({ usage: USAGE, options, allowPositionals: true })
  return {
    names: positionals,
    seed:
      values.seed === undefined
        ? Math.floor(Math.random() * 2 ** 31)
        : readNumber('seed', values.seed, 0, MAX_SEED),
    kills: readNumber('kills', values.kills, 1, MAX_COUNT),
    clients: readNumber('clients', values.clients, 1, MAX_COUNT),
    people: readNumber('people', values.people, 1, MAX_COUNT),
    faults: readNumber('faults', values.faults, 1, MAX_COUNT),
    updates: readNumber('updates', values.updates, 1, MAX_COUNT),
    kinds: readKinds(values.kind),
    editorSeeds:
      values.seed === undefined
        ? {
            from: readNumber('from', values.from, 0, MAX_SEED),
            count: readNumber('seeds', values.seeds, 1, MAX_COUNT),
          }
        : { from: readNumber('seed', values.seed, 0, MAX_SEED), count: 1 },
  }
}

/** @throws {UsageError} */
function readKinds(kinds: readonly string[]): readonly string[] {
  const unknown = kinds.find((kind) => !Object.hasOwn(costlyRequests, kind))
  if (unknown === undefined) return kinds
  throw new UsageError(
    `There is no kind "${unknown}" of requests. There are:\n${Object.keys(costlyRequests).join('\n')}`,
  )
}

const choices = readOrExit(readChoices)
const { seed } = choices
const print = (text: string): void => console.log(text)

const chaosRuns: Record<string, () => Promise<void>> = {
  /** Kills the server by SIGKILL at random moments under five writers. */
  async kills() {
    const report = await killServerRepeatedly({ seed, kills: choices.kills, onStep: print })
    const { tokens, acknowledged, links } = report
    print(`${tokens} tokens, ${acknowledged} acknowledged, ${links} links; every replica and the store agree`)
  },

  /** Lets five writers change their transport every 200 ms. */
  async flips() {
    const { tokens, switches, gapsMs } = await flipUnderWriters({ seed, flips: FLIPS })
    print(`${tokens} tokens; ${switches.join(', ')} switches; longest gap ${Math.max(...gapsMs)} ms`)
  },

  /** Lets all clients lose the server at once, and reconnect. */
  async storm() {
    for (const end of ['killed', 'restarted'] as const) {
      const { clients, returned } = await runReconnectStorm({ seed, clients: choices.clients, end })
      print(`${clients} clients, the server ${end}: all in step. Back in each quarter of a second:`)
      print(`  ${countPerQuarterSecond(returned).join(' ')}`)
    }
  },

  /** Kills the server again and again; its windows reconnect each time. */
  async deaths() {
    const clients = Math.min(choices.clients, MAX_CLIENTS_OF_DEATHS)
    for (const deaths of [1, 6]) {
      const { returned } = await runReconnectStorm({ seed, clients, end: 'killed', deaths })
      const sorted = [...returned].sort((a, b) => a - b).map((ms) => `${(ms / 1000).toFixed(1)} s`)
      const p95 = sorted[Math.floor(sorted.length * 0.95)]
      print(
        `${clients} clients, killed ${deaths} times: back within ${p95} (p95), the last after ${sorted.at(-1)}`,
      )
    }
  },

  /** Runs five writers of rich text over all transports, with cuts and jitter. */
  sockets: () =>
    runTestFile('e2e/chaos/rich-text.test.ts', { CHAOS_SEED: String(seed), CHAOS_RUNS: String(SOCKET_RUNS) }),

  /** Does the same in one process, over links that lose, delay and break. */
  memory: () => runTestFile('server/sessions/fuzz.test.ts', { FUZZ_RUNS: String(MEMORY_RUNS) }),

  /** Checks that an idle stock client keeps its one connection. */
  async silence() {
    const connections = await countIdleConnections(IDLE_MS)
    print(`A silent stock client took ${connections} connection(s) in ${IDLE_MS / 1000} s`)
    if (connections !== 1) throw new Error('A silent client must keep its connection.')
  },

  /** Lets an office behind one address work: nobody meets a limit. */
  async office() {
    const { people } = choices
    const hasPages = await arePagesBuilt()
    const times = { arriveMs: OFFICE_ARRIVES_MS, writeMs: OFFICE_WRITES_MS }
    const report = await runOffice({ seed, people, ...times, hasPages, onStep: print })
    const { windows, rooms, requests, letters, savedAfterMs, refusals, complaints } = report
    const saves = describeQuantiles(savedAfterMs.map((ms) => ({ at: 0, ms })))
    print(`${windows} windows in ${rooms} rooms, ${requests} requests ${hasPages ? 'with' : 'without'} pages`)
    print(`${letters} letters; those that their window saw saved: ${saves}`)
    print(`refused: ${JSON.stringify(refusals)}; ${complaints.length} complaints`)
    if (Object.keys(refusals).length + complaints.length > 0)
      throw new Error(`An honest office meets no limit: ${complaints.slice(0, 5).join('; ')}`)
  },
}

/** The attacker's own work has a lower priority than what it measures. */
const onReady = (): void => setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** Take hours, attack, or need other servers: they run only on request. */
const namedRuns: Record<string, () => Promise<void>> = {
  /** Lets three nodes, Redis, PostgreSQL and what is between them fail under five writers. */
  nodes: () =>
    runTestFile('e2e/chaos/nodes.test.ts', {
      CHAOS_SEED: String(seed),
      CHAOS_FAULTS: String(choices.faults),
    }),

  /** Reads, attaches and calls the API without a pause; then sends a million updates as an attacker writes them. */
  async hostile() {
    await namedRuns.requests!()
    const report = await attackWithHostileUpdates({
      seed,
      updates: choices.updates,
      onReady,
      onStep: print,
    })
    const { sent, taken, waited } = report
    print(`${sent} sent, ${taken} taken; what edits of another document waited: ${describeQuantiles(waited)}`)
    if (quantileOf(waited, 0.99) > MAX_PROBE_P99_MS)
      throw new Error(`p99 must be under ${MAX_PROBE_P99_MS} ms`)
  },

  /** Lets one guest ask for whatever costs work, memory or disk; another person's window measures. */
  async requests() {
    const reports = await attackWithCostlyRequests({
      kinds: choices.kinds,
      isOver: (_, ms) => ms >= COSTLY_REQUESTS_MS,
      onReady,
      onReport: (report) => print(describeCostlyRequests(report)),
    })
    const missed = reports.filter(({ kind, waited, healthChecks, maxMemoryMiB }) => {
      const isSavingExpected = kind !== STORE_FAILS
      const isSlow = quantileOf(waited, 0.99) > MAX_SAVE_P99_MS || (isSavingExpected && waited.length === 0)
      return isSlow || quantileOf(healthChecks, 0.99) > MAX_HEALTH_P99_MS || maxMemoryMiB > MAX_MEMORY_MIB
    })
    if (missed.length > 0)
      throw new Error(`Others noticed too much of: ${missed.map(({ kind }) => kind).join('; ')}`)
  },

  /** Lets five writers edit every block at once, in one process, and some of the seeds over a server: each letter stays that nobody deleted. */
  async editor() {
    const { from, count } = choices.editorSeeds
    await runEditorSeeds({ from, count, onStep: print })
    const seeds = String(Math.ceil(count / SEEDS_FOR_ONE_OVER_SERVER))
    const env = { EDITOR_FIRST_SEED: String(from), EDITOR_SEEDS: seeds }
    await runTestFile('e2e/chaos/editor/over-server.long.test.ts', env)
  },

  /** Sends a megabyte of costly edits of each kind; a window on another document measures. */
  async megabytes() {
    const { quiet, attacked } = await attackWithCostlyEdits()
    print(`before: ${describeQuantiles(quiet)}`)
    for (const { kind, edits, waited } of attacked) print(`${kind} (${edits}): ${describeQuantiles(waited)}`)
  },
}

function describeCostlyRequests(report: CostlyRequestReport): string {
  const { kind, sent, refused, waited, healthChecks, maxMemoryMiB } = report
  return `${kind}: ${sent} sent, ${refused} refused; at most ${maxMemoryMiB} MiB
  saved: ${describeQuantiles(waited)}
  /healthz: ${describeQuantiles(healthChecks)}`
}

function describeQuantiles(edits: readonly ProbeEdit[]): string {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => `${quantileOf(edits, share).toFixed(1)} ms`)
  return `${edits.length} edits, p50 ${p50}, p99 ${p99}, longest ${longest}`
}

/** Counts the times in each quarter of a second. */
function countPerQuarterSecond(times: readonly number[]): number[] {
  const counts = Array.from({ length: Math.floor(Math.max(...times) / 250) + 1 }, () => 0)
  for (const ms of times) counts[Math.floor(ms / 250)]! += 1
  return counts
}

async function runTestFile(file: string, env: Record<string, string>): Promise<void> {
  const { code } = await run('vitest', ['run', file], { show: true, env })
  if (code !== 0) throw new Error(`${file} failed; its seed stands above`)
}

async function runByName(name: string): Promise<void> {
  print(`\n── ${name}, seed ${seed}`)
  const start = performance.now()
  await allRuns[name]!()
  print(`── ${name}: ${Math.round((performance.now() - start) / 1000)} s`)
}

/** @throws {UsageError} */
function readNames(): readonly string[] {
  const unknown = choices.names.find((name) => !Object.hasOwn(allRuns, name))
  if (unknown !== undefined) throw new UsageError(`There is no part "${unknown}".\n${USAGE}`)
  return choices.names.length > 0 ? choices.names : Object.keys(chaosRuns)
}

const allRuns = { ...chaosRuns, ...namedRuns }
const names = readOrExit(readNames)
try {
  for (const name of names) await runByName(name)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (names.some((name) => name !== 'editor')) console.error(`Again: npm run chaos -- --seed ${seed}`)
  process.exitCode = 1
}
