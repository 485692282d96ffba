import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Jobs that a test ends; which of them have begun, by name. */
function recorded(places: number) {
  const queue = new FairQueue(places)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  return {
    begun,
    add(key: string, name: string): Promise<string> {
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return queue.run(key, () => {
        begun.push(name)
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

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('keys take turns, however many jobs one of them has', async () => {
  const { begun, add, end } = recorded(1)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name)
  void add('b', 'b1')
  void add('c', 'c1')
  void add('b', 'b2')
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) {
    expect(begun.at(-1)).toBe(name)
    await end(name)
  }
  expect(begun).toHaveLength(7)
})

test('so many are at work at once, of one key one', async () => {
  const { begun, add, end } = recorded(2)
  for (const name of ['a1', 'a2']) void add('a', name)
  expect(begun).toEqual(['a1'])
  void add('b', 'b1')
  void add('c', 'c1')
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('a job answers whoever asked, and one that fails stops nobody', async () => {
  const { begun, add, end, fail } = recorded(1)
  const failing = expect(add('a', 'a1')).rejects.toThrow('a1')
  const answered = add('a', 'a2')
  await fail('a1')
  await failing
  expect(begun).toEqual(['a1', 'a2'])
  await end('a2')
  expect(await answered).toBe('a2')
})
