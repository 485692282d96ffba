import { afterEach, expect, test, vi } from 'vitest'
import { ManualClock } from '../lib/session/fixtures/manual-clock.ts'
import type { Clock } from '../lib/session/clock.ts'
import type { TestJob } from './fixtures/job-worker.ts'
import { WorkerPool, JobTimeout } from './worker-pool.ts'

const createPool = (limitMs = 20_000, clock?: Clock) =>
  new WorkerPool<TestJob, number>({
    file: new URL('./fixtures/job-worker.ts', import.meta.url),
    name: 'test',
    limitMs,
    maxHeapMb: 64,
    ...(clock && { clock }),
  })

const KIB = 1024

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

test('a thread ends after jobs of a MiB together', async () => {
  const pool = createPool()
  const runWithBytes = (bytes: number) => pool.run('thread', [new ArrayBuffer(bytes)])
  expect(await runWithBytes(600 * KIB)).toBe(1)
  expect(await runWithBytes(600 * KIB)).toBe(2)
  expect(await runWithBytes(600 * KIB)).toBe(1)
  expect(await runWithBytes(1_024 * KIB)).toBe(2)
  expect(await pool.run('thread')).toBe(1)
})

test('a large job waits for the one before it, also if that exceeds its limit; a small one does not wait', async () => {
  const clock = new ManualClock()
  const pool = createPool(1_000, clock)
  const settled: string[] = []
  const endless = pool
    .run('loop', [new ArrayBuffer(1_024 * KIB)])
    .catch((error: Error) => settled.push(error.name))
  const large = pool.run('thread', [new ArrayBuffer(1_024 * KIB)]).then(() => settled.push('large'))
  await pool.run('thread', [new ArrayBuffer(1_023 * KIB)]).then(() => settled.push('small'))
  await clock.pass(1_000)
  await Promise.all([endless, large])
  expect(settled).toEqual(['small', 'JobTimeout', 'large'])
})

test('concurrent jobs have a thread each', async () => {
  const pool = createPool()
  expect(await Promise.all([pool.run('thread'), pool.run('thread')])).toEqual([1, 1])
})

test('a job past its limit loses its thread, and the next one gets a new thread', async () => {
  const clock = new ManualClock()
  const pool = createPool(1_000, clock)
  const endless = expect(pool.run('loop')).rejects.toThrow(JobTimeout)
  await clock.pass(1_000)
  await endless
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
