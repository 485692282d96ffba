/** Offers the counts in the form that Prometheus reads. */
import { collectDefaultMetrics, Counter, Gauge, type Histogram, Registry } from 'prom-client'
import type { TransportId } from '../../lib/transports/transport.ts'
import type { FanoutCounts } from '../fanout/fanout-counts.ts'
import type { FanoutStatus } from '../fanout/fanout.ts'
import type { RoomFigures } from '../rooms/rooms.ts'
import type { StoreKind } from '../store/document-store.ts'
import { DURATION_BOUNDS_S, type DurationHistogram } from './duration-histogram.ts'
import type { ServerCounts, Traffic } from './server-counts.ts'

export interface MetricsSource {
  readonly counts: ServerCounts
  readonly storeKind: StoreKind
  /** Returns the sessions alive, by the transport of their link; `none` without a link. */
  sessions(): ReadonlyMap<TransportId | 'none', number>
  /** Returns the open links by transport. */
  links(): ReadonlyMap<string, number>
  rooms(): RoomFigures
  /** Absent from a server that is the only node. */
  readonly nodes?: NodeMetricsSource | undefined
}

export interface NodeMetricsSource {
  readonly counts: FanoutCounts
  status(): FanoutStatus
  /** Returns the nodes that live, this one included. */
  nodeCount(): number
}

const fanoutStatuses: readonly FanoutStatus[] = ['connected', 'degraded', 'disconnected']

