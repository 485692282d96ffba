import { expect, test } from 'vitest'
import type { LocksLike } from '../../locks.ts'
import { FakeLocks } from '../../sync/fixtures/fake-locks.ts'
import { Office } from './office.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

let offices = 0

/** Two offices for one lock, and what each heard. */
function pair([one, two]: readonly [LocksLike, LocksLike]) {
  const name = `office ${++offices}`
  const heard: string[] = []
  const office = (who: string, locks: LocksLike): Office =>
    new Office(locks, name, {
      onLead: () => heard.push(`${who} leads`),
      onDeposed: () => heard.push(`${who} is deposed`),
    })
  return { heard, ada: office('ada', one), bob: office('bob', two) }
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
    const { heard, ada, bob } = pair(locks())
    await ada.enter()
    await bob.enter()
    await settled()
    expect(heard.splice(0)).toEqual(['ada leads'])
    ada.leave()
    await expect.poll(() => heard).toEqual(['bob leads'])
    heard.length = 0
    await ada.enter()
    ada.steal()
    ada.steal()
    await expect.poll(() => heard.toSorted()).toEqual(['ada leads', 'bob is deposed'])
    await settled()
    await bob.enter()
    bob.leave()
    ada.leave()
    await settled()
    expect(heard).toHaveLength(2)
  },
)

test('who leaves while it asks never leads', async () => {
  const { heard, ada } = pair(fakes())
  const entering = ada.enter()
  ada.leave()
  await entering
  await settled()
  expect(heard).toEqual([])
})

test('without locks nobody can enter, and may ask again', async () => {
  const locks: LocksLike = { request: () => Promise.reject(new Error('not here')) }
  const { ada } = pair([locks, locks])
  await expect(ada.enter()).rejects.toThrow('not here')
  await expect(ada.enter()).rejects.toThrow('not here')
})

/** Locks that are granted and stolen by hand, in the order of a test. */
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

test('a window that steals in the moment in which the lock is its own leads once, until somebody else steals it', async () => {
  const { locks, requests } = locksByHand()
  const { heard, ada } = pair([locks, locks])
  await ada.enter()
  ada.steal()
  const [queued, stolen] = requests
  queued!.grant()
  stolen!.grant()
  queued!.rob()
  await settled()
  expect(heard).toEqual(['ada leads'])
  stolen!.rob()
  await settled()
  expect(heard).toEqual(['ada leads', 'ada is deposed'])
})

test('a lock that comes to a window which was deposed meanwhile is let go', async () => {
  const { locks, requests } = locksByHand()
  const { heard, ada } = pair([locks, locks])
  await ada.enter()
  ada.steal()
  const [queued, stolen] = requests
  queued!.grant()
  queued!.rob()
  await settled()
  stolen!.grant()
  await settled()
  expect([heard, stolen!.isHeld()]).toEqual([['ada leads', 'ada is deposed'], false])
})
