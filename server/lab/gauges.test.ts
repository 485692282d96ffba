import { expect, test } from 'vitest'
import { ServerCounts } from '../metrics/server-counts.ts'
import { gauges } from './gauges.ts'
import { ServerMeter } from './server-meter.ts'

const counts = new ServerCounts()
const measured = {
  counts,
  sessions: () => new Map([['sse', 2] as const, ['none', 1] as const]),
  rooms: () => ({ open: 0, queued: 0, memoryBytes: 0 }),
  links: () => new Map([['sse', 2]]),
  waitingCount: () => 7,
}

/** A reading made by hand, two seconds after the one before. */
function createReading() {
  const usage = process.resourceUsage()
  counts.edits = 11
  const meter = new ServerMeter(measured)
  const reading = meter.read()
  meter.close()
  return {
    ...reading,
    seconds: 2,
    cpu: { user: 500_000, system: 100_000 },
    busy: 0.25,
    usage: { ...usage, maxRSS: 2_000, minorPageFault: 30 },
    since: { usage: { ...usage, minorPageFault: 10 }, edits: 8, commits: 4 },
    load: [1, 2, 3],
  }
}

test.each([
  ['Processor, own code', 'percent', 25],
  ['Processor, system', 'percent', 5],
  ['Event loop, busy', 'percent', 25],
  ['Minor page faults', 'per second', 10],
  ['Most resident memory', 'bytes', 2_048_000],
  ['Edits now', 'per second', 4],
  ['Commits now', 'per second', 2],
  ['Edits in all', 'count', 11],
  ['Sessions', 'count', 3],
  ['Links, Server-sent events', 'count', 2],
  ['Links, Polling', 'count', 0],
  ['Answers waiting here', 'count', 7],
  ['Load, 15 minutes', 'count', 3],
])('%s is in its unit: %s', (name, unit, value) => {
  const gauge = gauges.find((one) => one.name === name)
  expect(gauge?.unit).toBe(unit)
  expect(gauge?.read(createReading())).toBe(value)
})

test('a meter reports what changed since the reading before', () => {
  const startedAt = performance.now()
  counts.edits = 100
  counts.commits = 50
  const meter = new ServerMeter(measured)
  counts.edits += 5
  counts.commits += 2
  // Uses processor time and not the clock, however busy the machine is.
  const untilCpuTime = process.cpuUsage().user + 60_000
  while (process.cpuUsage().user < untilCpuTime) Math.sqrt(Math.random())
  const first = meter.read()
  expect(first.since).toMatchObject({ edits: 5, commits: 2 })
  expect(first.cpu.user).toBeGreaterThanOrEqual(60_000)
  counts.edits += 1
  const second = meter.read()
  meter.close()
  expect(second.since).toMatchObject({ edits: 1, commits: 0 })
  expect(second.since.usage).toBe(first.usage)
  expect(second.cpu.user).toBeLessThan(first.cpu.user)
  expect(first.seconds + second.seconds).toBeLessThanOrEqual((performance.now() - startedAt) / 1000 + 0.001)
})
