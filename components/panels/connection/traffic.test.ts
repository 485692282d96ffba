import { expect, test } from 'vitest'
import { summary } from './fixtures/edits.ts'
import type { Seen } from './seen.ts'
import { SPAN_S, Traffic } from './traffic.ts'

const told = (id: string, at: number, up: number, down: number): Seen => ({
  id,
  name: id,
  self: false,
  summary: { ...summary(0), traffic: { at, up, down } },
})

function watched() {
  let now = 0
  const traffic = new Traffic(() => now)
  return (seen: Seen, at: number) => {
    now = at
    return traffic.of(seen)
  }
}

test('a rate is what came between two tellings, of each window by its own clock', () => {
  const rates = watched()
  expect(rates(told('one', 5_000, 100, 1_000), 0)).toEqual([])
  rates(told('two', 900_000, 7, 7), 0)
  expect(rates(told('two', 900_500, 8, 17), 600)).toEqual([{ ago: 0, up: 2, down: 20 }])
  expect(rates(told('one', 7_000, 160, 1_000), 2_100)).toEqual([{ ago: 0, up: 30, down: 0 }])
  expect(rates(told('one', 7_000, 160, 1_000), 2_900)).toEqual([{ ago: 800, up: 30, down: 0 }])
})

test('totals that begin again, and a clock that is set back, give no rate', () => {
  const rates = watched()
  rates(told('one', 5_000, 100, 100), 0)
  expect(rates(told('one', 6_000, 10, 200), 1_000)).toEqual([])
  expect(rates(told('one', 4_000, 20, 300), 2_000)).toEqual([])
  expect(rates(told('one', 5_000, 30, 310), 3_000)).toEqual([{ ago: 0, up: 10, down: 10 }])
})

test('a rate belongs to the link in use by then', () => {
  const rates = watched()
  const by = (transport: 'websocket' | 'poll', at: number) => {
    const one = told('one', at, at, at)
    const link = { transport, protocol: 'h2', up: 'frames' as const }
    return rates({ ...one, summary: { ...one.summary, link } }, at)
  }
  by('websocket', 1_000)
  by('websocket', 2_000)
  expect(by('poll', 3_000).map(({ link }) => link?.transport)).toEqual(['websocket', 'poll'])
})

test('what is older than the chart is gone', () => {
  const rates = watched()
  const at = (second: number) => rates(told('one', second * 1000, second, second), second * 1000)
  for (let second = 0; second < 2 * SPAN_S; second++) at(second)
  const kept = at(2 * SPAN_S)
  expect([kept.length, kept[0]!.ago]).toEqual([SPAN_S, (SPAN_S - 1) * 1000])
})
