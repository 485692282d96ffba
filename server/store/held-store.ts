/** A store whose commits a test holds back, lets go or breaks; reading goes on. */
import type { DocumentStore } from './store.ts'

export interface HoldableStore extends DocumentStore {
  /** From now on appends and compactions wait, in order, before they reach the store. */
  hold(): void
  release(): void
  /** From now on appends, compactions and health checks reject with this; null heals. */
  failWith(error: Error | null): void
}

export const holdable = (store: DocumentStore): HoldableStore => {
  let gate: { opened: Promise<void>; open(): void } | undefined
  let failure: Error | null = null

  const passed = async () => {
    while (gate !== undefined) await gate.opened
    if (failure !== null) throw failure
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
    async append(edits) {
      await passed()
      return store.append(edits)
    },
    load: (document, part) => store.load(document, part),
    async compact(document, part, snapshot, sequence) {
      await passed()
      return store.compact(document, part, snapshot, sequence)
    },
    async check() {
      if (failure !== null) throw failure
      return store.check()
    },
    close() {
      release()
      return store.close()
    },
  }
}
