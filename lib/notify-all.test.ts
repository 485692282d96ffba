import { expect, test, vi } from 'vitest'
import { notifyAll } from './notify-all.ts'
import { StatusStore } from './sync/status-store.ts'
import type { SyncStatus } from './sync/status.ts'

/** What was reported as uncaught meanwhile. */
function collectReports() {
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

const listenerError = new Error('by a listener')

const failing = (): void => {
  throw listenerError
}

test('a listener that throws keeps none behind it from being called, and is reported', () => {
  using reports = collectReports()
  const calls: number[] = []
  notifyAll([failing, (value: number) => calls.push(value)], 7)
  expect(calls).toEqual([7])
  expect(reports.reported).toEqual([listenerError])
})

test('nor one that hears of a document’s status', () => {
  using reports = collectReports()
  const store = new StatusStore(() => ({}) as SyncStatus)
  let calls = 0
  store.subscribe(failing)
  store.subscribe(() => (calls += 1))
  store.invalidate()
  expect(calls).toBe(1)
  expect(reports.reported).toEqual([listenerError])
})
