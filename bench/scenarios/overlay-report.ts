/** The benchmark `overlay`: with it beside without it, and the difference as a share of one core. */
import { plain } from '../report/figures.ts'
import { aimAtMost, type Section } from '../report/section.ts'
import { overRounds, type Spread } from '../support/stats.ts'

/** Of the window's process, all its threads, in ms a second. */
export interface Cost {
  readonly shown: boolean
  readonly typingMs: number
  readonly idleMs: number
}

/** Of a core. */
const LIMIT_PERCENT = 1

const REASON =
  'While it is shown a stamp goes with each edit and an answer comes from each window, and its figures are written into the page, which Chromium then lays out and paints.'

export function sectionOf(costs: readonly Cost[]): Section {
  const of = (shown: boolean, figure: (cost: Cost) => number): Spread =>
    overRounds(costs.filter((cost) => cost.shown === shown).map(figure))
  const rows = [
    { what: 'typing', figure: ({ typingMs }: Cost) => typingMs },
    { what: 'nothing happens', figure: ({ idleMs }: Cost) => idleMs },
  ].map(({ what, figure }) => {
    const [without, shown] = [of(false, figure), of(true, figure)]
    return { what, without, shown, percent: (shown.median - without.median) / 10 }
  })
  const aims = rows.map(({ what, percent }) =>
    aimAtMost({
      name: `the overlay while ${what}`,
      measured: percent,
      limit: LIMIT_PERCENT,
      unit: '% of a core',
      reason: REASON,
    }),
  )
  return {
    method:
      'Chromium; a window with the editor and one with the preview of the same text. Time on a processor of the process of the window that is typed in, all its threads. Median, least and most of the rounds, with and without in turns.',
    tables: [
      {
        title: 'Processor time of the window',
        columns: [
          { name: 'while' },
          { name: 'without the overlay', unit: 'ms a second' },
          { name: 'with it', unit: 'ms a second' },
          { name: 'more', unit: '% of a core', digits: 2 },
        ],
        rows: rows.map(({ what, without, shown, percent }) => [what, without, shown, percent]),
      },
    ],
    charts: [
      {
        kind: 'bars',
        title: 'Processor time of the window',
        unit: 'ms a second',
        groups: rows.map(({ what }) => what),
        series: [
          { name: 'without the overlay', values: rows.map(({ without }) => without) },
          { name: 'with it', values: rows.map(({ shown }) => shown) },
        ],
      },
    ],
    aims,
    headlines: rows.map(({ what, without, shown, percent }, index) => ({
      what: `The latency overlay, processor time of its window while ${what}`,
      ours: `${plain(percent, 2)} % of a core more`,
      beside: `${plain(without.median)} ms a second without it, ${plain(shown.median)} with it`,
      aims: aims.slice(index, index + 1),
    })),
    notes: [],
  }
}
