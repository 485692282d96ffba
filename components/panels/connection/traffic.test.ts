import { expect, test } from 'vitest'
import { summary } from './fixtures/edits.ts'
import type { Seen } from './seen.ts'
import { SPAN_S, Traffic } from './traffic.ts'

const told = (id: string, at: number, up: number, down: number): Seen => ({
  id,
  name: id,
  transport: 'WebSocket',
  self: false,
  summary: { ...summary(0), traffic: { at, up, down } },
})

test('a rate is what came between two tellings, of each window by its own clock', () => {
  const traffic = new Traffic()
  expect(traffic.of(told('one', 5_000, 100, 1_000), 0)).toEqual([])
  traffic.of(told('two', 900_000, 7, 7), 0)
  const rates = [{ at: 2_100, up: 30, down: 0 }]
  expect(traffic.of(told('one', 7_000, 160, 1_000), 2_100)).toEqual(rates)
  expect(traffic.of(told('one', 7_000, 160, 1_000), 2_900)).toEqual(rates)
  expect(traffic.of(told('two', 900_500, 8, 17), 600)).toEqual([{ at: 600, up: 2, down: 20 }])
})

test('totals that begin again, and a clock that is set back, give no rate', () => {
  const traffic = new Traffic()
  traffic.of(told('one', 5_000, 100, 100), 0)
  expect(traffic.of(told('one', 6_000, 10, 200), 1_000)).toEqual([])
  expect(traffic.of(told('one', 4_000, 20, 300), 2_000)).toEqual([])
  expect(traffic.of(told('one', 5_000, 30, 310), 3_000)).toEqual([{ at: 3_000, up: 10, down: 10 }])
})

test('what is older than the chart is gone', () => {
  const traffic = new Traffic()
  for (let second = 0; second <= 2 * SPAN_S; second++)
    traffic.of(told('one', second * 1000, second, second), second * 1000)
  const rates = traffic.of(told('one', 2 * SPAN_S * 1000, 0, 0), 0)
  expect([rates.length, rates[0]!.at]).toEqual([SPAN_S, (SPAN_S + 1) * 1000])
})
