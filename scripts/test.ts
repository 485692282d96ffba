/**
 * `npm test`: the checks, the unit and contract suites, then the flows in a browser that prove the product. `npm run test:all`: what is
 * left out there, which is the matrices, the looks of pages, long waits and the other browsers' engines (docs/TESTING.md). A later stage
 * runs although an earlier one failed, so that one run tells everything. The last line reads `N passed, N failed`; the exit code
 * follows it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBuilt } from '../server/page-build.ts'
import { check } from './check.ts'
import { endChildrenOnSignals, type Finished, run } from './processes.ts'
import { add, lastLine, nothing, readPlaywright, readVitest, slowestTests, whatWentWrong } from './results.ts'
import type { Results } from './results.ts'

/** A runner that prints nothing for so long hangs: no test takes half of it, whatever its own limit is. */
const SILENCE_MINUTES = 3
const SILENCE_MS = SILENCE_MINUTES * 60_000

const temporary = mkdtempSync(join(tmpdir(), 'diptych-test-'))

async function checks(): Promise<Results> {
  const parts = await check()
  const failures = parts.filter((part) => !part.passed).map((part) => part.name)
  return { ...nothing, passed: parts.length - failures.length, failures }
}

async function pages(): Promise<Results> {
  if (await isBuilt()) return nothing
  const { code, output } = await run('npm', ['run', '--silent', 'build'])
  if (code === 0) return { ...nothing, passed: 1 }
  console.log(output)
  return { ...nothing, failures: ['the pages do not build'] }
}

/** @param script A script of package.json. `reporter`: what it prints, by file or by test. */
async function vitest(script: string, reporter: 'default' | 'verbose'): Promise<Results> {
  const file = join(temporary, `${script}.json`)
  const reporters = [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${file}`]
  const finished = await run('npm', ['run', '--silent', script, '--', ...reporters], {
    show: true,
    silenceMs: SILENCE_MS,
  })
  return withSilence(readVitest(read(file), finished.code), finished)
}

async function playwright(...projects: string[]): Promise<Results> {
  const file = join(temporary, `${projects.join('-')}.json`)
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, PLAYWRIGHT_HTML_OPEN: 'never' }
  const chosen = projects.map((project) => `--project=${project}`)
  const options = { show: true, silenceMs: SILENCE_MS, env }
  const finished = await run(
    'playwright',
    ['test', '--reporter=list,json,./e2e/support/unfinished-tests.ts', ...chosen],
    options,
  )
  return withSilence(readPlaywright(read(file), finished.code), finished)
}

const withSilence = (results: Results, { silentAfter }: Finished): Results =>
  silentAfter === undefined
    ? results
    : {
        ...results,
        failures: [
          ...results.failures,
          `printed nothing for ${SILENCE_MINUTES} minutes after "${silentAfter}"`,
        ],
      }

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

type Stage = readonly [title: string, run: () => Promise<Results>]

const short: readonly Stage[] = [
  ['check', checks],
  ['unit and contract', () => vitest('test:unit', 'default')],
  ['pages', pages],
  ['flows', () => playwright('flows')],
]

const rest: readonly Stage[] = [
  ['long unit and contract', () => vitest('test:long', 'verbose')],
  ['pages', pages],
  ['long flows, other engines', () => playwright('long', 'engines')],
]

async function runStage([title, work]: Stage): Promise<Results> {
  const start = performance.now()
  console.log(`\n── ${title}`)
  const results = await work()
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(`── ${title}: ${lastLine(results)} in ${seconds} s`)
  return results
}

endChildrenOnSignals()
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))

let total = nothing
for (const stage of process.argv[2] === 'all' ? rest : short) {
  const results = await runStage(stage)
  total = add(total, results)
  // No browser has anything to show then.
  if (stage[1] === pages && results.failures.length > 0) break
}

console.log(`\nThe slowest:\n${slowestTests(total)}\n`)
console.log(whatWentWrong(total))
console.log(lastLine(total))
process.exitCode = total.failures.length > 0 ? 1 : 0
