/** Runs every `check:*` script of package.json in parallel; prints one line for each, and the output of those that failed. */
import { readFileSync } from 'node:fs'
import { endChildrenOnSignals, run } from './processes.ts'

export interface CheckResult {
  readonly name: string
  readonly passed: boolean
}

export async function runChecks(): Promise<readonly CheckResult[]> {
  return Promise.all(readCheckNames().map(runCheck))
}

function readCheckNames(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>
  }
  return Object.keys(scripts).filter((name) => name.startsWith('check:'))
}

async function runCheck(name: string): Promise<CheckResult> {
  const start = performance.now()
  const { code, output } = await run('npm', ['run', '--silent', name])
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (code !== 0) console.log(output.trimEnd())
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  return { name, passed: code === 0 }
}

if (import.meta.main) {
  endChildrenOnSignals()
  const results = await runChecks()
  if (results.some((result) => !result.passed)) process.exitCode = 1
}
