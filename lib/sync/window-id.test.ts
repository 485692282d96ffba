import { expect, test } from 'vitest'
import { FakeLocks } from './fixtures/fake-locks.ts'
import type { LocksLike } from '../locks.ts'
import { ifGone, openOwnWindow } from './window-id.ts'

const seenAsGone = async (locks: LocksLike, id: string): Promise<boolean> => {
  let ran = false
  const gone = await ifGone(locks, id, async () => void (ran = true))
  expect(ran).toBe(gone)
  return gone
}

test('[D6] a window lives until it is closed, in this platform as in the test double', async () => {
  for (const locks of [navigator.locks, new FakeLocks().window()]) {
    const window = openOwnWindow(locks)
    await window.held
    expect(await seenAsGone(locks, window.id)).toBe(false)
    window.close()
    await expect.poll(() => seenAsGone(locks, window.id)).toBe(true)
  }
})

test('[D6] a window that crashes is seen as gone, and its place in queues is given up', async () => {
  const browser = new FakeLocks()
  const [crashing, next, other] = [browser.window(), browser.window(), browser.window()]
  const window = openOwnWindow(crashing)
  await window.held
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
  expect(await seenAsGone(other, window.id)).toBe(true)
})
