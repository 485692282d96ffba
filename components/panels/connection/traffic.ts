/** Bytes a second of each window, from the totals that it tells once a second. */
import type { LinkInfo } from '@/lib/transports/transport.ts'
import type { Seen } from './seen.ts'

export const SPAN_S = 120

export const ways = ['up', 'down'] as const

export type Way = (typeof ways)[number]

export interface Rate extends Readonly<Record<Way, number>> {
  /** When it was told, in ms by this page's clock: so much ago. */
  readonly ago: number
  /** In use by then. */
  readonly link?: LinkInfo
}

type Totals = Seen['summary']['traffic']

type Told = Omit<Rate, 'ago'> & { readonly at: number }

interface Window {
  readonly last: Totals
  readonly rates: readonly Told[]
}

export class Traffic {
  readonly #now: () => number
  readonly #windows = new Map<string, Window>()

  /** @param now This page's clock, in ms. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Oldest first, at most two minutes of them; no more than before where the window has told nothing since. */
  of({ id, summary: { traffic, link } }: Seen): readonly Rate[] {
    const now = this.#now()
    const known = this.#windows.get(id)
    const rate = known && rateBetween(known.last, traffic)
    const before = (known?.rates ?? []).filter(({ at }) => now - at < SPAN_S * 1000)
    const rates = rate ? [...before, { at: now, ...rate, ...(link && { link }) }] : before
    this.#windows.set(id, { last: traffic, rates })
    return rates.map(({ at, ...told }) => ({ ago: now - at, ...told }))
  }
}

/** Undefined where nothing was told since, totals began again, or the clock was set back. */
function rateBetween(from: Totals, to: Totals): Record<Way, number> | undefined {
  const seconds = (to.at - from.at) / 1000
  if (seconds <= 0 || to.up < from.up || to.down < from.down) return undefined
  return { up: (to.up - from.up) / seconds, down: (to.down - from.down) / seconds }
}
