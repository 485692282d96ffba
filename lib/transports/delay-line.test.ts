import { expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { settle } from '../fixtures/wait.ts'
import { NO_CONDITIONS, type NetworkConditions } from './network-conditions.ts'
import { DelayLine } from './delay-line.ts'
import { HIGH_WATER_BYTES } from './link.ts'

function createFixture(conditions: Partial<NetworkConditions>) {
  const clock = new ManualClock()
  const state = { ...NO_CONDITIONS, ...conditions }
  const delays = new DelayLine(clock, () => state)
  const delivered: string[] = []
  /** Whether the sender may continue at once. */
  const push = async (name: string, bytes = 1): Promise<boolean> => {
    let hasRoom = false
    void delays.push(bytes, () => void delivered.push(name)).then(() => (hasRoom = true))
    await settle()
    return hasRoom
  }
  return { clock, state, delays, delivered, push }
}

test('[T8] jitter adds a random share of its maximum to the delay', async () => {
  const { clock, delivered, push } = createFixture({ delayMs: 10, jitterMs: 100 })
  clock.chance = 0.25
  await push('a')
  await clock.pass(34)
  expect(delivered).toEqual([])
  await clock.pass(1)
  expect(delivered).toEqual(['a'])
})

test('[T2] frames up to the high-water mark go in at once, a byte more waits, again each time it is emptied', async () => {
  const { clock, push } = createFixture({ delayMs: 10 })
  for (let time = 0; time < 3; time++) {
    expect(await push('much', HIGH_WATER_BYTES)).toBe(true)
    expect(await push('more')).toBe(false)
    await clock.pass(10)
  }
})

test('[T2] a waiting sender continues once there is room, or once the line is cleared', async () => {
  for (const end of ['in time', 'cleared'] as const) {
    const { clock, delays, delivered } = createFixture({ delayMs: 10 })
    let done = 0
    for (const bytes of [HIGH_WATER_BYTES, 1, 1])
      void delays.push(bytes, () => void delivered.push('x')).then(() => (done += 1))
    await settle()
    expect(done).toBe(1)
    if (end === 'in time') await clock.pass(10)
    else delays.clear()
    await settle()
    expect([done, delivered.length, clock.timers]).toEqual([3, end === 'in time' ? 3 : 0, 0])
  }
})

test('cleared frames take up no room', async () => {
  const { delays, push } = createFixture({ delayMs: 10 })
  await push('a', HIGH_WATER_BYTES)
  delays.clear()
  expect(await push('b', HIGH_WATER_BYTES)).toBe(true)
})

test('one timer runs for any number of waiting frames, and none in silence', async () => {
  const { clock, state, delays, delivered, push } = createFixture({ delayMs: 10 })
  for (const name of ['a', 'b', 'c']) await push(name)
  expect(clock.timers).toBe(1)
  state.silent = true
  delays.flush()
  expect(clock.timers).toBe(0)
  await clock.pass(60_000)
  expect(delivered).toEqual([])
  state.silent = false
  delays.flush()
  expect(delivered).toEqual(['a', 'b', 'c'])
})

test('a closing link delivers what is on its way, silent or not', async () => {
  const { clock, delays, delivered, push } = createFixture({ delayMs: 10, silent: true })
  await push('a')
  delays.ignoreSilence()
  await clock.pass(10)
  expect(delivered).toEqual(['a'])
})

test('a transit that was given up before it began holds nothing', async () => {
  const { clock, delays } = createFixture({ delayMs: 10 })
  await expect(delays.waitForTransit(AbortSignal.abort())).rejects.toThrow()
  expect(clock.timers).toBe(0)
})
