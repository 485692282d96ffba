/**
 * Names this page load and holds a Web Lock for as long as it lives, so that other windows of the browser can see that. The browser
 * releases the lock with the page, however that ends.
 */
import type { LocksLike } from '../locks.ts'
import { randomId } from '../protocol/ids.ts'

export interface WindowLock {
  readonly id: string
  /** Resolves when the lock is held: from here on other windows see that this one lives. */
  readonly whenHeld: Promise<void>
  /** Acts as if the page were closed. It is for tests and for Node: a page never calls it. */
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
  held.promise.catch(() => {}) // callers that need the lock await it; without a lock this window counts neither as dead nor as alive
  return { id, whenHeld: held.promise, close: () => released.resolve() }
}

/** Runs while it holds the lock of a window that is gone. Returns false where that window lives, since its lock is not free. */
export function ifWindowGone(locks: LocksLike, id: string, run: () => Promise<void>): Promise<boolean> {
  return locks.request(windowLockName(id), { ifAvailable: true }, async (lock) => {
    if (!lock) return false
    await run()
    return true
  })
}

/** Runs when a window ends, however that happens. Returns a function that stops waiting. */
export function onWindowGone(locks: LocksLike, id: string, run: () => void): () => void {
  const abort = new AbortController()
  locks.request(windowLockName(id), { signal: abort.signal }, async () => run()).catch(() => {}) // aborted
  return () => abort.abort()
}
