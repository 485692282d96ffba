import { expect, test, vi } from 'vitest'
import { notifyAll } from './notify-all.ts'
import { StatusStore } from './sync/status-store.ts'
import type { StableSyncStatus } from './sync/status.ts'

/** The errors that were reported as uncaught meanwhile. */
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

test('an error of one listener is reported, and the later listeners are called', () => {
  using reports = collectReports()
  const calls: number[] = []
  notifyAll([failing, (value: number) => calls.push(value)], 7)
  expect(calls).toEqual([7])
  expect(reports.reported).toEqual([listenerError])
})

test('a listener of a document’s status may throw as well', () => {
  using reports = collectReports()
  const store = new StatusStore({
    stable: () => ({}) as StableSyncStatus,
    progress: () => ({ unsaved: 0, unstored: 0 }),
  })
  let calls = 0
  store.subscribe(failing)
  store.subscribe(() => (calls += 1))
  store.invalidate()
  expect(calls).toBe(1)
  expect(reports.reported).toEqual([listenerError])
})
