/**
 * `npm run chaos`: the long form of what the tests do in short, told step by step. Each part is told by a seed, so that it can be
 * told again; the first failure ends it with exit code 1.
 *
 * Usage: npm run chaos -- [hostile] [--seed N] [--only kills,flips,storm,sockets,memory,silence,hostile] [--kills N] [--clients N]
 *        [--updates N]
 */
import { parseArgs } from 'node:util'
import { flipUnderWriters } from '../e2e/chaos/flips.ts'
import { attackServer } from '../e2e/chaos/hostile.ts'
import { chaos } from '../e2e/chaos/kills.ts'
import { idleConnections } from '../e2e/chaos/stock.ts'
import { storm } from '../e2e/chaos/storm.ts'
import { run } from './processes.ts'

const IDLE_MS = 125_000
const FLIPS = 150
/** Of 250 rounds each, in two forms: 10,000 rounds in memory. */
const MEMORY_RUNS = 40
/** Of 200 rounds each. */
const SOCKET_RUNS = 10
/** What everybody else may wait under attack. */
const MAX_PROBE_MS = 50

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    kills: { type: 'string', default: '200' },
    clients: { type: 'string', default: '2000' },
    updates: { type: 'string', default: '1000000' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const say = (text: string): void => console.log(text)

const parts: Record<string, () => Promise<void>> = {
  /** The server dies by SIGKILL at random moments under five writers. */
  async kills() {
    const report = await chaos({ seed, kills: Number(values.kills), onStep: say })
    const { tokens, acknowledged, links } = report
    say(`${tokens} tokens, ${acknowledged} acknowledged, ${links} links; every replica and the store agree`)
  },

  /** Five writers change their transport every 200 ms. */
  async flips() {
    const { tokens, switches, gapsMs } = await flipUnderWriters({ seed, flips: FLIPS })
    say(`${tokens} tokens; ${switches.join(', ')} switches; longest gap ${Math.max(...gapsMs)} ms`)
  },

  /** All clients lose the server at once, and come back. */
  async storm() {
    for (const end of ['killed', 'restarted'] as const) {
      const { clients, returned } = await storm({ seed, clients: Number(values.clients), end })
      say(`${clients} clients, the server ${end}: all in step. Back in each quarter of a second:`)
      say(`  ${quarters(returned).join(' ')}`)
    }
  },

  /** Five writers of rich text over all transports, with cuts and jitter. */
  sockets: () =>
    suites('e2e/chaos/rich-text.test.ts', { CHAOS_SEED: String(seed), CHAOS_RUNS: String(SOCKET_RUNS) }),

  /** The same in one process, over lines that lose, delay and break. */
  memory: () => suites('server/sessions/fuzz.test.ts', { FUZZ_RUNS: String(MEMORY_RUNS) }),

  /** A stock client that says nothing keeps its one connection. */
  async silence() {
    const connections = await idleConnections(IDLE_MS)
    say(`A silent stock client took ${connections} connection(s) in ${IDLE_MS / 1000} s`)
    if (connections !== 1) throw new Error('A silent client must keep its connection.')
  },
}

/** Hours long, so only where it is asked for. */
const onlyByName: Record<string, () => Promise<void>> = {
  /** A million updates as an attacker writes them; a window on another document measures. */
  async hostile() {
    const report = await attackServer({ seed, updates: Number(values.updates), onStep: say })
    const { sent, taken, probes } = report
    const [p50, p99] = [0.5, 0.99].map((share) => probes[Math.floor(probes.length * share)] ?? 0) as [
      number,
      number,
    ]
    say(
      `${sent} sent, ${taken} taken; ${probes.length} edits of another document: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    )
    if (p99 > MAX_PROBE_MS) throw new Error(`p99 must be under ${MAX_PROBE_MS} ms`)
  },
}

/** How many in each quarter of a second. */
function quarters(times: readonly number[]): number[] {
  const counts = Array.from({ length: Math.floor(Math.max(...times) / 250) + 1 }, () => 0)
  for (const ms of times) counts[Math.floor(ms / 250)]! += 1
  return counts
}

async function suites(file: string, env: Record<string, string>): Promise<void> {
  const { code } = await run('vitest', ['run', file], { show: true, env })
  if (code !== 0) throw new Error(`${file} failed; its seed stands above`)
}

async function tell(name: string): Promise<void> {
  const part = { ...parts, ...onlyByName }[name]
  if (!part)
    throw new Error(`There is no part "${name}": ${Object.keys({ ...parts, ...onlyByName }).join(', ')}`)
  say(`\n── ${name}, seed ${seed}`)
  const start = performance.now()
  await part()
  say(`── ${name}: ${Math.round((performance.now() - start) / 1000)} s`)
}

try {
  const named = [...positionals, ...(values.only?.split(',') ?? [])]
  for (const name of named.length > 0 ? named : Object.keys(parts)) await tell(name)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(`Again: npm run chaos -- --seed ${seed}`)
  process.exitCode = 1
}
