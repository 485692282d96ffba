import { expect, onTestFinished, test, vi } from 'vitest'
import { sampleSection } from '../fixtures/sample-run.ts'
import { scenario } from '../support/scenario.ts'
import { duration, Progress } from './progress.ts'

test.each([
  [0, '0 s'],
  [89.2, '90 s'],
  [90, '2 min'],
  [601, '11 min'],
  [89 * 60 + 1, '1 h 30 min'],
  [3 * 3600, '3 h 0 min'],
])('%d seconds: %s', (seconds, words) => expect(duration(seconds)).toBe(words))

const made = scenario({
  name: 'made',
  sentence: '',
  options: {},
  quick: {},
  plan: () => [1, 2, 3].map((round) => ({ subject: 'A', lane: 'sse', params: {}, round })),
  estimate: () => 10,
  run: () => Promise.resolve({}),
  report: () => sampleSection,
}).bind([], false)

test('each line says which trial it is, and what is left by the estimates and by how long it took so far', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const progress = new Progress([{ bound: made, trials: made.trials }], (line) => void lines.push(line))
  for (const trial of made.trials) {
    progress.begin(made, trial)
    vi.advanceTimersByTime(50_000)
    progress.end(made, trial)
  }
  // 30 s of trust are spent as planned: after 50 s instead of 10 the rest takes twice as long, then 130 ÷ 50.
  expect(lines).toEqual([
    '1/3  made: A, sse, round 1 of 3  (31 s left)',
    '2/3  made: A, sse, round 2 of 3  (41 s left)',
    '3/3  made: A, sse, round 3 of 3  (27 s left)',
  ])
})
