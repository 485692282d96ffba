import { expect, test, vi } from 'vitest'
import { textEdit } from './fixtures/text-edits.ts'
import { type AppendOutcomes, GroupCommit, ReplyLostError, type WriteCalls } from './group-commit.ts'
import { StoreError } from './store.ts'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'

/** Records groups in order, and answers the oldest that waits. A group whose calls may be stored is marked. */
const openGroupCommit = () => {
  const groups: string[][] = []
  const waiting: PromiseWithResolvers<AppendOutcomes>[] = []
  const write: WriteCalls = (calls, mayBeStored) => {
    const texts = calls.map((edits) => edits.map((one) => new TextDecoder().decode(one.update)).join('+'))
    groups.push(mayBeStored ? ['again', ...texts] : texts)
    waiting.push(Promise.withResolvers())
    return waiting.at(-1)!.promise
  }
  // The test's own timer, where it has set one.
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1))
  const commit = new GroupCommit({ write, onCommitted: () => {}, onFailed: () => {}, pause })
  return {
    append: (...words: string[]) => commit.append(words.map((word) => textEdit('d', word))),
    commit,
    groups,
    takeOldest: () => waiting.shift()!,
    /** Waits until this many groups were written. */
    groupCount: (count: number) => waitUntil(() => groups.length === count),
  }
}

test('[D1] calls of one turn share one transaction; while it runs, the next one collects', async () => {
  const { append, groups, takeOldest, groupCount } = openGroupCommit()
  const first = append('a', 'b')
  const second = append('c')
  await settle()
  const third = append('d')
  await settle()
  const fourth = append('e')
  await settle()
  expect(groups).toEqual([['a+b', 'c']])

  takeOldest().resolve([[1, 2], [3]])
  expect(await Promise.all([first, second])).toEqual([[1, 2], [3]])
  await groupCount(2)
  expect(groups).toEqual([
    ['a+b', 'c'],
    ['d', 'e'],
  ])
  takeOldest().resolve([[4], [5]])
  expect(await Promise.all([third, fourth])).toEqual([[4], [5]])
})

test('at rest a commit begins with the turn; back to back it takes along what comes within a millisecond', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const { append, groups, takeOldest } = openGroupCommit()
    for (const word of ['a', 'b', 'c']) {
      const done = append(word)
      await settle()
      expect(groups.at(-1)).toEqual([word])
      takeOldest().resolve([[1]])
      await done
      vi.advanceTimersByTime(1)
    }
    const first = append('d')
    await settle()
    takeOldest().resolve([[4]])
    await first
    const rest = [append('e')]
    await settle()
    vi.advanceTimersByTime(0.5)
    rest.push(append('f'))
    await settle()
    expect(groups).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(0.5)
    expect(groups.slice(4)).toEqual([['e', 'f']])
    takeOldest().resolve([[5], [6]])
    expect(await Promise.all(rest)).toEqual([[5], [6]])
  } finally {
    vi.useRealTimers()
  }
})

test('[D3] a failed group rejects each of its calls, and the next group is tried', async () => {
  const { append, groups, takeOldest, groupCount } = openGroupCommit()
  const failing = Promise.allSettled([append('a'), append('b')])
  await settle()
  const later = append('c')
  takeOldest().reject(new Error('disk I/O error'))
  for (const outcome of await failing)
    expect(outcome).toMatchObject({ reason: new StoreError('Nothing was written: disk I/O error') })
  await groupCount(2)
  expect(groups).toEqual([['a', 'b'], ['c']])
  takeOldest().resolve([[1]])
  expect(await later).toEqual([1])
})

test('[D2] a group whose answer was lost is looked for and offered again, and so is a call that comes again', async () => {
  const { commit, groups, takeOldest, groupCount } = openGroupCommit()
  const edits = [textEdit('d', 'a')]
  const failing = commit.append(edits)
  await settle()
  takeOldest().reject(new ReplyLostError('the thread died'))
  await groupCount(2)
  takeOldest().reject(new ReplyLostError('the thread died'))
  await expect(failing).rejects.toThrow(StoreError)
  const again = Promise.all([commit.append(edits), commit.append([textEdit('d', 'b')])])
  await groupCount(3)
  takeOldest().resolve([[1], [2]])
  expect(await again).toEqual([[1], [2]])
  expect(groups).toEqual([['a'], ['again', 'a'], ['again', 'a', 'b']])
})

test.each([
  ['2 MiB', [3, 1, 1, 0.5].map((mebibytes) => [new Uint8Array(mebibytes * 1024 * 1024)])],
  ['2,000 edits', [2_500, 1_000, 1_000, 1].map((count) => Array(count).fill(new Uint8Array(1)))],
])('[A6] a transaction takes %s, or one longer call', async (_limit, calls: Uint8Array[][]) => {
  const { commit, groups, takeOldest, groupCount } = openGroupCommit()
  const appends = calls.map((updates) =>
    commit.append(updates.map((update) => ({ ...textEdit('d', ''), update }))),
  )
  for (let group = 0; group < 3; group++) {
    await groupCount(group + 1)
    takeOldest().resolve(groups[group]!.map(() => [0]))
  }
  await Promise.all(appends)
  expect(groups.map((group) => group.length)).toEqual([1, 2, 1])
})

test('whenDrained waits for collected and running calls, which no longer wait for others', async () => {
  const { append, commit, takeOldest, groupCount } = openGroupCommit()
  const finished: string[] = []
  const first = append('a')
  await settle()
  const second = append('b')
  const draining = commit.whenDrained().then(() => finished.push('drained'))
  takeOldest().resolve([[1]])
  await first
  await groupCount(2)
  expect(finished).toEqual([])
  takeOldest().resolve([[2]])
  await Promise.all([second, draining])
  expect(finished).toEqual(['drained'])
})
