import { expect, test } from 'vitest'
import type { LocksLike } from '../../locks.ts'
import { FakeLocks } from '../../sync/fixtures/fake-locks.ts'
import { LeaderElection } from './leader-election.ts'
import { settle } from '../../fixtures/wait.ts'

let elections = 0

/** Two elections for one lock, and the events of each. */
function pair([one, two]: readonly [LocksLike, LocksLike]) {
  const name = `election ${++elections}`
  const calls: string[] = []
  const createElection = (who: string, locks: LocksLike): LeaderElection =>
    new LeaderElection(locks, name, {
      onElected: () => calls.push(`${who} leads`),
      onLeadershipLost: () => calls.push(`${who} loses leadership`),
    })
  return { calls, ada: createElection('ada', one), bob: createElection('bob', two) }
}

const fakes = (): [LocksLike, LocksLike] => {
  const browser = new FakeLocks()
  return [browser.window(), browser.window()]
}

test.each([
  ['of this process', (): [LocksLike, LocksLike] => [navigator.locks, navigator.locks]],
  ['that are fakes', fakes],
])(
  'by locks %s: one leads, the next follows when it leaves, and whoever steals leads at once',
  async (_which, locks) => {
    const { calls, ada, bob } = pair(locks())
    await ada.join()
    await bob.join()
    await settle()
    expect(calls.splice(0)).toEqual(['ada leads'])
    ada.leave()
    await expect.poll(() => calls).toEqual(['bob leads'])
    calls.length = 0
    await ada.join()
    ada.stealLock()
    ada.stealLock()
    await expect.poll(() => calls.toSorted()).toEqual(['ada leads', 'bob loses leadership'])
    await settle()
    await bob.join()
    bob.leave()
    ada.leave()
    await settle()
    expect(calls).toHaveLength(2)
  },
)

test('a window that leaves while it requests the lock never leads', async () => {
  const { calls, ada } = pair(fakes())
  const entering = ada.join()
  ada.leave()
  await entering
  await settle()
  expect(calls).toEqual([])
})

test('without locks no window can join, but each may try again', async () => {
  const locks: LocksLike = { request: () => Promise.reject(new Error('not here')) }
  const { ada } = pair([locks, locks])
  await expect(ada.join()).rejects.toThrow('not here')
  await expect(ada.join()).rejects.toThrow('not here')
})

/** Locks that a test grants and steals, in its own order. */
function locksByHand() {
  const requests: { grant(): void; rob(): void; readonly isHeld: () => boolean }[] = []
  const locks: LocksLike = {
    async request(_name, { ifAvailable }, run) {
      if (ifAvailable) return run(null)
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      let isHeld = false
      const grant = (): void => {
        isHeld = true
        void run({ name: '' }).then((value) => {
          isHeld = false
          resolve(value)
        })
      }
      requests.push({ grant, rob: () => reject(new Error('stolen')), isHeld: () => isHeld })
      return promise as never
    },
  }
  return { locks, requests }
}

test('a window that steals the lock just when it is granted leads once, until another steals it', async () => {
  const { locks, requests } = locksByHand()
  const { calls, ada } = pair([locks, locks])
  await ada.join()
  ada.stealLock()
  const [queued, stolen] = requests
  queued!.grant()
  stolen!.grant()
  queued!.rob()
  await settle()
  expect(calls).toEqual(['ada leads'])
  stolen!.rob()
  await settle()
  expect(calls).toEqual(['ada leads', 'ada loses leadership'])
})

test('a lock that is granted to a window that lost its leadership meanwhile is released', async () => {
  const { locks, requests } = locksByHand()
  const { calls, ada } = pair([locks, locks])
  await ada.join()
  ada.stealLock()
  const [queued, stolen] = requests
  queued!.grant()
  queued!.rob()
  await settle()
  stolen!.grant()
  await settle()
  expect([calls, stolen!.isHeld()]).toEqual([['ada leads', 'ada loses leadership'], false])
})
