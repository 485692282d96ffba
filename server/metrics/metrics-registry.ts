/** Offers the counts in the form that Prometheus reads. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { FanoutCounts } from '../fanout/fanout-counts.ts'
import type { FanoutStatus } from '../fanout/fanout.ts'
import type { StoreKind } from '../store/document-store.ts'
import type { ServerCounts } from './server-counts.ts'

export interface MetricsSource {
  readonly counts: ServerCounts
  readonly storeKind: StoreKind
  /** Returns the sessions alive, with or without a link. */
  sessions(): number
  /** Returns the open links by transport. */
  links(): ReadonlyMap<string, number>
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

export function createMetricsRegistry({
  counts,
  storeKind,
  sessions,
  links,
  nodes,
}: MetricsSource): Registry {
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

  new Gauge({
    name: 'diptych_sessions',
    help: 'Sessions alive, with or without a link.',
    ...register,
    collect() {
      this.set(sessions())
    },
  })
  new Gauge({
    name: 'diptych_links',
    help: 'Links open, by transport.',
    labelNames: ['transport'],
    ...register,
    collect() {
      this.reset()
      for (const [transport, count] of links()) this.set({ transport }, count)
    },
  })
  new Gauge({
    name: 'diptych_store',
    help: 'The database that documents are kept in: 1 for its kind.',
    labelNames: ['kind'],
    ...register,
  }).set({ kind: storeKind }, 1)
  addCounter('diptych_edits_total', 'Edits taken from clients.', () => counts.edits)
  addCounter('diptych_commits_total', 'Commits of edits, a room’s share of each.', () => counts.commits)
  addCounter('diptych_store_failures_total', 'Commits that the store refused.', () => counts.storeFailures)
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
