import { expect, test } from 'vitest'
import { RemoteEditQueue } from './remote-edit-queue.ts'

/** An event loop of which the test runs each task. */
function createQueue() {
  const batches: number[][] = []
  const tasks: (() => void)[] = []
  const queue = new RemoteEditQueue(
    (updates) => batches.push(updates.map(([number]) => number!)),
    (run) => tasks.push(run),
  )
  const add = (...numbers: number[]): void => numbers.forEach((number) => queue.add(Uint8Array.of(number)))
  const runTask = (): void => tasks.shift()!()
  return { queue, batches, tasks, add, runTask }
}

test('an edit that comes alone is applied at once', () => {
  const { batches, add, runTask } = createQueue()
  add(1)
  expect(batches).toEqual([[1]])
  runTask()
  add(2)
  expect(batches).toEqual([[1], [2]])
})

test('edits that wait behind another are applied together, in their order', () => {
  const { queue, batches, tasks, add, runTask } = createQueue()
  add(1, 2, 3)
  expect(queue.isEmpty).toBe(false)
  runTask()
  add(4, 5)
  runTask()
  runTask()
  expect(batches).toEqual([[1], [2, 3], [4, 5]])
  expect(queue.isEmpty).toBe(true)
  expect(tasks).toEqual([])
})

test('waiting edits can be applied at once, and are applied only once', () => {
  const { queue, batches, add, runTask } = createQueue()
  add(1, 2)
  queue.applyWaiting()
  queue.applyWaiting()
  runTask()
  expect(batches).toEqual([[1], [2]])
})

test('a task applies as many large edits as 64 KiB hold, and one that is larger by itself', () => {
  const sizes: number[][] = []
  const tasks: (() => void)[] = []
  const queue = new RemoteEditQueue(
    (updates) => sizes.push(updates.map(({ length }) => length)),
    (run) => tasks.push(run),
  )
  for (const size of [1, 30_000, 30_000, 5_536, 1, 100_000, 1]) queue.add(new Uint8Array(size))
  while (tasks.length > 0) tasks.shift()!()
  expect(sizes).toEqual([[1], [30_000, 30_000, 5_536], [1], [100_000], [1]])
})
