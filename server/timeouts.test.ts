import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { destroyUnlessClosed, InterruptibleWait, startTimeout, withTimeout } from './timeouts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('withTimeout', () => {
  test('settles as the work does, and ends its timer', async () => {
    expect(await withTimeout(10, Promise.resolve(1), () => 2)).toBe(1)
    const failure = new Error('it failed')
    await expect(withTimeout(10, Promise.reject(failure), () => 2)).rejects.toBe(failure)
  })

  test('settles as the timeout says where the work takes too long, whatever comes of it', async () => {
    const late = Promise.withResolvers<number>()
    const value = withTimeout(10, late.promise, () => 2)
    const error = withTimeout(10, late.promise, () => {
      throw new Error('too late')
    })
    const rejected = expect(error).rejects.toThrow('too late')
    await vi.advanceTimersByTimeAsync(10)
    late.reject(new Error('nobody waits for it'))
    expect(await value).toBe(2)
    await rejected
  })
})

test('startTimeout runs unless it was cancelled', () => {
  const run = vi.fn()
  startTimeout(10, () => run('a'))
  const cancel = startTimeout(10, () => run('b'))
  cancel()
  vi.advanceTimersByTime(10)
  expect(run.mock.calls).toEqual([['a']])
  cancel()
})

test('destroyUnlessClosed destroys only what is still open', () => {
  const streams = [0, 1].map(() => Object.assign(new EventEmitter(), { destroy: vi.fn() }))
  for (const stream of streams) destroyUnlessClosed(stream, 10)
  streams[0]!.emit('close')
  vi.advanceTimersByTime(10)
  expect(streams.map(({ destroy }) => destroy.mock.calls.length)).toEqual([0, 1])
})

test('an InterruptibleWait lasts its time, or until it is ended', async () => {
  const pause = new InterruptibleWait()
  pause.end()
  const first = pause.wait(10)
  await vi.advanceTimersByTimeAsync(10)
  await first
  const second = pause.wait(10)
  pause.end()
  await second
})
