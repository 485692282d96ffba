import { expect } from 'vitest'
import { test, typeWords, waitForAssertion } from '../server/fixtures/simulated-windows.ts'
import { NO_CONDITIONS } from './transports/network-conditions.ts'
import { networkTransports } from './transports/descriptors.ts'

test.concurrent.for(networkTransports)(
  '%s opens and proves itself over the slowest network there is',
  async (transport, { open }) => {
    const one = await open({ transport })
    await one.simulate({ ...NO_CONDITIONS, delayMs: 1_000 })
    one.cutLink()
    typeWords(one, 'a')
    await one.whenSaved()
    expect(one.transport).toMatchObject({ transport, simulated: true })
  },
)

test.concurrent(
  '[S5] a blocked transport is replaced by the next, and is back once the simulation ends',
  async ({ open }) => {
    const one = await open()
    expect(one.transport?.transport).toBe('websocket')
    await one.simulate({ ...NO_CONDITIONS, blocked: ['websocket', 'sse'] })
    await waitForAssertion(() => expect(one.transport?.transport).toBe('stream'))
    typeWords(one, 'a')
    await one.whenSaved()
    expect(one.status.get().evidence).toMatchObject([
      {},
      { words: expect.stringContaining('simulator') as string },
      {},
      {},
      {},
    ])
    await one.simulate(null)
    await waitForAssertion(() =>
      expect(one.transport).toMatchObject({ transport: 'websocket', protocol: 'http/1.1' }),
    )
    expect(one.transport?.simulated).toBe(undefined)
  },
)
