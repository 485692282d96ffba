/** The counts as Prometheus reads them. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { Counts } from './counts.ts'

export interface Measured {
  readonly counts: Counts
  /** Alive, with or without a link. */
  sessions(): number
  /** Links open, by transport. */
  links(): ReadonlyMap<string, number>
}

export function createRegistry({ counts, sessions, links }: Measured): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const register = { registers: [registry] }

  function total(name: string, help: string, read: () => number): void {
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

  function totals(name: string, help: string, label: string, read: () => ReadonlyMap<string, number>): void {
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
  total('diptych_edits_total', 'Edits taken from clients.', () => counts.edits)
  total('diptych_commits_total', 'Commits of edits, a room’s share of each.', () => counts.commits)
  total('diptych_store_failures_total', 'Commits that the store refused.', () => counts.storeFailures)
  total('diptych_lags_total', 'Readers whose changes were merged because they lagged.', () => counts.lags)
  totals(
    'diptych_resyncs_total',
    'Windows that compared their text anew, by cause.',
    'cause',
    () => counts.resyncs,
  )
  totals('diptych_refusals_total', 'What was refused, by close code.', 'code', () => counts.refusals)
  return registry
}
