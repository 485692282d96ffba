import { expect, test } from 'vitest'
import { latencySummary } from './fixtures/measured-edits.ts'
import type { MeasuredWindow } from './measured-windows.ts'
import { SPAN_S, TrafficRates } from './traffic-rates.ts'

const measuredWindow = (id: string, at: number, up: number, down: number): MeasuredWindow => ({
  id,
  name: id,
  self: false,
  summary: { ...latencySummary(0), traffic: { at, up, down } },
})

function createRates() {
  let now = 0
  const traffic = new TrafficRates(() => now)
  return (measured: MeasuredWindow, at: number) => {
    now = at
    return traffic.ratesOf(measured)
  }
}

test("a rate is what arrived between two reports, by each window's own clock", () => {
  const rates = createRates()
  expect(rates(measuredWindow('one', 5_000, 100, 1_000), 0)).toEqual([])
  rates(measuredWindow('two', 900_000, 7, 7), 0)
  expect(rates(measuredWindow('two', 900_500, 8, 17), 600)).toEqual([{ ago: 0, up: 2, down: 20 }])
  expect(rates(measuredWindow('one', 7_000, 160, 1_000), 2_100)).toEqual([{ ago: 0, up: 30, down: 0 }])
  expect(rates(measuredWindow('one', 7_000, 160, 1_000), 2_900)).toEqual([{ ago: 800, up: 30, down: 0 }])
})

test('reset totals and a clock that was set back give no rate', () => {
  const rates = createRates()
  rates(measuredWindow('one', 5_000, 100, 100), 0)
  expect(rates(measuredWindow('one', 6_000, 10, 200), 1_000)).toEqual([])
  expect(rates(measuredWindow('one', 4_000, 20, 300), 2_000)).toEqual([])
  expect(rates(measuredWindow('one', 5_000, 30, 310), 3_000)).toEqual([{ ago: 0, up: 10, down: 10 }])
})

test('a rate belongs to the link in use at the time', () => {
  const rates = createRates()
  const by = (transport: 'websocket' | 'poll', at: number) => {
    const one = measuredWindow('one', at, at, at)
    const link = { transport, protocol: 'h2', up: 'frames' as const }
    return rates({ ...one, summary: { ...one.summary, link } }, at)
  }
  by('websocket', 1_000)
  by('websocket', 2_000)
  expect(by('poll', 3_000).map(({ link }) => link?.transport)).toEqual(['websocket', 'poll'])
})

test('rates older than the chart are dropped', () => {
  const rates = createRates()
  const at = (second: number) => rates(measuredWindow('one', second * 1000, second, second), second * 1000)
  for (let second = 0; second < 2 * SPAN_S; second++) at(second)
  const stored = at(2 * SPAN_S)
  expect([stored.length, stored[0]!.ago]).toEqual([SPAN_S, (SPAN_S - 1) * 1000])
})
