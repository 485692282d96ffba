/**
 * Names this page load and holds a Web Lock for as long as it lives, so that other windows of the browser can tell.
 * The browser lets go of the lock with the page, however that ends.
 */
import type { LocksLike } from '../locks.ts'
import { randomId } from '../protocol/ids.ts'

export interface WindowLock {
  readonly id: string
  /** The lock is held: from here on others see that this window lives. */
  readonly whenHeld: Promise<void>
  /** As if the page were closed. For tests and for Node: a page never calls it. */
  close(): void
}

const windowLockName = (id: string): string => `window:${id}`

export function acquireWindowLock(locks: LocksLike): WindowLock {
  const id = randomId()
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  locks
    .request(windowLockName(id), {}, () => {
      held.resolve()
      return released.promise
    })
    .catch(held.reject)
  held.promise.catch(() => {}) // who needs the lock asks; without one nobody takes this window for dead, or for alive
  return { id, whenHeld: held.promise, close: () => released.resolve() }
}

/** Runs with the lock of a window that is gone, and false where it lives: its lock then is not free. */
export function ifWindowGone(locks: LocksLike, id: string, run: () => Promise<void>): Promise<boolean> {
  return locks.request(windowLockName(id), { ifAvailable: true }, async (lock) => {
    if (!lock) return false
    await run()
    return true
  })
}

/** Waits for the end of a window, however it comes. Returns the undo. */
export function onWindowGone(locks: LocksLike, id: string, run: () => void): () => void {
  const abort = new AbortController()
  locks.request(windowLockName(id), { signal: abort.signal }, async () => run()).catch(() => {}) // undone
  return () => abort.abort()
}
