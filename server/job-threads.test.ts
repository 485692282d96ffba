import { afterEach, expect, test, vi } from 'vitest'
import type { Job } from './fixtures/job-worker.ts'
import { JobThreads, JobTimeout } from './job-threads.ts'

const threads = (limitMs = 20_000) =>
  new JobThreads<Job, number>({
    file: new URL('./fixtures/job-worker.ts', import.meta.url),
    name: 'test',
    limitMs,
    maxHeapMb: 64,
  })

afterEach(() => void vi.useRealTimers())

test('jobs one after the other share a thread, also behind one that threw', async () => {
  const one = threads()
  expect(await one.ask('thread')).toBe(1)
  await expect(one.ask('throw')).rejects.toThrow('thrown by the job')
  expect(await one.ask('thread')).toBe(3)
})

test('a job that comes while an idle thread is being ended gets a fresh thread', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const one = threads()
  expect(await one.ask('thread')).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(await one.ask('thread')).toBe(1)
})

test('jobs at once have a thread each', async () => {
  const one = threads()
  expect(await Promise.all([one.ask('thread'), one.ask('thread')])).toEqual([1, 1])
})

test('a job past its limit loses its thread, and the next one gets a fresh thread', async () => {
  const one = threads(1_000)
  await expect(one.ask('loop')).rejects.toThrow(JobTimeout)
  expect(await one.ask('thread')).toBe(1)
})

test.each([
  ['exit', 'the thread ended with code 3'],
  ['fill', 'memory limit'],
] as const)('a job that kills its thread (%s) is told so, and nobody else', async (job, sentence) => {
  const one = threads()
  await expect(one.ask(job)).rejects.toThrow(sentence)
  expect(await one.ask('thread')).toBe(1)
})
