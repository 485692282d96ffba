import { expect, test } from 'vitest'
import { edit } from './fixtures/edits.ts'
import { type Commit, createGroupCommit } from './group-commit.ts'
import { StoreError } from './store.ts'

/** Groups as they came, and the way to answer the oldest that waits. */
const manualCommit = () => {
  const groups: string[][] = []
  const waiting: PromiseWithResolvers<Awaited<ReturnType<Commit>>>[] = []
  const commit: Commit = (calls) => {
    groups.push(calls.map((edits) => edits.map((one) => new TextDecoder().decode(one.update)).join('+')))
    waiting.push(Promise.withResolvers())
    return waiting.at(-1)!.promise
  }
  return { commit, groups, oldest: () => waiting.shift()! }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('[D1] calls of one turn share one transaction; while it runs, the next one collects', async () => {
  const { commit, groups, oldest } = manualCommit()
  const { append } = createGroupCommit(commit)
  const first = append([edit('d', 'a'), edit('d', 'b')])
  const second = append([edit('d', 'c')])
  await turn()
  const third = append([edit('d', 'd')])
  await turn()
  const fourth = append([edit('d', 'e')])
  await turn()
  expect(groups).toEqual([['a+b', 'c']])

  oldest().resolve([[1, 2], [3]])
  expect(await Promise.all([first, second])).toEqual([[1, 2], [3]])
  await turn()
  expect(groups).toEqual([
    ['a+b', 'c'],
    ['d', 'e'],
  ])
  oldest().resolve([[4], [5]])
  expect(await Promise.all([third, fourth])).toEqual([[4], [5]])
})

test('[D3] a group that failed is refused to each of its callers, and the next one is tried', async () => {
  const { commit, groups, oldest } = manualCommit()
  const { append } = createGroupCommit(commit)
  const failing = Promise.allSettled([append([edit('d', 'a')]), append([edit('d', 'b')])])
  await turn()
  const later = append([edit('d', 'c')])
  oldest().reject(new Error('disk I/O error'))
  for (const outcome of await failing)
    expect(outcome).toMatchObject({ reason: new StoreError('Nothing was written: disk I/O error') })
  await turn()
  expect(groups).toEqual([['a', 'b'], ['c']])
  oldest().resolve([[1]])
  expect(await later).toEqual([1])
})

test('a transaction takes 8 MiB, or one longer call', async () => {
  const { commit, groups, oldest } = manualCommit()
  const { append } = createGroupCommit(commit)
  const large = (mebibytes: number) => ({ ...edit('d', ''), update: new Uint8Array(mebibytes * 1024 * 1024) })
  const all = [large(9), large(3), large(4), large(2)].map((one) => append([one]))
  for (let group = 0; group < 3; group++) {
    await turn()
    oldest().resolve(groups[group]!.map(() => [0]))
  }
  await Promise.all(all)
  expect(groups.map((group) => group.length)).toEqual([1, 2, 1])
})

test('drained waits for what is collected and what runs', async () => {
  const { commit, oldest } = manualCommit()
  const { append, drained } = createGroupCommit(commit)
  await drained()
  const done: string[] = []
  const first = append([edit('d', 'a')])
  await turn()
  const second = append([edit('d', 'b')])
  const drain = drained().then(() => done.push('drained'))
  oldest().resolve([[1]])
  await first
  await turn()
  expect(done).toEqual([])
  oldest().resolve([[2]])
  await Promise.all([second, drain])
  expect(done).toEqual(['drained'])
})
