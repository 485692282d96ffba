/** Reads what a figure depends on besides the program: the machine, the versions, and the load. */
import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFullBrowser } from '../../e2e/fixtures/chromium.ts'
import { redisProgram } from '../../server/fanout/fixtures/redis-server.ts'
import { projectFolder } from '../../server/page-build.ts'
import { postgresMissing, postgresProgram } from '../../server/store/fixtures/postgres-cluster.ts'
import { version } from '../../server/version.ts'
import { versionsInstalled } from './versions.ts'

export interface Environment {
  readonly machine: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  readonly node: string
  /** As `chromium --version` or the browser itself says it. */
  readonly browser: string
  readonly diptych: string
  /** With `-dirty` if files differ from the commit; '' outside a checkout. */
  readonly commit: string
  /** The versions of the peers, and of what both they and Diptych are built on: `{ yjs: '13.6.31' }`. Old runs have none. */
  readonly versions?: Readonly<Record<string, string>>
  readonly at: string
}

export const readEnvironment = (browser = chromiumVersion()): Environment => ({
  machine: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
  node: process.version,
  browser,
  diptych: version,
  commit: commit(),
  versions: { ...versionsInstalled(), ...versionsOfPrograms() },
  at: new Date().toISOString(),
})

/** Returns `{ PostgreSQL: '15.14' }`, without what is not installed. */
const versionsOfPrograms = (): Record<string, string> =>
  Object.fromEntries(
    [
      ['PostgreSQL', postgresMissing === null && postgresProgram('postgres')] as const,
      ['Redis', redisProgram] as const,
    ].flatMap(([name, program]) => {
      const version = program && /\d+(\.\d+)+/.exec(readOutput(program, ['--version']))?.[0]
      return version ? [[name, version]] : []
    }),
  )

const commit = (): string => readOutput('git', ['describe', '--always', '--dirty', '--exclude=*'])

const chromiumVersion = (): string => readOutput(findFullBrowser() ?? 'chromium', ['--version'])

/** Returns '' if there is no such program, or it fails. */
function readOutput(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { cwd: projectFolder, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return ''
  }
}

/** Returns a function that returns the load of all cores since then, from 0 to 1. */
export function watchLoad(): () => number {
  const before = ticks()
  return () => {
    const after = ticks()
    return (after.busy - before.busy) / Math.max(1, after.all - before.all)
  }
}

const QUIET = 0.2
const LOOK_MS = 500

/** Waits until hardly anything else runs on this machine, at most `limitMs`: another program's work must not count as latency. */
export async function untilQuiet(limitMs = 5_000): Promise<void> {
  for (let waited = 0; waited < limitMs; waited += LOOK_MS) {
    const loadSince = watchLoad()
    await sleep(LOOK_MS)
    if (loadSince() < QUIET) return
  }
}

/** Above this load, times are those of waiting for a core. */
export const SATURATED = 0.8

export const loadNow = (): number => loadavg()[0] ?? 0

function ticks(): { busy: number; all: number } {
  const times = cpus().map((core) => core.times)
  const all = times.flatMap((core) => Object.values(core)).reduce((sum, time) => sum + time, 0)
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all }
}
