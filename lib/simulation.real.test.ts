import { expect } from 'vitest'
import {
  recordLinkStates,
  test,
  sharedTextOf,
  typeWords,
  waitForAssertion,
} from '../server/fixtures/simulated-windows.ts'
import { NO_CONDITIONS } from './transports/network-conditions.ts'
import { networkTransports } from './transports/descriptors.ts'

test.concurrent.for(networkTransports)(
  '[S4] %s: turning it on and off in mid-word causes no gap and loses no letter',
  async (transport, { open }) => {
    const [one, two] = [await open({ transport }), await open()]
    expect(one.transport?.simulated).toBe(undefined)
    const states = recordLinkStates(one)
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    let typed = ''
    const typing = setInterval(() => {
      const letter = letters[typed.length % 26]!
      typed += letter
      typeWords(one, letter)
    }, 2)
    await one.simulate({ ...NO_CONDITIONS, delayMs: 5, jitterMs: 5 })
    expect(one.transport).toMatchObject({ transport, simulated: true })
    expect(one.status.get().simulated).toMatchObject({ delayMs: 5 })
    await one.whenSaved()
    await one.simulate(null)
    expect(one.transport).toMatchObject({ transport })
    expect(one.transport?.simulated).toBe(undefined)
    expect(one.status.get().simulated).toBe(undefined)
    clearInterval(typing)
    await one.whenSaved()
    await waitForAssertion(() => expect(sharedTextOf(two)).toBe(typed))
    expect(states).toEqual(['up'])
    expect(one.stats().longestGapMs).toBe(0)
  },
)

test.concurrent(
  '[T8] a round trip takes as long as simulated, and no link is given up for it',
  async ({ open }) => {
    const one = await open()
    const states = recordLinkStates(one)
    await one.simulate({ ...NO_CONDITIONS, delayMs: 150 })
    typeWords(one, 'a')
    await one.whenSaved()
    expect(one.stats().roundTripMs).toBeGreaterThanOrEqual(300)
    await one.simulate({ ...NO_CONDITIONS, delayMs: 1_000 })
    typeWords(one, 'b')
    await one.whenSaved()
    expect(states).toEqual(['up'])
  },
)

test.concurrent(
  '[S7] silence is noticed, and what was typed meanwhile is saved after it',
  async ({ open }) => {
    const one = await open()
    await one.simulate({ ...NO_CONDITIONS, silent: true })
    expect(one.status.get().link.state).toBe('up')
    typeWords(one, 'typed on a dead network')
    await waitForAssertion(() => expect(one.status.get().link.state).not.toBe('up'))
    expect(one.status.get().unsaved).toBe(1)
    await one.simulate(null)
    await one.whenSaved()
    expect(sharedTextOf(await open())).toBe('typed on a dead network')
  },
)

test.concurrent.for([true, false])(
  '[T8] a cut is a link lost, with the simulator on: %s',
  async (simulated, { open }) => {
    const one = await open()
    if (simulated) await one.simulate({ ...NO_CONDITIONS, delayMs: 20 })
    const states = recordLinkStates(one)
    typeWords(one, 'before ')
    one.cutLink()
    typeWords(one, 'after')
    await one.whenSaved()
    expect(states).toEqual(['connecting', 'up'])
    expect(sharedTextOf(await open())).toBe('before after')
  },
)

test.concurrent('[T8] of many settings at once the last one counts', async ({ open }) => {
  const one = await open()
  const requested = [
    { ...NO_CONDITIONS, silent: true },
    null,
    { ...NO_CONDITIONS, silent: true },
    { ...NO_CONDITIONS, delayMs: 1 },
  ]
  await Promise.all(requested.map((conditions) => one.simulate(conditions)))
  expect(one.status.get().simulated).toEqual({ ...NO_CONDITIONS, delayMs: 1 })
  typeWords(one, 'a')
  await one.whenSaved()
  await Promise.all(
    [null, { ...NO_CONDITIONS, delayMs: 1 }, null].map((conditions) => one.simulate(conditions)),
  )
  expect(one.transport?.simulated).toBe(undefined)
})

test.concurrent('[T8] turned on without a link, it simulates the next one', async ({ start }) => {
  const one = start()
  await one.simulate({ ...NO_CONDITIONS, delayMs: 10 })
  await one.whenSynced
  await waitForAssertion(() => expect(one.transport?.simulated).toBe(true))
})
