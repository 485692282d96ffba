import { expect, onTestFinished, test, vi } from 'vitest'
import { sampleScenario } from '../fixtures/sample-run.ts'
import { formatDuration, Progress } from './progress.ts'

test.each([
  [0, '0 s'],
  [89.2, '90 s'],
  [90, '2 min'],
  [601, '11 min'],
  [89 * 60 + 1, '1 h 30 min'],
  [3 * 3600, '3 h 0 min'],
])('%d seconds: %s', (seconds, words) => expect(formatDuration(seconds)).toBe(words))

const bound = sampleScenario({
  plan: () => [{ subject: 'A', lane: 'sse', params: {} }],
  estimate: () => 10,
}).bind([], false)

test('each line names its trial and the time that is left, by the estimates and the time so far', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const progress = new Progress([{ bound, trials: bound.trials }], (line) => void lines.push(line))
  for (const trial of bound.trials) {
    progress.begin(bound, trial)
    vi.advanceTimersByTime(50_000)
    progress.end(bound, trial)
  }
  // The first 30 s count as planned: after 50 s instead of 10 the rest takes (50 + 30) ÷ (10 + 30) as long, then (100 + 30) ÷ (20 + 30).
  expect(lines).toEqual([
    '1/3  sample: A, sse, round 1 of 3  (31 s left)',
    '2/3  sample: A, sse, round 2 of 3  (41 s left)',
    '3/3  sample: A, sse, round 3 of 3  (27 s left)',
  ])
})
