import { afterEach, expect, test, vi } from 'vitest'
import type { TestJob } from './fixtures/job-worker.ts'
import { WorkerPool, JobTimeout } from './worker-pool.ts'

const createPool = (limitMs = 20_000) =>
  new WorkerPool<TestJob, number>({
    file: new URL('./fixtures/job-worker.ts', import.meta.url),
    name: 'test',
    limitMs,
    maxHeapMb: 64,
  })

afterEach(() => void vi.useRealTimers())

test('successive jobs share a thread, also after one that threw', async () => {
  const pool = createPool()
  expect(await pool.run('thread')).toBe(1)
  await expect(pool.run('throw')).rejects.toThrow('thrown by the job')
  expect(await pool.run('thread')).toBe(3)
})

test('a job that arrives while an idle thread is ending gets a new thread', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pool = createPool()
  expect(await pool.run('thread')).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(await pool.run('thread')).toBe(1)
})

test('concurrent jobs have a thread each', async () => {
  const pool = createPool()
  expect(await Promise.all([pool.run('thread'), pool.run('thread')])).toEqual([1, 1])
})

test('a job past its limit loses its thread, and the next one gets a new thread', async () => {
  const pool = createPool(1_000)
  await expect(pool.run('loop')).rejects.toThrow(JobTimeout)
  expect(await pool.run('thread')).toBe(1)
})

test.each([
  ['exit', 'the thread ended with code 3'],
  ['fill', 'memory limit'],
] as const)(
  'a job that kills its thread (%s) fails with the reason, and no other job fails',
  async (job, sentence) => {
    const pool = createPool()
    await expect(pool.run(job)).rejects.toThrow(sentence)
    expect(await pool.run('thread')).toBe(1)
  },
)
