import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { textEdit, textsOf } from '../store/fixtures/text-edits.ts'
import { createSqliteFixture } from '../store/fixtures/sqlite-fixture.ts'
import { createHoldableStore, type HoldableStore } from '../fixtures/holdable-store.ts'
import type { StoreFixture } from '../store/store.contract.ts'
import { StoreError } from '../store/store.ts'
import {
  type AppendEntry,
  AppendQueue,
  type AppendQueueOptions,
  MAX_BATCH_BYTES,
  MAX_BATCH_EDITS,
} from './append-queue.ts'
import { isPending } from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

interface NamedEntry extends AppendEntry {
  readonly name: string
}

const entryWithEdit = (name: string): NamedEntry => ({ name, edit: textEdit('d', name) })
const entryWithoutEdit = (name: string): NamedEntry => ({ name, edit: null })

let fixture: StoreFixture
let store: HoldableStore
beforeEach(async () => {
  fixture = await createSqliteFixture()
  store = createHoldableStore(await fixture.open())
})
afterEach(async () => {
  vi.useRealTimers()
  store.release()
  await fixture.dispose()
})

const stored = async () => textsOf(await store.load('d', 'body'))

/** Opens a queue whose reports are recorded, one line a batch: the sequence number of its first edit, and its entries. */
function openQueue(
  waitForBatch = () => Promise.resolve(),
  overrides: Partial<AppendQueueOptions<NamedEntry>> = {},
) {
  const outcomes: string[] = []
  const failing: boolean[] = []
  const counts = new ServerCounts()
  const queue = new AppendQueue<NamedEntry>({
    document: 'd',
    store,
    log: silentLogger,
    counts,
    waitForBatch,
    onBeforeBatch: () => {},
    onCommitted: (entries, _edits, first) =>
      outcomes.push(`${first}: ${entries.map(({ name }) => name).join(' ')}`),
    onFailing: (overrides) => failing.push(overrides),
    onFault: (error, entries) =>
      outcomes.push(`${String(error)}: ${entries.map(({ name }) => name).join(' ')}`),
    ...overrides,
  })
  return { queue, outcomes, failing, counts }
}

describe('[D1] an entry is reported when it is on disk', () => {
  test('entries that come together are one batch, and those that come during its append are the next', async () => {
    const { queue, outcomes, counts } = openQueue()
    store.hold()
    for (const name of ['a', 'b']) queue.add(entryWithEdit(name))
    await isPending(queue.whenSettled())
    for (const name of ['c', 'd']) queue.add(entryWithEdit(name))
    expect([outcomes, queue.length, queue.isSettled]).toEqual([[], 2, false])
    store.release()
    await queue.whenSettled()
    expect([outcomes, queue.length, queue.isSettled]).toEqual([['1: a b', '3: c d'], 0, true])
    expect([await stored(), counts.commits]).toEqual([['a', 'b', 'c', 'd'], 2])
  })

  test('an entry without an edit waits for those before it, and costs no append', async () => {
    const { queue, outcomes, counts } = openQueue()
    store.hold()
    queue.add(entryWithEdit('a'))
    queue.add(entryWithoutEdit('(a)'))
    await isPending(queue.whenSettled())
    queue.add(entryWithoutEdit('(b)'))
    expect(await isPending(queue.whenSettled())).toBe(true)
    expect(outcomes).toEqual([])
    store.release()
    await queue.whenSettled()
    expect([outcomes, counts.commits]).toEqual([['1: a (a)', '0: (b)'], 1])
  })

  test('a batch is made of the entries that wait when its turn begins', async () => {
    const waitForBatch = Promise.withResolvers<void>()
    const { queue, outcomes } = openQueue(() => waitForBatch.promise)
    queue.add(entryWithEdit('a'))
    await isPending(queue.whenSettled())
    queue.add(entryWithEdit('b'))
    waitForBatch.resolve()
    await queue.whenSettled()
    expect(outcomes).toEqual(['1: a b'])
  })
})

describe('[D3] a batch has a limit, so that what a store did not take for long is no one batch', () => {
  const sizesOf = (outcomes: readonly string[]) => outcomes.map((batch) => batch.split(' ').length - 1)

  test('of edits, which are reported in their order', async () => {
    const { queue, outcomes } = openQueue()
    store.failWith(new StoreError('the disk is full'))
    const names = Array.from({ length: 2 * MAX_BATCH_EDITS + 7 }, (_, index) => String(index))
    for (const name of names) queue.add(entryWithEdit(name))
    queue.add(entryWithoutEdit('last'))
    await waitUntil(() => queue.isFailing)
    store.failWith(null)
    await queue.whenSettled()
    expect(sizesOf(outcomes)).toEqual([MAX_BATCH_EDITS, MAX_BATCH_EDITS, 8])
    expect(outcomes.flatMap((batch) => batch.split(' ').slice(1))).toEqual([...names, 'last'])
    expect(await stored()).toEqual(names)
  })

  test('of bytes, past which one edit is a batch of its own', async () => {
    const { queue, outcomes } = openQueue()
    const longEntry = (name: string, bytes: number): NamedEntry => ({
      name,
      edit: { ...textEdit('d', name), update: new Uint8Array(bytes) },
    })
    for (const [name, share] of [
      ['a', 0.6],
      ['b', 0.4],
      ['c', 0.1],
      ['d', 1.5],
      ['e', 0.1],
    ] as const)
      // prettier-ignore
      queue.add(longEntry(name, share * MAX_BATCH_BYTES))
    await queue.whenSettled()
    expect(outcomes).toEqual(['1: a b', '3: c', '4: d', '5: e'])
  })
})

