/** The timeouts that several parts of the server need. Their timers end with what they wait for, and keep no process alive by themselves. */
import type { EventEmitter } from 'node:events'

/**
 * Settles as `work` does, or as `onTimeout` does where that takes longer than `ms`. While it waits, its timer keeps the process alive, so
 * that a process that only waits for `work` does not end instead.
 */
export async function withTimeout<Result>(
  ms: number,
  work: Promise<Result>,
  onTimeout: () => Result,
): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(resolve, ms, 'late')
  try {
    const outcome = await Promise.race([work.then((result) => ({ result })), promise])
    return outcome === 'late' ? onTimeout() : outcome.result
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a function that cancels it. */
export function startTimeout(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}

/** Destroys what has not closed by itself after `ms`. */
export function destroyUnlessClosed(stream: EventEmitter & { destroy(): unknown }, ms: number): void {
  stream.once(
    'close',
    startTimeout(ms, () => stream.destroy()),
  )
}

/** Waits one after the other, each of which can be ended early. */
export class InterruptibleWait {
  #end = (): void => {}

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  end(): void {
    this.#end()
  }
}
