import { expect, test, vi } from 'vitest'
import { StatusStore } from './status-store.ts'
import type { StableSyncStatus } from './status.ts'

function storeFixture() {
  let choice: StableSyncStatus['choice'] = 'automatic'
  let unsaved = 0
  const stable = vi.fn<() => StableSyncStatus>(() => ({
    link: { state: 'connecting' },
    document: { state: 'loading' },
    choice,
    offered: [],
    evidence: [],
  }))
  const store = new StatusStore({ stable, progress: () => ({ unsaved, unstored: 0 }) })
  const notified = { all: 0, stable: 0 }
  store.subscribe(() => void (notified.all += 1))
  store.stable.subscribe(() => void (notified.stable += 1))
  return {
    store,
    stable,
    notified,
    choose: (next: typeof choice) => {
      choice = next
      store.invalidate()
    },
    type: () => {
      unsaved += 1
      store.invalidateProgress()
    },
  }
}

test('a key changes how far the text is saved, and nothing else is read or notified', async () => {
  const { store, stable, notified, type } = storeFixture()
  const [first, former] = [store.get(), store.stable.get()]
  type()
  type()
  expect(store.get()).toEqual({ ...first, unsaved: 2 })
  expect(store.stable.get()).toBe(former)
  await Promise.resolve()
  expect(notified).toEqual({ all: 1, stable: 0 })
  expect(stable).toHaveBeenCalledTimes(1)
})

test('what changes with few keys notifies all listeners, and stays the same object where nothing is different', async () => {
  const { store, notified, choose } = storeFixture()
  const former = store.stable.get()
  choose('automatic')
  expect(store.stable.get()).toBe(former)
  choose('sse')
  expect(store.stable.get()).not.toBe(former)
  expect([store.stable.get().choice, store.get().choice]).toEqual(['sse', 'sse'])
  await Promise.resolve()
  expect(notified).toEqual({ all: 1, stable: 1 })
})