describe('[D3] a store that fails', () => {
  test('is offered the same batch until it takes it, and then the entries that came meanwhile', async () => {
    const { queue, outcomes, failing, counts } = openQueue()
    store.failWith(new StoreError('the disk is full'))
    queue.add(entryWithEdit('a'))
    await waitUntil(() => counts.storeFailures > 1)
    queue.add(entryWithEdit('b'))
    expect([outcomes, failing, queue.isFailing]).toEqual([[], [true], true])
    store.failWith(null)
    await queue.whenSettled()
    expect([outcomes, failing, queue.isFailing]).toEqual([['1: a', '2: b'], [true, false], false])
    expect([await stored(), counts.commits]).toEqual([['a', 'b'], 2])
  })

  test('is offered it less and less often, but every 2 s at least', async () => {
    const { queue, counts } = openQueue()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    store.failWith(new StoreError('the disk is full'))
    queue.add(entryWithEdit('a'))
    const attempts: number[] = []
    for (const ms of [0, 99, 1, 199, 1, 400, 800, 1600, 1999, 1, 2000]) {
      await vi.advanceTimersByTimeAsync(ms)
      attempts.push(counts.storeFailures)
    }
    expect(attempts).toEqual([1, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8])
    queue.close()
  })
})

describe('a queue that is closed', () => {
  test('gives up at once what the store did not take, and reports nothing', async () => {
    const { queue, outcomes, counts } = openQueue()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    store.failWith(new StoreError('the disk is full'))
    queue.add(entryWithEdit('a'))
    await vi.advanceTimersByTimeAsync(0)
    queue.add(entryWithEdit('b'))
    queue.close()
    await queue.whenSettled()
    store.failWith(null)
    queue.add(entryWithEdit('c'))
    await queue.whenSettled()
    expect([outcomes, await stored(), counts.storeFailures]).toEqual([[], [], 1])
  })

  test('does not report the entries that were being appended', async () => {
    const { queue, outcomes } = openQueue()
    store.hold()
    queue.add(entryWithEdit('a'))
    await isPending(queue.whenSettled())
    queue.close()
    store.release()
    await queue.whenSettled()
    expect([outcomes, await stored()]).toEqual([[], ['a']])
  })
})

describe('[A7] errors outside the store', () => {
  const throwError = (): never => {
    throw new Error('broken')
  }

  test.each<
    [
      what: string,
      turn: () => Promise<void>,
      fails: Partial<AppendQueueOptions<NamedEntry>>,
      onDisk: string[],
    ]
  >([
    ['the wait for a batch', () => Promise.reject(new Error('broken')), {}, []],
    ['onBeforeBatch', () => Promise.resolve(), { onBeforeBatch: throwError }, []],
    ['onCommitted', () => Promise.resolve(), { onCommitted: throwError }, ['a', 'b']],
  ])(
    '%s: the queue is closed, once, and names the entries that it will not report',
    async (_what, waitForBatch, overrides, onDisk) => {
      const { queue, outcomes } = openQueue(waitForBatch, overrides)
      for (const name of ['a', 'b']) queue.add(entryWithEdit(name))
      await queue.whenSettled()
      queue.add(entryWithEdit('c'))
      await queue.whenSettled()
      expect([outcomes, await stored(), queue.isSettled]).toEqual([['Error: broken: a b'], onDisk, true])
    },
  )

  test('entries that came meanwhile are among them, and a throwing onFault does no harm', async () => {
    const abandoned: string[] = []
    const { queue } = openQueue(() => Promise.resolve(), {
      onCommitted: throwError,
      onFault(_error, entries) {
        abandoned.push(...entries.map(({ name }) => name))
        throwError()
      },
    })
    store.hold()
    queue.add(entryWithEdit('a'))
    await isPending(queue.whenSettled())
    queue.add(entryWithEdit('b'))
    store.release()
    await queue.whenSettled()
    expect([abandoned, await stored()]).toEqual([['a', 'b'], ['a']])
  })

  test('a throwing onFailing(false): the batch is not offered a second time', async () => {
    const { queue, outcomes, counts } = openQueue(() => Promise.resolve(), {
      onFailing: (failing) => void (failing || throwError()),
    })
    store.failWith(new StoreError('the disk is full'))
    queue.add(entryWithEdit('a'))
    await waitUntil(() => counts.storeFailures > 0)
    store.failWith(null)
    await queue.whenSettled()
    expect([outcomes, await stored()]).toEqual([['Error: broken: a'], ['a']])
  })
})
