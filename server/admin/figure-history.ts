/** Measures the server at an interval, and keeps the last quarter of an hour in memory. It knows no pages and no tokens. */
import { ADMIN_SAMPLE_INTERVAL_MS, type AdminSample, MAX_ADMIN_SAMPLES } from '../../lib/protocol/admin.ts'
import { type LabMetricsSource, ServerMeter, type ServerReading } from '../lab/server-meter.ts'
import { percentileOf } from '../metrics/duration-histogram.ts'
import type { ServerCounts } from '../metrics/server-counts.ts'

export interface FigureHistory {
  readonly samples: readonly AdminSample[]
  close(): void
}

/** What only rises. */
interface Totals {
  readonly messagesReceived: number
  readonly messagesSent: number
  readonly bytesReceived: number
  readonly bytesSent: number
  readonly storeErrors: number
  readonly acknowledgements: readonly number[]
}

export function startFigureHistory(source: LabMetricsSource): FigureHistory {
  const meter = new ServerMeter(source)
  const samples: AdminSample[] = []
  let before = readTotals(source.counts)

  const takeSample = (): void => {
    const totals = readTotals(source.counts)
    samples.push(createSample(meter.read(), totals, before))
    if (samples.length > MAX_ADMIN_SAMPLES) samples.shift()
    before = totals
  }
  const timer = setInterval(takeSample, ADMIN_SAMPLE_INTERVAL_MS).unref()

  return {
    samples,
    close() {
      clearInterval(timer)
      meter.close()
    },
  }
}

function readTotals({
  traffic,
  storeFailures,
  loadFailures,
  compactionFailures,
  acknowledgements,
}: ServerCounts): Totals {
  const sums = { messagesReceived: 0, messagesSent: 0, bytesReceived: 0, bytesSent: 0 }
  for (const one of traffic.values()) {
    sums.messagesReceived += one.messagesReceived
    sums.messagesSent += one.messagesSent
    sums.bytesReceived += one.bytesReceived
    sums.bytesSent += one.bytesSent
  }
  return {
    ...sums,
    storeErrors: storeFailures + loadFailures + compactionFailures,
    acknowledgements: [...acknowledgements.buckets],
  }
}

function createSample(
  { seconds, measured, delay, memory }: ServerReading,
  totals: Totals,
  before: Totals,
): AdminSample {
  const perSecond = (key: Exclude<keyof Totals, 'acknowledgements'>): number =>
    (totals[key] - before[key]) / seconds
  const acknowledged = totals.acknowledgements.map((count, index) => count - before.acknowledgements[index]!)
  const acknowledgementMs = (quantile: number): number | null => {
    const percentile = percentileOf(acknowledged, quantile)
    return percentile === null ? null : percentile * 1000
  }
  const { open: rooms, queued } = measured.rooms()
  return {
    at: Date.now(),
    sessions: Object.fromEntries(measured.sessions()),
    messagesReceivedPerSecond: perSecond('messagesReceived'),
    messagesSentPerSecond: perSecond('messagesSent'),
    bytesReceivedPerSecond: perSecond('bytesReceived'),
    bytesSentPerSecond: perSecond('bytesSent'),
    acknowledgementP50Ms: acknowledgementMs(0.5),
    acknowledgementP99Ms: acknowledgementMs(0.99),
    loopDelayP50Ms: delay.p50,
    loopDelayP99Ms: delay.p99,
    storeErrors: totals.storeErrors - before.storeErrors,
    rooms,
    queued,
    residentBytes: memory.rss,
    heapBytes: memory.heapUsed,
  }
}
