import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { settle } from '../lib/fixtures/wait.ts'

/** Jobs that a test ends, and the names of those that have begun. */
function openRecordedQueue(maxRunning: number) {
  const queue = new FairQueue(maxRunning)
  const startedJobs: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  return {
    startedJobs,
    add(key: string, name: string): Promise<string> {
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return queue.run(key, () => {
        startedJobs.push(name)
        return end.promise
      })
    },
    async end(name: string): Promise<void> {
      ends.get(name)!.resolve(name)
      await settle()
    },
    async fail(name: string): Promise<void> {
      ends.get(name)!.reject(new Error(name))
      await settle()
    },
  }
}

test('keys take turns, however many jobs one of them has', async () => {
  const { startedJobs, add, end } = openRecordedQueue(1)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name)
  void add('b', 'b1')
  void add('c', 'c1')
  void add('b', 'b2')
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) {
    expect(startedJobs.at(-1)).toBe(name)
    await end(name)
  }
  expect(startedJobs).toHaveLength(7)
})

test('only so many jobs run at once, and only one of each key', async () => {
  const { startedJobs, add, end } = openRecordedQueue(2)
  for (const name of ['a1', 'a2']) void add('a', name)
  expect(startedJobs).toEqual(['a1'])
  void add('b', 'b1')
  void add('c', 'c1')
  expect(startedJobs).toEqual(['a1', 'b1'])
  await end('b1')
  expect(startedJobs).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  expect(startedJobs).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('a job answers its caller, and one that fails stops no other', async () => {
  const { startedJobs, add, end, fail } = openRecordedQueue(1)
  const failing = expect(add('a', 'a1')).rejects.toThrow('a1')
  const answered = add('a', 'a2')
  await fail('a1')
  await failing
  expect(startedJobs).toEqual(['a1', 'a2'])
  await end('a2')
  expect(await answered).toBe('a2')
})
