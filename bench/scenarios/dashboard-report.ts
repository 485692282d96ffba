import { dashboard as published, sources } from '../published.ts'
import { aimAtMost, type Aim, type Cell, type Section } from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread } from '../support/stats.ts'

export interface Lane {
  readonly scheme: 'http' | 'https'
  /** Of the session; undefined: by plain requests. */
  readonly transport?: string
  readonly words: string
  /** Seconds. */
  readonly published?: number
}

export const lanes = {
  'requests http/1.1': {
    scheme: 'http',
    words: 'plain requests, six at once',
    published: published['http/1.1'],
  },
  'requests h2': { scheme: 'https', words: 'plain requests on one connection', published: published.h2 },
  'session websocket': {
    scheme: 'https',
    transport: 'websocket',
    words: 'inside the session, on a WebSocket',
    published: published['within one WebSocket'],
  },
  'session sse': { scheme: 'https', transport: 'sse', words: 'inside the session, on server-sent events' },
  'session long-poll': {
    scheme: 'https',
    transport: 'long-poll',
    words: 'inside the session, on long polling',
  },
} as const satisfies Record<string, Lane>

export type LaneName = keyof typeof lanes
export const laneNames = Object.keys(lanes) as LaneName[]

export interface Data {
  readonly drawn: readonly {
    readonly seed: number
    readonly ms: number
    readonly failed: number
    /** What the slowest of the fifty answers waited: no drawing can be quicker. */
    readonly slowestMs: number
  }[]
  /** A drawing. */
  readonly serverCpuMs: number
  /** As the page says it. */
  readonly way: string
}

type Outcomes = readonly Outcome<Readonly<Record<string, never>>, Data>[]

/** The article's delays are at random from 1 to 5 s, and 50 of them: the slowest is close to the end. */
const PUBLISHED_SLOWEST_S = 5

export function reportOf(outcomes: Outcomes): Section {
  const there = laneNames.filter((lane) => of(outcomes, lane).length > 0)
  const aims = there.flatMap((lane) => aimOf(of(outcomes, lane), lane))
  return {
    method:
      'The page /lab/dashboard in Chromium asks for 50 figures of the server at once, each answered after 1 to 5 s that a seed decides, the same for all ways. Measured by the page: from the click to the frame behind which the last chart stands.',
    tables: [
      {
        title: 'Time until all fifty charts are drawn',
        columns: [
          { name: 'way' },
          { name: 'all drawn', unit: 's', digits: 2 },
          { name: 'beyond the slowest answer', unit: 'ms', digits: 0 },
          { name: '÷ slowest answer', digits: 3 },
          { name: 'published', unit: 's', digits: 2, published: true },
          { name: 'published ÷', digits: 2, published: true },
          { name: 'server CPU a drawing', unit: 'ms', digits: 0 },
          { name: 'failed', digits: 0 },
        ],
        rows: there.map((lane) => rowOf(of(outcomes, lane), lane)),
        note: `Published: ${sources.dashboard.short}. ${sources.dashboard.setup}`,
      },
    ],
    charts: [
      {
        kind: 'bars',
        title: 'Time until all fifty charts are drawn',
        unit: 's',
        groups: there,
        series: [
          { name: 'here', values: there.map((lane) => seconds(of(outcomes, lane))) },
          { name: sources.dashboard.short, values: there.map((lane) => publishedOf(lane)), published: true },
        ],
      },
    ],
    aims,
    headlines: headlinesOf(outcomes, aims),
    notes: [
      'HTTP/1.1 allows six requests at once to one origin: its time follows from the sum of all waits, not from the transport’s speed.',
    ],
  }
}

const of = (outcomes: Outcomes, lane: LaneName): Outcomes =>
  outcomes.filter(({ trial }) => trial.lane === lane)

const publishedOf = (lane: LaneName): number | null => (lanes[lane] as Lane).published ?? null

const over = (own: Outcomes, value: (one: Data['drawn'][number]) => number): Spread =>
  overRounds(own.flatMap(({ data }) => data.drawn.map(value)))

const seconds = (own: Outcomes): Spread => over(own, ({ ms }) => ms / 1000)
const ratio = (own: Outcomes): Spread => over(own, ({ ms, slowestMs }) => ms / slowestMs)

function rowOf(own: Outcomes, lane: LaneName): Cell[] {
  const elsewhere = publishedOf(lane)
  return [
    `${lane}: ${lanes[lane].words}`,
    seconds(own),
    over(own, ({ ms, slowestMs }) => ms - slowestMs),
    ratio(own),
    elsewhere,
    elsewhere && elsewhere / PUBLISHED_SLOWEST_S,
    overRounds(own.map(({ data }) => data.serverCpuMs)),
    own.reduce((sum, { data }) => sum + data.drawn.reduce((failed, one) => failed + one.failed, 0), 0),
  ]
}

/** As close to the slowest answer as the article came: the scenario's limit. */
function aimOf(own: Outcomes, lane: LaneName): Aim[] {
  const elsewhere = publishedOf(lane)
  if (elsewhere === null || lane === 'requests http/1.1') return []
  return [
    aimAtMost({
      name: `${lane}: all drawn, beside the slowest answer`,
      measured: ratio(own).median,
      limit: elsewhere / PUBLISHED_SLOWEST_S,
      unit: '×',
      reason: `${over(own, ({ ms, slowestMs }) => ms - slowestMs).median.toFixed(0)} ms are beyond the slowest answer: the request’s way there and back, and drawing fifty charts in one page.`,
    }),
  ]
}

function headlinesOf(outcomes: Outcomes, aims: readonly Aim[]): Section['headlines'] {
  const [plain, h2, session] = (['requests http/1.1', 'requests h2', 'session websocket'] as const).map(
    (lane) => of(outcomes, lane),
  )
  if (!plain!.length || !h2!.length || !session!.length) return []
  const words = (own: Outcomes): string => `${seconds(own).median.toFixed(2)} s`
  return [
    {
      what: 'Fifty charts: inside the session, HTTP/2, HTTP/1.1',
      ours: [session!, h2!, plain!].map(words).join(', '),
      published: `5.2 s, 5.3 s, 29 s (${sources.dashboard.short})`,
      aims,
    },
  ]
}
