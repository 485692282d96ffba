/**
 * `npm test`: the checks, the unit and contract suites, then the flows in a browser that prove the product. `npm run test:all`:
 * what is left out there, which is the matrices, the appearance of pages, long waits and the other browsers' engines
 * (docs/TESTING.md). A later stage runs although an earlier one failed, so that one run reports everything. The last line reads `N
 * passed, N failed`; the exit code follows it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { arePagesBuilt } from '../server/page-build.ts'
import { runChecks } from './check.ts'
import { endChildrenOnSignals, type CommandResult, run } from './processes.ts'
import {
  addResults,
  summaryLineOf,
  noResults,
  readPlaywright,
  readVitest,
  describeSlowestTests,
  describeFailures,
} from './test-results.ts'
import type { TestResults } from './test-results.ts'

/** A runner that prints nothing for so long hangs: no test takes half of it, whatever its own limit is. */
const SILENCE_MINUTES = 3
const SILENCE_MS = SILENCE_MINUTES * 60_000

const reportFolder = mkdtempSync(join(tmpdir(), 'diptych-test-'))

async function runAllChecks(): Promise<TestResults> {
  const checkResults = await runChecks()
  const failures = checkResults.filter((result) => !result.passed).map((result) => result.name)
  return { ...noResults, passed: checkResults.length - failures.length, failures }
}

async function buildPages(): Promise<TestResults> {
  if (await arePagesBuilt()) return noResults
  const { code, output } = await run('npm', ['run', '--silent', 'build'])
  if (code === 0) return { ...noResults, passed: 1 }
  console.log(output)
  return { ...noResults, failures: ['the pages do not build'] }
}

/**
 * @param script A script of package.json.
 * @param reporter What the runner prints: one line for each file or each test.
 */
async function runVitest(script: string, reporter: 'default' | 'verbose'): Promise<TestResults> {
  const file = join(reportFolder, `${script}.json`)
  const reporters = [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${file}`]
  const finished = await run('npm', ['run', '--silent', script, '--', ...reporters], {
    show: true,
    silenceMs: SILENCE_MS,
  })
  return addSilenceFailure(readVitest(readReport(file), finished.code), finished)
}

async function runPlaywright(...projects: string[]): Promise<TestResults> {
  const file = join(reportFolder, `${projects.join('-')}.json`)
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, PLAYWRIGHT_HTML_OPEN: 'never' }
  const chosen = projects.map((project) => `--project=${project}`)
  const options = { show: true, silenceMs: SILENCE_MS, env }
  const finished = await run(
    'playwright',
    ['test', '--reporter=list,json,./e2e/fixtures/unfinished-tests.ts', ...chosen],
    options,
  )
  return addSilenceFailure(readPlaywright(readReport(file), finished.code), finished)
}

const addSilenceFailure = (results: TestResults, { silentAfter }: CommandResult): TestResults =>
  silentAfter === undefined
    ? results
    : {
        ...results,
        failures: [
          ...results.failures,
          `printed nothing for ${SILENCE_MINUTES} minutes after "${silentAfter}"`,
        ],
      }

const readReport = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

type TestStage = readonly [title: string, run: () => Promise<TestResults>]

const shortStages: readonly TestStage[] = [
  ['check', runAllChecks],
  ['unit and contract', () => runVitest('test:unit', 'default')],
  ['pages', buildPages],
  ['flows', () => runPlaywright('flows')],
]

const remainingStages: readonly TestStage[] = [
  ['long unit and contract', () => runVitest('test:long', 'verbose')],
  ['pages', buildPages],
  ['long flows, other engines', () => runPlaywright('long', 'engines')],
]

async function runStage([title, runStageWork]: TestStage): Promise<TestResults> {
  const start = performance.now()
  console.log(`\n── ${title}`)
  const results = await runStageWork()
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(`── ${title}: ${summaryLineOf(results)} in ${seconds} s`)
  return results
}

endChildrenOnSignals()
process.on('exit', () => rmSync(reportFolder, { recursive: true, force: true }))

let total = noResults
for (const stage of process.argv[2] === 'all' ? remainingStages : shortStages) {
  const results = await runStage(stage)
  total = addResults(total, results)
  // Without pages no browser has anything to show.
  if (stage[1] === buildPages && results.failures.length > 0) break
}

console.log(`\nThe slowest:\n${describeSlowestTests(total)}\n`)
console.log(describeFailures(total))
console.log(summaryLineOf(total))
process.exitCode = total.failures.length > 0 ? 1 : 0
