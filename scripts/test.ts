/**
 * `npm test`: the checks, the unit and contract suites, then the pages in a browser. A later stage runs although an earlier one
 * failed, so that one run tells everything. The last line reads `N passed, N failed`; the exit code follows it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBuilt } from '../server/page-build.ts'
import { check } from './check.ts'
import { endChildrenOnSignals, run } from './processes.ts'
import { add, lastLine, readPlaywright, readVitest, whatWentWrong } from './results.ts'
import type { Results } from './results.ts'

const temporary = mkdtempSync(join(tmpdir(), 'diptych-test-'))

async function checks(): Promise<Results> {
  const parts = await check()
  const failures = parts.filter((part) => !part.passed).map((part) => part.name)
  return { passed: parts.length - failures.length, failures, skipped: [] }
}

async function unit(): Promise<Results> {
  const file = join(temporary, 'unit.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code } = await run('vitest', ['run', ...reporters], { show: true })
  return readVitest(read(file), code)
}

async function pages(): Promise<Results> {
  if (await isBuilt()) return { passed: 1, failures: [], skipped: [] }
  const { code, output } = await run('npm', ['run', '--silent', 'build'])
  if (code === 0) return { passed: 1, failures: [], skipped: [] }
  console.log(output)
  return { passed: 0, failures: ['the pages do not build'], skipped: [] }
}

async function browser(): Promise<Results> {
  const file = join(temporary, 'e2e.json')
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, PLAYWRIGHT_HTML_OPEN: 'never' }
  const { code } = await run('playwright', ['test', '--reporter=list,json'], { show: true, env })
  return readPlaywright(read(file), code)
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

async function stage(title: string, work: () => Promise<Results>): Promise<Results> {
  const start = performance.now()
  console.log(`\n── ${title}`)
  const results = await work()
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(`── ${title}: ${lastLine(results)} in ${seconds} s`)
  return results
}

endChildrenOnSignals()
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))

let total = await stage('check', checks)
total = add(total, await stage('unit and contract', unit))
const built = await stage('pages', pages)
total = add(total, built)
if (built.failures.length === 0) total = add(total, await stage('e2e', browser))

console.log(whatWentWrong(total))
console.log(lastLine(total))
process.exitCode = total.failures.length > 0 ? 1 : 0
