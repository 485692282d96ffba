import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ADMIN_SAMPLE_INTERVAL_MS, MAX_ADMIN_SAMPLES } from '../../lib/protocol/admin.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { startFigureHistory } from './figure-history.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

const createSource = (counts: ServerCounts) => ({
  counts,
  sessions: () => new Map([['sse', 2] as const]),
  links: () => new Map(),
  rooms: () => ({ open: 3, queued: 1, memoryBytes: 0 }),
  waitingCount: () => 0,
})

test('each sample has what happened since the one before', () => {
  const counts = new ServerCounts()
  const history = startFigureHistory(createSource(counts))
  counts.trafficOf('sse').messagesReceived += 10
  counts.trafficOf('websocket').messagesReceived += 40
  counts.trafficOf('sse').bytesSent += 1_000
  counts.acknowledgements.record(0.004)
  counts.storeFailures += 2
  counts.loadFailures += 1
  vi.advanceTimersByTime(ADMIN_SAMPLE_INTERVAL_MS)
  vi.advanceTimersByTime(ADMIN_SAMPLE_INTERVAL_MS)
  const [first, second] = history.samples
  expect(first).toMatchObject({
    sessions: { sse: 2 },
    rooms: 3,
    queued: 1,
    storeErrors: 3,
  })
  // The meter has a clock of its own.
  expect(first!.bytesSentPerSecond / first!.messagesReceivedPerSecond).toBeCloseTo(1_000 / 50)
  expect(first!.acknowledgementP99Ms).toBeGreaterThan(2.5)
  expect(first!.acknowledgementP99Ms).toBeLessThanOrEqual(5)
  expect(first!.residentBytes).toBeGreaterThan(first!.heapBytes)
  expect(second).toMatchObject({ messagesReceivedPerSecond: 0, storeErrors: 0, acknowledgementP50Ms: null })
  history.close()
})

test('no more than a quarter of an hour is kept', () => {
  const history = startFigureHistory(createSource(new ServerCounts()))
  vi.advanceTimersByTime(ADMIN_SAMPLE_INTERVAL_MS * (MAX_ADMIN_SAMPLES + 20))
  expect(history.samples).toHaveLength(MAX_ADMIN_SAMPLES)
  history.close()
})
