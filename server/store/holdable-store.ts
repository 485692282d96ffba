/** A store whose commits a test holds back, releases or makes fail; reading continues. */
import type { DocumentStore } from './store.ts'

export interface HoldableStore extends DocumentStore {
  /** Makes appends and compactions wait, in order, before they reach the store. */
  hold(): void
  release(): void
  /** Makes appends, compactions and health checks reject with this error; null heals. */
  failWith(error: Error | null): void
}

export const createHoldableStore = (store: DocumentStore): HoldableStore => {
  let gate: { opened: Promise<void>; open(): void } | undefined
  let failure: Error | null = null

  const pendingWrites = new Set<Promise<unknown>>()

  const writeWhenReleased = async <T>(write: () => Promise<T>): Promise<T> => {
    await gate?.opened
    if (failure !== null) throw failure
    return write()
  }
  const trackWrite = <T>(write: () => Promise<T>): Promise<T> => {
    const answer = writeWhenReleased(write)
    const settled: Promise<unknown> = answer.then(
      () => pendingWrites.delete(settled),
      () => pendingWrites.delete(settled),
    )
    pendingWrites.add(settled)
    return answer
  }
  const release = () => {
    gate?.open()
    gate = undefined
  }

  return {
    hold() {
      if (gate !== undefined) return
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = { opened: promise, open: resolve }
    },
    release,
    failWith(error) {
      failure = error
    },
    append: (edits) => trackWrite(() => store.append(edits)),
    load: (document, part) => store.load(document, part),
    compact: (...snapshot) => trackWrite(() => store.compact(...snapshot)),
    async check() {
      if (failure !== null) throw failure
      return store.check()
    },
    async close() {
      release()
      await Promise.all(pendingWrites)
      await store.close()
    },
  }
}