export function createMetricsRegistry(source: MetricsSource): Registry {
  const { counts, storeKind, sessions, links, rooms, nodes } = source
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const register = { registers: [registry] }

  function addCounter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      ...register,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }

  function addLabelledCounter(
    name: string,
    help: string,
    label: string,
    read: () => ReadonlyMap<string, number>,
  ): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      ...register,
      collect() {
        this.reset()
        for (const [value, count] of read()) this.inc({ [label]: value }, count)
      },
    })
  }

  function addGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      ...register,
      collect() {
        this.set(read())
      },
    })
  }

  function addTransportGauge(name: string, help: string, read: () => ReadonlyMap<string, number>): void {
    new Gauge({
      name,
      help,
      labelNames: ['transport'],
      ...register,
      collect() {
        this.reset()
        for (const [transport, count] of read()) this.set({ transport }, count)
      },
    })
  }

  /** The library counts durations only by itself, and is not loaded before somebody reads; so it is given what was counted. */
  function addHistogram(name: string, help: string, histogram: DurationHistogram): void {
    const get = async () => ({ name, help, type: 'histogram', values: histogramValues(name, histogram) })
    registry.registerMetric({ name, get } as unknown as Histogram)
  }

  function addTrafficCounter(name: string, help: string, read: (traffic: Traffic) => number): void {
    addLabelledCounter(
      name,
      help,
      'transport',
      () => new Map([...counts.traffic].map(([transport, traffic]) => [transport, read(traffic)])),
    )
  }

  addTransportGauge(
    'diptych_sessions',
    'Sessions alive, by the transport of their link; none without a link.',
    sessions,
  )
  addTransportGauge('diptych_links', 'Links open, by transport.', links)
  addGauge('diptych_rooms', 'Parts of documents in memory.', () => rooms().open)
  addGauge(
    'diptych_append_queue_length',
    'What waits, in all rooms, for the append before it.',
    () => rooms().queued,
  )
  addGauge(
    'diptych_document_memory_bytes',
    'What the documents in memory take, by estimate.',
    () => rooms().memoryBytes,
  )
  addCounter(
    'diptych_dropped_docs_total',
    'Documents whose Y.Doc was dropped for want of memory; each is built again for its next edit.',
    () => counts.droppedDocs,
  )
  addCounter(
    'diptych_memory_refusals_total',
    'Documents and edits that were refused for want of memory.',
    () => counts.memoryRefusals,
  )
  new Gauge({
    name: 'diptych_store',
    help: 'The database that documents are kept in: 1 for its kind.',
    labelNames: ['kind'],
    ...register,
  }).set({ kind: storeKind }, 1)
  addCounter('diptych_edits_total', 'Edits taken from clients.', () => counts.edits)
  addCounter('diptych_commits_total', 'Commits of edits, a room’s share of each.', () => counts.commits)
  addLabelledCounter(
    'diptych_store_failures_total',
    'What the store did not do, by operation.',
    'operation',
    () =>
      new Map([
        ['append', counts.storeFailures],
        ['load', counts.loadFailures],
        ['compact', counts.compactionFailures],
      ]),
  )
  addHistogram(
    'diptych_acknowledgement_seconds',
    'From the arrival of an edit to its saved.',
    counts.acknowledgements,
  )
  addHistogram('diptych_store_append_seconds', 'How long the store took for a batch.', counts.storeAppends)
  addHistogram(
    'diptych_fanout_lag_seconds',
    'From a commit on another node to its arrival here.',
    counts.fanoutLag,
  )
  addTrafficCounter(
    'diptych_messages_received_total',
    'Messages of windows.',
    ({ messagesReceived }) => messagesReceived,
  )
  addTrafficCounter('diptych_messages_sent_total', 'Messages to windows.', ({ messagesSent }) => messagesSent)
  addTrafficCounter(
    'diptych_received_bytes_total',
    'Bytes of frames of windows.',
    ({ bytesReceived }) => bytesReceived,
  )
  addTrafficCounter('diptych_sent_bytes_total', 'Bytes of frames to windows.', ({ bytesSent }) => bytesSent)
  addCounter(
    'diptych_lags_total',
    'Readers whose changes were merged because they lagged.',
    () => counts.lags,
  )
  addLabelledCounter(
    'diptych_resyncs_total',
    'Windows that compared their text anew, by cause.',
    'cause',
    () => counts.resyncs,
  )
  addLabelledCounter(
    'diptych_refusals_total',
    'What was refused, by close code.',
    'code',
    () => counts.refusals,
  )
  addLabelledCounter(
    'diptych_refused_admissions_total',
    'Links that were not let in, by reason.',
    'reason',
    () => counts.refusedAdmissions,
  )
  addLabelledCounter(
    'diptych_refused_requests_total',
    'Requests of the API that were refused, by the code of the answer.',
    'code',
    () => counts.refusedRequests,
  )
  addLabelledCounter(
    'diptych_metered_work_total',
    'Work that was refused or had to wait since its principal, address or document met its limit, by kind.',
    'kind',
    () => counts.meteredWork,
  )
  if (nodes) addNodeMetrics(nodes)
  return registry

  function addNodeMetrics({ counts: fanoutCounts, status, nodeCount }: NodeMetricsSource): void {
    new Gauge({
      name: 'diptych_nodes',
      help: 'Servers alive that share the database, this one included.',
      ...register,
      collect() {
        this.set(nodeCount())
      },
    })
    new Gauge({
      name: 'diptych_fanout',
      help: 'Whether messages between servers are carried: 1 for the status of now.',
      labelNames: ['status'],
      ...register,
      collect() {
        for (const each of fanoutStatuses) this.set({ status: each }, each === status() ? 1 : 0)
      },
    })
    addLabelledCounter(
      'diptych_fanout_messages_total',
      'Messages between servers, each copy by each way.',
      'event',
      () => new Map(Object.entries(fanoutCounts)),
    )
  }
}

function histogramValues(name: string, { buckets, sumSeconds }: DurationHistogram) {
  let total = 0
  const cumulative = buckets.map((count, index) => ({
    metricName: `${name}_bucket`,
    labels: { le: DURATION_BOUNDS_S[index] ?? '+Inf' },
    value: (total += count),
  }))
  return [
    ...cumulative,
    { metricName: `${name}_sum`, labels: {}, value: sumSeconds },
    { metricName: `${name}_count`, labels: {}, value: total },
  ]
}
