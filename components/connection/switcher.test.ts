import { expect, test } from 'vitest'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { switcher, type SwitchState } from './switcher.ts'

/** Switches that come to their ends when the test says so. */
function world() {
  const asked: PromiseWithResolvers<void>[] = []
  const told: SwitchState[] = []
  const switchTransport = (_choice: TransportChoice) => {
    const settle = Promise.withResolvers<void>()
    asked.push(settle)
    return settle.promise
  }
  return { asked, told, choose: switcher({ switchTransport }, (state) => told.push(state)) }
}

test('a switch that fails says why', async () => {
  const { asked, told, choose } = world()
  const done = choose('websocket', false)
  expect(told).toEqual([{ pending: 'websocket', problem: null }])
  asked[0]!.reject(new Error('Blocked.'))
  await done
  expect(told.at(-1)).toEqual({ pending: null, problem: 'WebSocket did not connect. Blocked.' })
})

test('a switch that another choice overtook is no problem, and ends nothing', async () => {
  const { asked, told, choose } = world()
  const [first, second, third] = [choose('sse', false), choose('websocket', false), choose('sse', false)]
  asked[0]!.reject(new Error('Closed by this side.'))
  asked[1]!.reject(new Error('Closed by this side.'))
  await Promise.all([first, second])
  expect(told.at(-1)).toEqual({ pending: 'sse', problem: null })
  asked[2]!.resolve()
  await third
  expect(told.at(-1)).toEqual({ pending: null, problem: null })
  expect(told).toHaveLength(4)
})
