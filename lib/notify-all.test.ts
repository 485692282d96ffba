import { expect, test, vi } from 'vitest'
import { notifyAll } from './notify-all.ts'
import { StatusStore } from './sync/status-store.ts'
import type { Status } from './sync/status.ts'

/** What was reported as uncaught meanwhile. */
function reporting() {
  const reported: unknown[] = []
  const microtasks = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((run) => {
    try {
      run()
    } catch (error) {
      reported.push(error)
    }
  })
  return { reported, [Symbol.dispose]: () => microtasks.mockRestore() }
}

const fault = new Error('by a listener')

const failing = (): void => {
  throw fault
}

test('a listener that throws keeps none behind it from being called, and is reported', () => {
  using told = reporting()
  const heard: number[] = []
  notifyAll([failing, (value: number) => heard.push(value)], 7)
  expect(heard).toEqual([7])
  expect(told.reported).toEqual([fault])
})

test('nor one that hears of a document’s status', () => {
  using told = reporting()
  const store = new StatusStore(() => ({}) as Status)
  let heard = 0
  store.subscribe(failing)
  store.subscribe(() => (heard += 1))
  store.changed()
  expect(heard).toBe(1)
  expect(told.reported).toEqual([fault])
})
