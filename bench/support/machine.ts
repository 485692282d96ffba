/** What a figure depends on beside the program: the machine, the versions, and how busy it was. */
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
  /** What `chromium --version` says, or the browser itself. */
  readonly browser: string
  readonly diptych: string
  /** `-dirty` where files differ from it; '' outside a checkout. */
  readonly commit: string
  /** Of what Diptych is measured beside, and of what both are built on: `{ yjs: '13.6.31' }`. Runs of before do not say. */
  readonly versions?: Readonly<Record<string, string>>
  readonly at: string
}

export const surroundings = (browser = chromiumVersion()): Environment => ({
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

/** `{ PostgreSQL: '15.14' }`; what is not installed is left out. */
const versionsOfPrograms = (): Record<string, string> =>
  Object.fromEntries(
    [
      ['PostgreSQL', postgresMissing === null && postgresProgram('postgres')] as const,
      ['Redis', redisProgram] as const,
    ].flatMap(([name, program]) => {
      const version = program && /\d+(\.\d+)+/.exec(said(program, ['--version']))?.[0]
      return version ? [[name, version]] : []
    }),
  )

const commit = (): string => said('git', ['describe', '--always', '--dirty', '--exclude=*'])

const chromiumVersion = (): string => said(findFullBrowser() ?? 'chromium', ['--version'])

/** '' where there is no such program, or it fails. */
function said(program: string, args: readonly string[]): string {
  try {
    const options = { cwd: projectFolder, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 } as const
    return execFileSync(program, args, { ...options, stdio: [...options.stdio] })
      .toString()
      .trim()
  } catch {
    return ''
  }
}

/** Of all cores, 0 to 1, from the call of this function to the call of what it returns. */
export function watchLoad(): () => number {
  const before = ticks()
  return () => {
    const after = ticks()
    return (after.busy - before.busy) / Math.max(1, after.all - before.all)
  }
}

const QUIET = 0.2
const LOOK_MS = 500

/** Waits until hardly anything else runs here, or no longer than `limitMs`: somebody else's build is nobody's latency. */
export async function untilQuiet(limitMs = 5_000): Promise<void> {
  for (let waited = 0; waited < limitMs; waited += LOOK_MS) {
    const loadSince = watchLoad()
    await sleep(LOOK_MS)
    if (loadSince() < QUIET) return
  }
}

/** Above it what is measured is the waiting for a core. */
export const SATURATED = 0.8

export const loadNow = (): number => loadavg()[0] ?? 0

function ticks(): { busy: number; all: number } {
  const times = cpus().map((core) => core.times)
  const all = times.flatMap((core) => Object.values(core)).reduce((sum, time) => sum + time, 0)
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all }
}
