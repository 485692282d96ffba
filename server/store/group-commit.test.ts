import { expect, test } from 'vitest'
import { textEdit } from './fixtures/text-edits.ts'
import { type GroupCommitter, createGroupCommit } from './group-commit.ts'
import { StoreError } from './store.ts'
import { settle } from '../../lib/fixtures/wait.ts'

/** Records groups in order, and answers the oldest that waits. */
const createManualCommitter = () => {
  const groups: string[][] = []
  const waiting: PromiseWithResolvers<Awaited<ReturnType<GroupCommitter>>>[] = []
  const commit: GroupCommitter = (calls) => {
    groups.push(calls.map((edits) => edits.map((one) => new TextDecoder().decode(one.update)).join('+')))
    waiting.push(Promise.withResolvers())
    return waiting.at(-1)!.promise
  }
  return { commit, groups, takeOldest: () => waiting.shift()! }
}

test('[D1] calls of one turn share one transaction; while it runs, the next one collects', async () => {
  const { commit, groups, takeOldest } = createManualCommitter()
  const { append } = createGroupCommit(commit)
  const first = append([textEdit('d', 'a'), textEdit('d', 'b')])
  const second = append([textEdit('d', 'c')])
  await settle()
  const third = append([textEdit('d', 'd')])
  await settle()
  const fourth = append([textEdit('d', 'e')])
  await settle()
  expect(groups).toEqual([['a+b', 'c']])

  takeOldest().resolve([[1, 2], [3]])
  expect(await Promise.all([first, second])).toEqual([[1, 2], [3]])
  await settle()
  expect(groups).toEqual([
    ['a+b', 'c'],
    ['d', 'e'],
  ])
  takeOldest().resolve([[4], [5]])
  expect(await Promise.all([third, fourth])).toEqual([[4], [5]])
})

test('[D3] a failed group rejects each of its calls, and the next group is tried', async () => {
  const { commit, groups, takeOldest } = createManualCommitter()
  const { append } = createGroupCommit(commit)
  const failing = Promise.allSettled([append([textEdit('d', 'a')]), append([textEdit('d', 'b')])])
  await settle()
  const later = append([textEdit('d', 'c')])
  takeOldest().reject(new Error('disk I/O error'))
  for (const outcome of await failing)
    expect(outcome).toMatchObject({ reason: new StoreError('Nothing was written: disk I/O error') })
  await settle()
  expect(groups).toEqual([['a', 'b'], ['c']])
  takeOldest().resolve([[1]])
  expect(await later).toEqual([1])
})

test('[A6] a transaction takes 2 MiB, or one longer call', async () => {
  const { commit, groups, takeOldest } = createManualCommitter()
  const { append } = createGroupCommit(commit)
  const largeEdit = (mebibytes: number) => ({
    ...textEdit('d', ''),
    update: new Uint8Array(mebibytes * 1024 * 1024),
  })
  const appends = [largeEdit(3), largeEdit(1), largeEdit(1), largeEdit(0.5)].map((one) => append([one]))
  for (let group = 0; group < 3; group++) {
    await settle()
    takeOldest().resolve(groups[group]!.map(() => [0]))
  }
  await Promise.all(appends)
  expect(groups.map((group) => group.length)).toEqual([1, 2, 1])
})

test('a transaction takes 2,000 edits, or one longer call', async () => {
  const { commit, groups, takeOldest } = createManualCommitter()
  const { append } = createGroupCommit(commit)
  const edits = (count: number) => Array.from({ length: count }, () => textEdit('d', 'a'))
  const appends = [2_500, 1_000, 1_000, 1].map((count) => append(edits(count)))
  for (let group = 0; group < 3; group++) {
    await settle()
    takeOldest().resolve(groups[group]!.map(() => [0]))
  }
  await Promise.all(appends)
  expect(groups.map((group) => group.length)).toEqual([1, 2, 1])
})

test('whenDrained waits for collected and running calls', async () => {
  const { commit, takeOldest } = createManualCommitter()
  const { append, whenDrained } = createGroupCommit(commit)
  await whenDrained()
  const finished: string[] = []
  const first = append([textEdit('d', 'a')])
  await settle()
  const second = append([textEdit('d', 'b')])
  const draining = whenDrained().then(() => finished.push('drained'))
  takeOldest().resolve([[1]])
  await first
  await settle()
  expect(finished).toEqual([])
  takeOldest().resolve([[2]])
  await Promise.all([second, draining])
  expect(finished).toEqual(['drained'])
})
