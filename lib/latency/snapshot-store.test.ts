import { expect, test } from 'vitest'
import { SnapshotStore } from './snapshot-store.ts'

test('listeners are notified where something changed, and draw the state of that notification', () => {
  let value = 0
  let notifications = 0
  const store = new SnapshotStore({ read: () => ({ value }), version: () => String(value) })
  const end = store.subscribe(() => (notifications += 1))
  expect(store.get()).toEqual({ value: 0 })
  store.notifyIfStale()
  expect(notifications).toBe(0)
  value = 1
  expect(store.get()).toEqual({ value: 0 })
  store.notifyIfStale()
  const state = store.get()
  expect(state).toEqual({ value: 1 })
  store.notifyIfStale()
  expect([notifications, store.get()]).toEqual([1, state])
  end()
  value = 2
  store.notifyIfStale()
  expect([notifications, store.get()]).toEqual([1, { value: 2 }])
  expect(store.get()).toBe(store.get())
})
