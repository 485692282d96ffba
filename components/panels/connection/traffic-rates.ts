/** Computes bytes per second for each window, from the totals that it reports once a second. */
import type { LinkInfo } from '@/lib/transports/transport.ts'
import type { MeasuredWindow } from './measured-windows.ts'

export const SPAN_S = 120

export const trafficDirections = ['up', 'down'] as const

export type TrafficDirection = (typeof trafficDirections)[number]

export interface TrafficRate extends Readonly<Record<TrafficDirection, number>> {
  /** How long ago it was reported, in ms by this page's clock. */
  readonly ago: number
  /** The link in use at that time. */
  readonly link?: LinkInfo
}

type Totals = MeasuredWindow['summary']['traffic']

type RecordedRate = Omit<TrafficRate, 'ago'> & { readonly at: number }

interface WindowTraffic {
  readonly last: Totals
  readonly rates: readonly RecordedRate[]
}

export class TrafficRates {
  readonly #now: () => number
  readonly #windows = new Map<string, WindowTraffic>()

  /** @param now This page's clock, in ms. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Oldest first, for at most two minutes. Without a new report, there are no more than before. */
  ratesOf({ id, summary: { traffic, link } }: MeasuredWindow): readonly TrafficRate[] {
    const now = this.#now()
    const previous = this.#windows.get(id)
    const rate = previous && rateBetween(previous.last, traffic)
    const recentRates = (previous?.rates ?? []).filter(({ at }) => now - at < SPAN_S * 1000)
    const rates = rate ? [...recentRates, { at: now, ...rate, ...(link && { link }) }] : recentRates
    this.#windows.set(id, { last: traffic, rates })
    return rates.map(({ at, ...rest }) => ({ ago: now - at, ...rest }))
  }
}

/** Undefined without a new report, after a reset of the totals, or if the clock was set back. */
function rateBetween(from: Totals, to: Totals): Record<TrafficDirection, number> | undefined {
  const seconds = (to.at - from.at) / 1000
  if (seconds <= 0 || to.up < from.up || to.down < from.down) return undefined
  return { up: (to.up - from.up) / seconds, down: (to.down - from.down) / seconds }
}
