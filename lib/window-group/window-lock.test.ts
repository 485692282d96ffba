import { expect, test } from 'vitest'
import { FakeLocks } from '../fixtures/fake-locks.ts'
import type { LocksLike } from '../locks.ts'
import { ifWindowGone, acquireWindowLock } from './window-lock.ts'

const isGone = async (locks: LocksLike, id: string): Promise<boolean> => {
  let ran = false
  const gone = await ifWindowGone(locks, id, async () => void (ran = true))
  expect(ran).toBe(gone)
  return gone
}

test('[D6] a window lives until it is closed, on this platform as in the test double', async () => {
  for (const locks of [navigator.locks, new FakeLocks().window()]) {
    const window = acquireWindowLock(locks)
    await window.whenHeld
    expect(await isGone(locks, window.id)).toBe(false)
    window.close()
    await expect.poll(() => isGone(locks, window.id)).toBe(true)
  }
})

test('[D6] a window that crashes is seen as gone, and its place in queues is given up', async () => {
  const browser = new FakeLocks()
  const [crashing, next, other] = [browser.window(), browser.window(), browser.window()]
  const window = acquireWindowLock(crashing)
  await window.whenHeld
  const order: string[] = []
  const hold = (name: string) => () => {
    order.push(name)
    return new Promise<void>(() => {})
  }
  void crashing.request('one', {}, hold('crashing'))
  void next.request('one', {}, hold('next'))
  void other.request('one', {}, hold('other'))
  next.die()
  crashing.die()
  await expect.poll(() => order).toEqual(['crashing', 'other'])
  expect(await isGone(other, window.id)).toBe(true)
})
