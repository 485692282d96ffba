/** Bytes a second of each window, from the totals that it tells once a second. */
import type { LinkInfo } from '@/lib/transports/transport.ts'
import type { MeasuredWindow } from './measured-windows.ts'

export const SPAN_S = 120

export const trafficDirections = ['up', 'down'] as const

export type TrafficDirection = (typeof trafficDirections)[number]

export interface TrafficRate extends Readonly<Record<TrafficDirection, number>> {
  /** When it was told, in ms by this page's clock: so much ago. */
  readonly ago: number
  /** In use by then. */
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

  /** Oldest first, at most two minutes of them; no more than before where the window has told nothing since. */
  ratesOf({ id, summary: { traffic, link } }: MeasuredWindow): readonly TrafficRate[] {
    const now = this.#now()
    const previous = this.#windows.get(id)
    const rate = previous && rateBetween(previous.last, traffic)
    const recentRates = (previous?.rates ?? []).filter(({ at }) => now - at < SPAN_S * 1000)
    const rates = rate ? [...recentRates, { at: now, ...rate, ...(link && { link }) }] : recentRates
    this.#windows.set(id, { last: traffic, rates })
    return rates.map(({ at, ...told }) => ({ ago: now - at, ...told }))
  }
}

/** Undefined where nothing was told since, totals began again, or the clock was set back. */
function rateBetween(from: Totals, to: Totals): Record<TrafficDirection, number> | undefined {
  const seconds = (to.at - from.at) / 1000
  if (seconds <= 0 || to.up < from.up || to.down < from.down) return undefined
  return { up: (to.up - from.up) / seconds, down: (to.down - from.down) / seconds }
}
