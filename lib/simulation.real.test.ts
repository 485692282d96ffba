import { expect } from 'vitest'
import { statesOf, test, textOf, type, until } from '../server/fixtures/simulated-windows.ts'
import { CLEAR } from './transports/conditions.ts'
import { networkTransports } from './transports/transport.ts'

test.concurrent.for(networkTransports)(
  '[S4] %s: on and off in mid-word, without a gap, and no letter lost',
  async (transport, { open }) => {
    const [one, two] = [await open({ transport }), await open()]
    expect(one.transport?.simulated).toBe(undefined)
    const states = statesOf(one)
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    let typed = ''
    const typing = setInterval(() => {
      const letter = letters[typed.length % 26]!
      typed += letter
      type(one, letter)
    }, 2)
    await one.simulate({ ...CLEAR, delayMs: 5, jitterMs: 5 })
    expect(one.transport).toMatchObject({ transport, simulated: true })
    expect(one.status.get().simulated).toMatchObject({ delayMs: 5 })
    await one.whenSaved()
    await one.simulate(null)
    expect(one.transport).toMatchObject({ transport })
    expect(one.transport?.simulated).toBe(undefined)
    expect(one.status.get().simulated).toBe(undefined)
    clearInterval(typing)
    await one.whenSaved()
    await until(() => expect(textOf(two)).toBe(typed))
    expect(states).toEqual(['up'])
    expect(one.stats().longestGapMs).toBe(0)
  },
)

test.concurrent(
  '[T8] a round trip takes as long as it is told to, and no link is given up for it',
  async ({ open }) => {
    const one = await open()
    const states = statesOf(one)
    await one.simulate({ ...CLEAR, delayMs: 150 })
    type(one, 'a')
    await one.whenSaved()
    expect(one.stats().roundTripMs).toBeGreaterThanOrEqual(300)
    await one.simulate({ ...CLEAR, delayMs: 1_000 })
    type(one, 'b')
    await one.whenSaved()
    expect(states).toEqual(['up'])
  },
)

test.concurrent(
  '[S7] silence is noticed, and what was typed meanwhile is saved after it',
  async ({ open }) => {
    const one = await open()
    await one.simulate({ ...CLEAR, silent: true })
    expect(one.status.get().link.state).toBe('up')
    type(one, 'typed on a dead network')
    await until(() => expect(one.status.get().link.state).not.toBe('up'))
    expect(one.status.get().unsaved).toBe(1)
    await one.simulate(null)
    await one.whenSaved()
    expect(textOf(await open())).toBe('typed on a dead network')
  },
)

test.concurrent.for([true, false])(
  '[T8] a cut is a link lost, with the simulator on: %s',
  async (simulated, { open }) => {
    const one = await open()
    if (simulated) await one.simulate({ ...CLEAR, delayMs: 20 })
    const states = statesOf(one)
    type(one, 'before ')
    one.cut()
    type(one, 'after')
    await one.whenSaved()
    expect(states).toEqual(['connecting', 'up'])
    expect(textOf(await open())).toBe('before after')
  },
)

test.concurrent('[T8] of many wishes at once the last one counts', async ({ open }) => {
  const one = await open()
  const wishes = [{ ...CLEAR, silent: true }, null, { ...CLEAR, silent: true }, { ...CLEAR, delayMs: 1 }]
  await Promise.all(wishes.map((conditions) => one.simulate(conditions)))
  expect(one.status.get().simulated).toEqual({ ...CLEAR, delayMs: 1 })
  type(one, 'a')
  await one.whenSaved()
  await Promise.all([null, { ...CLEAR, delayMs: 1 }, null].map((conditions) => one.simulate(conditions)))
  expect(one.transport?.simulated).toBe(undefined)
})

test.concurrent('[T8] on while there is no link: the next one is simulated', async ({ start }) => {
  const one = start()
  await one.simulate({ ...CLEAR, delayMs: 10 })
  await one.whenSynced
  await until(() => expect(one.transport?.simulated).toBe(true))
})
