import { expect, test } from 'vitest'
import { ManualClock, settle } from '../session/fixtures/manual-clock.ts'
import { CLEAR, type Conditions } from './conditions.ts'
import { DelayLine } from './delay-line.ts'
import { HIGH_WATER_BYTES } from './link.ts'

function line(conditions: Partial<Conditions>) {
  const clock = new ManualClock()
  const state = { ...CLEAR, ...conditions }
  const delays = new DelayLine(clock, () => state)
  const out: string[] = []
  /** Whether its sender may go on at once. */
  const push = async (name: string, bytes = 1): Promise<boolean> => {
    let goesOn = false
    void delays.push(bytes, () => void out.push(name)).then(() => (goesOn = true))
    await settle()
    return goesOn
  }
  return { clock, state, delays, out, push }
}

test('[T8] jitter is a share of what it may be, on top of the delay', async () => {
  const { clock, out, push } = line({ delayMs: 10, jitterMs: 100 })
  clock.chance = 0.25
  await push('a')
  await clock.pass(34)
  expect(out).toEqual([])
  await clock.pass(1)
  expect(out).toEqual(['a'])
})

test('[T2] as much as a link may hold goes in at once, a byte more waits; and so again each time it is emptied', async () => {
  const { clock, push } = line({ delayMs: 10 })
  for (let time = 0; time < 3; time++) {
    expect(await push('much', HIGH_WATER_BYTES)).toBe(true)
    expect(await push('more')).toBe(false)
    await clock.pass(10)
  }
})

test('[T2] whoever waits goes on once there is room, or once nothing is to come any more', async () => {
  for (const end of ['in time', 'cleared'] as const) {
    const { clock, delays, out } = line({ delayMs: 10 })
    let done = 0
    for (const bytes of [HIGH_WATER_BYTES, 1, 1])
      void delays.push(bytes, () => void out.push('x')).then(() => (done += 1))
    await settle()
    expect(done).toBe(1)
    if (end === 'in time') await clock.pass(10)
    else delays.clear()
    await settle()
    expect([done, out.length, clock.timers]).toEqual([3, end === 'in time' ? 3 : 0, 0])
  }
})

test('what was cleared takes up no room', async () => {
  const { delays, push } = line({ delayMs: 10 })
  await push('a', HIGH_WATER_BYTES)
  delays.clear()
  expect(await push('b', HIGH_WATER_BYTES)).toBe(true)
})

test('however many wait, one timer runs, and in silence none', async () => {
  const { clock, state, delays, out, push } = line({ delayMs: 10 })
  for (const name of ['a', 'b', 'c']) await push(name)
  expect(clock.timers).toBe(1)
  state.silent = true
  delays.flush()
  expect(clock.timers).toBe(0)
  await clock.pass(60_000)
  expect(out).toEqual([])
  state.silent = false
  delays.flush()
  expect(out).toEqual(['a', 'b', 'c'])
})

test('whoever leaves takes along what is on its way, silent or not', async () => {
  const { clock, delays, out, push } = line({ delayMs: 10, silent: true })
  await push('a')
  delays.leave()
  await clock.pass(10)
  expect(out).toEqual(['a'])
})

test('a passage that was given up before it began holds nothing', async () => {
  const { clock, delays } = line({ delayMs: 10 })
  await expect(delays.passage(AbortSignal.abort())).rejects.toThrow()
  expect(clock.timers).toBe(0)
})
