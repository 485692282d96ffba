/** Tests how the queue of a room offers its batches to a store: their limits, a store that fails, and what is reported when. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { textEdit, textsOf } from '../store/fixtures/text-edits.ts'
import { createSqliteFixture } from '../store/fixtures/sqlite-fixture.ts'
import { createHoldableStore, type HoldableStore } from '../fixtures/holdable-store.ts'
import type { StoreFixture } from '../store/store.contract.ts'
import { type DocumentEdit, StoreError } from '../store/store.ts'
import { CommitQueue, type CommitQueueOptions, MAX_BATCH_BYTES, MAX_BATCH_EDITS } from './commit-queue.ts'
import { isPending } from './fixtures/rooms-fixture.ts'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'

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

const textOf = ({ update }: Pick<DocumentEdit, 'update'>): string => new TextDecoder().decode(update)

/** Opens a queue whose reports are recorded, one line a batch: the sequence number of its first edit, and its entries. */
function openQueue(overrides: Partial<CommitQueueOptions> = {}) {
  const batches: string[][] = []
  const faults: string[] = []
  const failing: boolean[] = []
  const refused: string[] = []
  const counts = new ServerCounts()
  const queue = new CommitQueue({
    document: 'd',
    store,
    log: silentLogger,
    counts,
    countMembers: () => 1,
    onBeforeBatch: () => {},
    onStored: (_edits, first) => batches.push([`${first}:`]),
    broadcast: (edit) => batches.at(-1)!.push(textOf(edit)),
    onReported: () => {},
    onFailing: (isFailing) => failing.push(isFailing),
    onFault: (error, edits) => faults.push(`${String(error)}: ${edits.map(textOf).join(' ')}`),
    ...overrides,
  })
  return {
    queue,
    failing,
    counts,
    refused,
    outcomes: () => [...batches.map((batch) => batch.join(' ')), ...faults],
    addEdit(name: string, edit: DocumentEdit = textEdit('d', name)) {
      queue.add(edit, new Map(), null).committed.catch(() => refused.push(name))
    },
    addCallback: (name: string) => queue.runAfterAll(() => batches.at(-1)!.push(name)),
  }
}

describe('[D1] an entry is reported when it is on disk', () => {
  test('entries that come together are one batch, and those that come during its append are the next', async () => {
    const { queue, addEdit, outcomes, counts } = openQueue()
    store.hold()
    for (const name of ['a', 'b']) addEdit(name)
    await isPending(queue.whenSettled())
    for (const name of ['c', 'd']) addEdit(name)
    expect([outcomes(), queue.length, queue.isSettled]).toEqual([[], 2, false])
    store.release()
    await queue.whenSettled()
    expect([outcomes(), queue.length, queue.isSettled]).toEqual([['1: a b', '3: c d'], 0, true])
    expect([await stored(), counts.commits]).toEqual([['a', 'b', 'c', 'd'], 2])
  })

  test('an entry without an edit waits for those before it, and costs no append', async () => {
    const { queue, addEdit, addCallback, outcomes, counts } = openQueue()
    store.hold()
    addEdit('a')
    addCallback('(a)')
    await isPending(queue.whenSettled())
    addCallback('(b)')
    expect(await isPending(queue.whenSettled())).toBe(true)
    expect(outcomes()).toEqual([])
    store.release()
    await queue.whenSettled()
    expect([outcomes(), counts.commits]).toEqual([['1: a (a)', '0: (b)'], 1])
  })

  test('a batch is made of the entries that wait when its turn begins', async () => {
    const late = ['b']
    const { queue, addEdit, outcomes } = openQueue({
      onBeforeBatch: () => late.splice(0).forEach((name) => addEdit(name)),
    })
    addEdit('a')
    await queue.whenSettled()
    expect(outcomes()).toEqual(['1: a b'])
  })
})

