import { describe, expect, test } from 'vitest'
import {
  addResults,
  summaryLineOf,
  noResults,
  readPlaywright,
  readVitest,
  describeSlowestTests,
  describeFailures,
} from './test-results.ts'

const vitestReport = (...statuses: string[]) =>
  JSON.stringify({
    testResults: [
      {
        name: 'a.test.ts',
        status: statuses.includes('failed') ? 'failed' : 'passed',
        assertionResults: statuses.map((status) => ({ fullName: status, status, duration: 1 })),
      },
    ],
  })

const playwrightReport = (...statuses: string[]) =>
  JSON.stringify({
    errors: [],
    suites: [
      {
        title: 'typing.spec.ts',
        specs: [],
        suites: [
          {
            title: 'typing',
            specs: statuses.map((status) => ({
              title: status,
              tests: [
                {
                  projectName: 'sse',
                  status,
                  annotations: [{ type: 'skip', description: 'not here' }],
                  results: [{ duration: 2 }, { duration: 3 }],
                },
              ],
            })),
          },
        ],
      },
    ],
  })

describe('vitest', () => {
  test('counts', () => {
    expect(readVitest(vitestReport('passed', 'passed', 'failed', 'skipped'), 1)).toMatchObject({
      passed: 2,
      failures: ['failed'],
      skipped: ['skipped'],
    })
  })

  test('a failure has its reason, without colours and without the whole stack', () => {
    const stack = Array.from({ length: 40 }, (_, at) => `    at step ${at}`).join('\n')
    const failureMessages = [`\u001B[31mAssertionError: expected 3 to be 2\u001B[39m\n\n${stack}`]
    const assertionResults = [{ fullName: 'adds', status: 'failed', failureMessages }]
    const report = JSON.stringify({
      testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }],
    })
    const [failure] = readVitest(report, 1).failures
    expect(failure).toMatch(/^adds\n {4}AssertionError: expected 3 to be 2\n {8}at step 0\n/)
    expect(failure!.split('\n').length).toBeLessThan(20)
  })

  test('a file that does not load fails', () => {
    const report = JSON.stringify({
      testResults: [{ name: 'b.test.ts', status: 'failed', assertionResults: [] }],
    })
    expect(readVitest(report, 1).failures).toEqual(['b.test.ts'])
  })
})

describe('playwright', () => {
  test('counts, and treats a flaky test as failed', () => {
    expect(readPlaywright(playwrightReport('expected', 'unexpected', 'flaky', 'skipped'), 1)).toMatchObject({
      passed: 1,
      failures: ['[sse] typing › unexpected', '[sse] typing › flaky'],
      skipped: ['[sse] typing › skipped (not here)'],
    })
  })

  test('a failure has the errors of its tries', () => {
    const results = [{ duration: 1, errors: [{ message: 'Error: no such button' }] }]
    const tests = [{ projectName: 'flows', status: 'unexpected', annotations: [], results }]
    const suites = [{ title: 'a.spec.ts', specs: [{ title: 'presses', tests }] }]
    expect(readPlaywright(JSON.stringify({ suites, errors: [] }), 1).failures).toEqual([
      '[flows] a.spec.ts › presses\n    Error: no such button',
    ])
  })

  test('an error outside of any test fails', () => {
    const report = JSON.stringify({ suites: [], errors: [{ message: 'no Chromium' }] })
    expect(readPlaywright(report, 1).failures).toEqual(['no Chromium'])
  })
})

describe.each([
  ['vitest', readVitest, vitestReport],
  ['playwright', readPlaywright, playwrightReport],
] as const)('%s never passes without results', (runner, read, report) => {
  test('no report', () => expect(read(undefined, 0).failures).toEqual([`${runner} ran no test`]))
  test('no test', () => expect(read(report(), 0).failures).toEqual([`${runner} ran no test`]))
  test('all green, but a bad exit code', () => {
    const green = runner === 'vitest' ? 'passed' : 'expected'
    expect(read(report(green), 3).failures).toEqual([`${runner} ended with exit code 3`])
  })
})

test('the sum', () => {
  const total = addResults(
    { ...noResults, passed: 2, failures: ['x'] },
    { ...noResults, passed: 1, skipped: ['y (no nginx)'] },
  )
  expect(summaryLineOf(total)).toBe('3 passed, 1 failed')
  expect(describeFailures(total)).toBe('skipped: y (no nginx)\nfailed: x')
})

test('the slowest tests of all runners are listed, each with all its tries', () => {
  const total = addResults(
    readVitest(vitestReport('passed'), 0),
    readPlaywright(playwrightReport('expected'), 0),
  )
  expect(describeSlowestTests(total)).toBe('   0.0 s  [sse] typing › expected\n   0.0 s  passed')
  const timings = Array.from({ length: 12 }, (_, n) => ({ title: `test ${n}`, ms: n * 1_000 }))
  const lines = describeSlowestTests({ ...noResults, timings }).split('\n')
  expect(lines).toHaveLength(10)
  expect(lines[0]).toBe('  11.0 s  test 11')
})
