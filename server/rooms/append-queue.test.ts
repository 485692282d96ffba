import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { log } from '../access/fixture.ts'
import { Counts } from '../metrics/counts.ts'
import { edit, textsOf } from '../store/fixtures/edits.ts'
import { createSqliteFixture } from '../store/fixtures/sqlite-fixture.ts'
import { holdable, type HoldableStore } from '../store/held-store.ts'
import type { StoreFixture } from '../store/store.contract.ts'
import { StoreError } from '../store/store.ts'
import { AppendQueue, type AppendQueueParts, type Step } from './append-queue.ts'
import { isPending, until } from './fixtures/house.ts'

interface Named extends Step {
  readonly name: string
}

const writing = (name: string): Named => ({ name, edit: edit('d', name) })
const waiting = (name: string): Named => ({ name, edit: null })

let fixture: StoreFixture
let store: HoldableStore
beforeEach(async () => {
  fixture = await createSqliteFixture()
  store = holdable(await fixture.open())
})
afterEach(async () => {
  vi.useRealTimers()
  store.release()
  await fixture.dispose()
})

const stored = async () => textsOf(await store.load('d', 'body'))

/** What was told, one line a batch: the sequence number of its first edit, and its steps. */
function opened(turn = () => Promise.resolve(), fails: Partial<AppendQueueParts<Named>> = {}) {
  const told: string[] = []
  const failing: boolean[] = []
  const counts = new Counts()
  const queue = new AppendQueue<Named>({
    document: 'd',
    store,
    log,
    counts,
    turn,
    onBatch: () => {},
    onCommitted: (steps, _edits, first) => told.push(`${first}: ${steps.map(({ name }) => name).join(' ')}`),
    onFailing: (fails) => failing.push(fails),
    onFault: (error, steps) => told.push(`${String(error)}: ${steps.map(({ name }) => name).join(' ')}`),
    ...fails,
  })
  return { queue, told, failing, counts }
}

describe('[D1] a step is told once it is on disk', () => {
  test('what came together is one batch, and what comes while it is appended the next', async () => {
    const { queue, told, counts } = opened()
    store.hold()
    for (const name of ['a', 'b']) queue.add(writing(name))
    await isPending(queue.settled())
    for (const name of ['c', 'd']) queue.add(writing(name))
    expect([told, queue.length, queue.isSettled]).toEqual([[], 2, false])
    store.release()
    await queue.settled()
    expect([told, queue.length, queue.isSettled]).toEqual([['1: a b', '3: c d'], 0, true])
    expect([await stored(), counts.commits]).toEqual([['a', 'b', 'c', 'd'], 2])
  })

  test('one without an edit waits for those before it, and costs no append', async () => {
    const { queue, told, counts } = opened()
    store.hold()
    queue.add(writing('a'))
    queue.add(waiting('(a)'))
    await isPending(queue.settled())
    queue.add(waiting('(b)'))
    expect(await isPending(queue.settled())).toBe(true)
    expect(told).toEqual([])
    store.release()
    await queue.settled()
    expect([told, counts.commits]).toEqual([['1: a (a)', '0: (b)'], 1])
  })

  test('a batch is made of what waits when its turn begins', async () => {
    const turn = Promise.withResolvers<void>()
    const { queue, told } = opened(() => turn.promise)
    queue.add(writing('a'))
    await isPending(queue.settled())
    queue.add(writing('b'))
    turn.resolve()
    await queue.settled()
    expect(told).toEqual(['1: a b'])
  })
})

describe('[D3] a store that fails', () => {
  test('is offered the same batch until it takes it, and then what came meanwhile', async () => {
    const { queue, told, failing, counts } = opened()
    store.failWith(new StoreError('the disk is full'))
    queue.add(writing('a'))
    await until(() => counts.storeFailures > 1)
    queue.add(writing('b'))
    expect([told, failing, queue.isFailing]).toEqual([[], [true], true])
    store.failWith(null)
    await queue.settled()
    expect([told, failing, queue.isFailing]).toEqual([['1: a', '2: b'], [true, false], false])
    expect([await stored(), counts.commits]).toEqual([['a', 'b'], 2])
  })

  test('is asked less and less often, and every 2 s at least', async () => {
    const { queue, counts } = opened()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    store.failWith(new StoreError('the disk is full'))
    queue.add(writing('a'))
    const offers: number[] = []
    for (const ms of [0, 99, 1, 199, 1, 400, 800, 1600, 1999, 1, 2000]) {
      await vi.advanceTimersByTimeAsync(ms)
      offers.push(counts.storeFailures)
    }
    expect(offers).toEqual([1, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8])
    queue.close()
  })
})

describe('a queue that is closed', () => {
  test('gives up what the store would not take, at once, and tells nobody', async () => {
    const { queue, told, counts } = opened()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    store.failWith(new StoreError('the disk is full'))
    queue.add(writing('a'))
    await vi.advanceTimersByTimeAsync(0)
    queue.add(writing('b'))
    queue.close()
    await queue.settled()
    store.failWith(null)
    queue.add(writing('c'))
    await queue.settled()
    expect([told, await stored(), counts.storeFailures]).toEqual([[], [], 1])
  })

  test('tells nobody of what was being appended', async () => {
    const { queue, told } = opened()
    store.hold()
    queue.add(writing('a'))
    await isPending(queue.settled())
    queue.close()
    store.release()
    await queue.settled()
    expect([told, await stored()]).toEqual([[], ['a']])
  })
})

describe('[A7] what throws beside the store', () => {
  const fail = (): never => {
    throw new Error('broken')
  }

  test.each<
    [what: string, turn: () => Promise<void>, fails: Partial<AppendQueueParts<Named>>, onDisk: string[]]
  >([
    ['the turn', () => Promise.reject(new Error('broken')), {}, []],
    ['what is done before a batch', () => Promise.resolve(), { onBatch: fail }, []],
    ['what is told of a batch', () => Promise.resolve(), { onCommitted: fail }, ['a', 'b']],
  ])(
    '%s: the queue is closed, once, and says whose steps are told of no more',
    async (_what, turn, fails, onDisk) => {
      const { queue, told } = opened(turn, fails)
      for (const name of ['a', 'b']) queue.add(writing(name))
      await queue.settled()
      queue.add(writing('c'))
      await queue.settled()
      expect([told, await stored(), queue.isSettled]).toEqual([['Error: broken: a b'], onDisk, true])
    },
  )

  test('steps that came meanwhile are among them, and a fault of whoever hears it goes no further', async () => {
    const heard: string[] = []
    const { queue } = opened(() => Promise.resolve(), {
      onCommitted: fail,
      onFault(_error, steps) {
        heard.push(...steps.map(({ name }) => name))
        fail()
      },
    })
    store.hold()
    queue.add(writing('a'))
    await isPending(queue.settled())
    queue.add(writing('b'))
    store.release()
    await queue.settled()
    expect([heard, await stored()]).toEqual([['a', 'b'], ['a']])
  })

  test('whoever hears that the store is well again: the batch is not offered a second time', async () => {
    const { queue, told, counts } = opened(() => Promise.resolve(), {
      onFailing: (failing) => void (failing || fail()),
    })
    store.failWith(new StoreError('the disk is full'))
    queue.add(writing('a'))
    await until(() => counts.storeFailures > 0)
    store.failWith(null)
    await queue.settled()
    expect([told, await stored()]).toEqual([['Error: broken: a'], ['a']])
  })
})
