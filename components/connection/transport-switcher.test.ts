import { expect, test } from 'vitest'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { createTransportSwitcher, type TransportSwitchState } from './transport-switcher.ts'

/** Switches that end when the test says so. */
function createFixture() {
  const pendingSwitches: PromiseWithResolvers<void>[] = []
  const states: TransportSwitchState[] = []
  const switchTransport = (_choice: TransportChoice) => {
    const pendingSwitch = Promise.withResolvers<void>()
    pendingSwitches.push(pendingSwitch)
    return pendingSwitch.promise
  }
  return {
    pendingSwitches,
    states,
    choose: createTransportSwitcher({ switchTransport }, (state) => states.push(state)),
  }
}

test('a failed switch gives the reason', async () => {
  const { pendingSwitches, states, choose } = createFixture()
  const done = choose('websocket', false)
  expect(states).toEqual([{ pending: 'websocket', problem: null }])
  pendingSwitches[0]!.reject(new Error('Blocked.'))
  await done
  expect(states.at(-1)).toEqual({ pending: null, problem: 'WebSocket did not connect. Blocked.' })
})

test('a switch that a later choice replaced is no problem and does not end the later one', async () => {
  const { pendingSwitches, states, choose } = createFixture()
  const [first, second, third] = [choose('sse', false), choose('websocket', false), choose('sse', false)]
  pendingSwitches[0]!.reject(new Error('Closed by this side.'))
  pendingSwitches[1]!.reject(new Error('Closed by this side.'))
  await Promise.all([first, second])
  expect(states.at(-1)).toEqual({ pending: 'sse', problem: null })
  pendingSwitches[2]!.resolve()
  await third
  expect(states.at(-1)).toEqual({ pending: null, problem: null })
  expect(states).toHaveLength(4)
})
