/** Reads the reports of the test runners into one count. Pure: text in, results out. */
import { stripVTControlCharacters } from 'node:util'

export interface TestResults {
  readonly passed: number
  /** Titles, each with the lines of its reason. */
  readonly failures: readonly string[]
  /** Skipped tests, with the reason where the suite gave one. */
  readonly skipped: readonly string[]
  readonly timings: readonly TestTiming[]
}

export interface TestTiming {
  readonly title: string
  readonly ms: number
}

export const addResults = (a: TestResults, b: TestResults): TestResults => ({
  passed: a.passed + b.passed,
  failures: [...a.failures, ...b.failures],
  skipped: [...a.skipped, ...b.skipped],
  timings: [...a.timings, ...b.timings],
})

export const summaryLineOf = ({ passed, failures }: TestResults): string =>
  `${passed} passed, ${failures.length} failed`

export const describeFailures = ({ failures, skipped }: TestResults): string =>
  [...skipped.map((title) => `skipped: ${title}`), ...failures.map((title) => `failed: ${title}`)].join('\n')

export function describeSlowestTests({ timings }: TestResults, count = 10): string {
  const slowest = timings.toSorted((a, b) => b.ms - a.ms).slice(0, count)
  return slowest.map(({ title, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${title}`).join('\n')
}

/** Enough for what was expected and what came. */
const REASON_LINES = 12

/** The end of a long run is all that somebody may get to see of it: it says why each test failed. */
function withReason(title: string, messages: readonly (string | undefined)[]): string {
  const lines = stripVTControlCharacters(messages.join('\n'))
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [title, ...lines.slice(0, REASON_LINES).map((line) => `    ${line}`)].join('\n')
}

/**
 * Fails a stage that crashed or ran nothing: a report that is missing, empty or all green while the runner's exit code is not 0
 * must never count as success.
 */
function failWithoutProof(results: TestResults, code: number, runner: string): TestResults {
  const { passed, failures } = results
  if (failures.length > 0) return results
  if (passed === 0) return { ...results, failures: [`${runner} ran no test`] }
  if (code !== 0) return { ...results, failures: [`${runner} ended with exit code ${code}`] }
  return results
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      /** In ms; missing when the test did not run. */
      readonly duration?: number | null
      readonly failureMessages?: readonly string[]
    }[]
    /** Why the file did not load. */
    readonly message?: string
  }[]
}

export function readVitest(json: string | undefined, code: number): TestResults {
  if (json === undefined) return failWithoutProof(noResults, code, 'vitest')
  const files = (JSON.parse(json) as VitestReport).testResults
  const tests = files.flatMap((file) => file.assertionResults)
  const titles = (status: string[]) =>
    tests.filter((test) => status.includes(test.status)).map((test) => test.fullName)
  const brokenFiles = files
    .filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    )
    .map(({ name, message }) => withReason(name, [message]))
  const failedTests = tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages = [] }) => withReason(fullName, failureMessages))
  const results = {
    passed: titles(['passed']).length,
    failures: [...failedTests, ...brokenFiles],
    skipped: titles(['skipped', 'pending', 'todo', 'disabled']),
    timings: tests.map(({ fullName, duration }) => ({ title: fullName, ms: duration ?? 0 })),
  }
  return failWithoutProof(results, code, 'vitest')
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[]
  readonly errors: readonly { readonly message?: string }[]
}

interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly { readonly title: string; readonly tests: readonly PlaywrightTest[] }[]
}

interface PlaywrightTest {
  readonly projectName: string
  readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
  readonly annotations: readonly { readonly type: string; readonly description?: string }[]
  /** One result for each try. */
  readonly results: readonly {
    readonly duration: number
    readonly errors?: readonly { readonly message?: string }[]
  }[]
}

/** Counts a test that passed only when repeated as failed: no suite here repeats, so that nothing is hidden. */
export function readPlaywright(json: string | undefined, code: number): TestResults {
  if (json === undefined) return failWithoutProof(noResults, code, 'playwright')
  const report = JSON.parse(json) as PlaywrightReport
  const tests = report.suites.flatMap((suite) => testsOf(suite))
  const skipReasonOf = ({ annotations }: PlaywrightTest) =>
    annotations.find(({ type }) => type === 'skip')?.description
  const results = {
    passed: tests.filter(({ status }) => status === 'expected').length,
    failures: [
      ...tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ title, results: tries }) =>
          withReason(
            title,
            tries.flatMap(({ errors = [] }) => errors.map(({ message }) => message)),
          ),
        ),
      ...report.errors.map(({ message = 'an error outside of any test' }) => message),
    ],
    skipped: tests
      .filter(({ status }) => status === 'skipped')
      .map((test) => `${test.title} (${skipReasonOf(test) ?? 'no reason given'})`),
    timings: tests.map(({ title, results: tries }) => ({
      title,
      ms: tries.reduce((sum, { duration }) => sum + duration, 0),
    })),
  }
  return failWithoutProof(results, code, 'playwright')
}

function testsOf(suite: PlaywrightSuite): (PlaywrightTest & { title: string })[] {
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map((test) => ({ ...test, title: `[${test.projectName}] ${suite.title} › ${spec.title}` })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner))]
}

export const noResults: TestResults = { passed: 0, failures: [], skipped: [], timings: [] }