describe('[D3] a batch has a limit, so that what a store did not take for long is no one batch', () => {
  const sizesOf = (outcomes: readonly string[]) => outcomes.map((batch) => batch.split(' ').length - 1)

  test('of edits, which are reported in their order', async () => {
    const { queue, addEdit, addCallback, outcomes } = openQueue()
    store.failWith(new StoreError('the disk is full'))
    const names = Array.from({ length: 2 * MAX_BATCH_EDITS + 7 }, (_, index) => String(index))
    for (const name of names) addEdit(name)
    addCallback('last')
    await waitUntil(() => queue.isFailing)
    store.failWith(null)
    await queue.whenSettled()
    expect(sizesOf(outcomes())).toEqual([MAX_BATCH_EDITS, MAX_BATCH_EDITS, 8])
    expect(outcomes().flatMap((batch) => batch.split(' ').slice(1))).toEqual([...names, 'last'])
    expect(await stored()).toEqual(names)
  })

  test('of bytes, past which one edit is a batch of its own', async () => {
    const sizes: number[][] = []
    const { queue, addEdit } = openQueue({
      onStored: (edits) => sizes.push(edits.map(({ update }) => update.length / MAX_BATCH_BYTES)),
      broadcast: () => {},
    })
    for (const share of [0.5, 0.5, 0.125, 1.5, 0.125])
      addEdit('long', { ...textEdit('d', ''), update: new Uint8Array(share * MAX_BATCH_BYTES) })
    await queue.whenSettled()
    expect(sizes).toEqual([[0.5, 0.5], [0.125], [1.5], [0.125]])
  })
})

describe('[D3] a store that fails', () => {
  test('is offered the same batch until it takes it, and then the entries that came meanwhile', async () => {
    const { queue, addEdit, outcomes, failing, counts } = openQueue()
    store.failWith(new StoreError('the disk is full'))
    addEdit('a')
    await waitUntil(() => counts.storeFailures > 1)
    addEdit('b')
    expect([outcomes(), failing, queue.isFailing]).toEqual([[], [true], true])
    store.failWith(null)
    await queue.whenSettled()
    expect([outcomes(), failing, queue.isFailing]).toEqual([['1: a', '2: b'], [true, false], false])
    expect([await stored(), counts.commits]).toEqual([['a', 'b'], 2])
  })

  test('is offered it less and less often, but every 2 s at least', async () => {
    const { queue, addEdit, counts } = openQueue()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    store.failWith(new StoreError('the disk is full'))
    addEdit('a')
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
    const { queue, addEdit, outcomes, counts } = openQueue()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    store.failWith(new StoreError('the disk is full'))
    addEdit('a')
    await vi.advanceTimersByTimeAsync(0)
    addEdit('b')
    queue.close()
    await queue.whenSettled()
    store.failWith(null)
    addEdit('c')
    await queue.whenSettled()
    expect([outcomes(), await stored(), counts.storeFailures]).toEqual([[], [], 1])
  })

  test('does not report the entries that were being appended', async () => {
    const { queue, addEdit, outcomes } = openQueue()
    store.hold()
    addEdit('a')
    await isPending(queue.whenSettled())
    queue.close()
    store.release()
    await queue.whenSettled()
    expect([outcomes(), await stored()]).toEqual([[], ['a']])
  })
})

describe('[A7] errors outside the store', () => {
  const throwError = (): never => {
    throw new Error('broken')
  }

  test.each<[what: string, fails: Partial<CommitQueueOptions>, onDisk: string[]]>([
    ['countMembers', { countMembers: throwError }, []],
    ['onBeforeBatch', { onBeforeBatch: throwError }, []],
    ['onStored', { onStored: throwError }, ['a', 'b']],
    ['onReported', { onStored: () => {}, broadcast: () => {}, onReported: throwError }, ['a', 'b']],
  ])(
    '%s: the queue is closed, once, and names the edits that it will not report',
    async (_what, overrides, onDisk) => {
      const { queue, addEdit, outcomes } = openQueue(overrides)
      for (const name of ['a', 'b']) addEdit(name)
      await queue.whenSettled()
      addEdit('c')
      await queue.whenSettled()
      expect([outcomes(), await stored(), queue.isSettled]).toEqual([['Error: broken: a b'], onDisk, true])
    },
  )

  test('edits that came meanwhile are among them and are refused, and a throwing onFault does no harm', async () => {
    const abandoned: string[] = []
    const { queue, addEdit, refused } = openQueue({
      onStored: throwError,
      onFault(_error, edits) {
        abandoned.push(...edits.map(textOf))
        throwError()
      },
    })
    store.hold()
    addEdit('a')
    await isPending(queue.whenSettled())
    addEdit('b')
    store.release()
    await queue.whenSettled()
    await settle()
    expect([abandoned, refused, await stored()]).toEqual([['a', 'b'], ['a', 'b'], ['a']])
  })

  test('a throwing onFailing(false): the batch is not offered a second time', async () => {
    const { queue, addEdit, outcomes, counts } = openQueue({
      onFailing: (failing) => void (failing || throwError()),
    })
    store.failWith(new StoreError('the disk is full'))
    addEdit('a')
    await waitUntil(() => counts.storeFailures > 0)
    store.failWith(null)
    await queue.whenSettled()
    expect([outcomes(), await stored()]).toEqual([['Error: broken: a'], ['a']])
  })
})
