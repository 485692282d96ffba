/** Five windows type into one document, and each changes its transport every 200 ms. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import { startWithWindows } from '../clients/own-clients.ts'
import { type TokenCount, longestGap, Typists } from '../clients/typists.ts'
import { plain } from '../report/figures.ts'
import {
  bars,
  count,
  figuresTable,
  metric,
  percentiles,
  type Rounds,
  type SampleRow,
  type SectionDeclaration,
  table,
} from '../report/metrics.ts'
import { becauseLost } from '../report/reasons.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'

const WINDOWS = 5
const SWITCH_EVERY_MS = 200
const PATIENCE_MS = 30_000

const ids = [...transports.keys()]

type NoParams = Readonly<Record<string, never>>

interface SwitchData extends TokenCount {
  readonly tokens: number
  /** ms from the time a letter was meant to be typed to each other window, before any switch and while switching. */
  readonly calm: readonly number[]
  readonly switching: readonly number[]
  /** Of each window the longest time between two arrivals in a row while switching, less the pace at which they were typed, in ms. */
  readonly gaps: readonly number[]
  /** Of each window the longest time without any link, in ms. */
  readonly unlinked: readonly number[]
  readonly switches: number
  /** ms each, from the request to the new link in use. */
  readonly took: readonly number[]
}

const options = {
  seconds: number('of switching; a third as many of calm come before it', 30, 2, 3_600),
  pace: number('ms between one window’s letters', 50, 5, 5_000),
}

export const switching = scenario<typeof options, NoParams, SwitchData>({
  name: 'switch',
  sentence: 'Five windows type, each changing its transport every 200 ms: the longest gap, lost, doubled.',
  options,
  quick: { seconds: '5' },
  plan: () => [{ lane: 'every transport', params: {} }],
  estimate: (_trial, { seconds }) => 5 + seconds * 1.4,
  async run(_trial, ctx, { seconds, pace }) {
    const { windows, finish } = await startWithWindows(
      ctx,
      Array.from({ length: WINDOWS }, (_, index) => ids[index % ids.length]!),
    )
    const typists = new Typists(windows)
    await untilQuiet()
    const stop = new AbortController()
    const typing = typists.type(pace, AbortSignal.any([stop.signal, ctx.signal]))
    await sleep(seconds * 333)
    const since = performance.now()
    const took = await ctx.measure(() => switchAll(windows, seconds * 1000))
    stop.abort()
    await typing
    // What is missing then is counted below.
    await typists.waitForArrivals(PATIENCE_MS)
    const whileSwitching = typists.journeys(since)
    const figures = {
      tokens: typists.typed,
      calm: typists.arrivedBefore(since),
      switching: whileSwitching.map(({ ms }) => ms),
      gaps: windows.map((_window, to) =>
        Math.max(0, longestGap(whileSwitching.filter((journey) => journey.to === to)) - pace / (WINDOWS - 1)),
      ),
      unlinked: windows.map((window) => window.stats().longestGapMs),
      switches: windows.reduce((sum, window) => sum + window.stats().switches, 0),
      took,
    }
    const stored = await finish()
    return { ...figures, ...typists.check([stored.getText('typed').toJSON()]) }
  },
  report,
})

async function switchAll(windows: readonly OpenDocument[], forMs: number): Promise<number[]> {
  const until = performance.now() + forMs
  const took = await Promise.all(windows.map((window, index) => switchOver(window, index, until)))
  return took.flat()
}

/** The next switch comes 200 ms after the last, or when that is done. They begin one after the other, a step apart. */
async function switchOver(window: OpenDocument, index: number, until: number): Promise<number[]> {
  const took: number[] = []
  await sleep((SWITCH_EVERY_MS / WINDOWS) * index)
  for (let next = index + 1; performance.now() < until; next++) {
    const startedAt = performance.now()
    await Promise.all([
      window.switchTransport(ids[next % ids.length]!).then(() => took.push(performance.now() - startedAt)),
      sleep(SWITCH_EVERY_MS),
    ])
  }
  return took
}

const spans: readonly SampleRow<SwitchData>[] = [
  { name: 'typed → there, no switches', samplesOf: ({ calm }) => calm },
  { name: 'typed → there, switching', samplesOf: (data) => data.switching },
  { name: 'a switch, wish → in use', samplesOf: ({ took }) => took },
]

const lost = count('lost, in any window or the store', (data: SwitchData) => data.lost)
const doubled = count('doubled', (data: SwitchData) => data.doubled)

function report(all: Rounds<NoParams, SwitchData>): SectionDeclaration {
  const reason = becauseLost(
    all.outcomes
      .filter(({ data }) => data.lost + data.doubled > 0)
      .map(({ trial: { round }, data: { tokens, switches, ...found } }) => {
        const wrong = `${found.lost} lost, ${found.doubled} doubled, ${found.disordered} out of order`
        return `round ${round}: ${wrong}, of ${tokens} tokens and after ${switches} switches`
      }),
  )
  const aims = [
    { name: 'lost', measured: all.median(lost), limit: 0, unit: 'tokens', reason },
    { name: 'doubled', measured: all.median(doubled), limit: 0, unit: 'tokens', reason },
  ]
  const tokens = plain(
    all.sum((data) => data.tokens),
    0,
  )
  return {
    method:
      'Five clients in Node type numbered tokens into one document, and each changes its transport every 200 ms, through all five again and again. Times count from when a token was meant to be typed. In the end every token is looked for by its number in each window’s text and in the store.',
    tables: [
      table(
        'From one window to each other',
        spans,
        percentiles(all, ['p50', 'p95', 'p99', 'max'], { digits: 1 }),
        { head: 'what' },
      ),
      figuresTable(
        'What became of it',
        all,
        [
          count('tokens', (data) => data.tokens),
          count('switches', ({ switches }) => switches),
          lost,
          doubled,
          count('out of their author’s order', ({ disordered }) => disordered),
          metric('longest gap between arrivals, less the pace', 'ms', ({ gaps }) => Math.max(...gaps)),
          metric('longest time without any link', 'ms', ({ unlinked }) => Math.max(...unlinked)),
        ],
        0,
      ),
    ],
    charts: [
      bars('From one window to each other', spans, percentiles(all, ['p50', 'p99', 'max']), { scale: 'log' }),
    ],
    aims,
    headlines: [
      {
        what: 'Five windows, a switch of transport every 200 ms each',
        ours: `${all.median(lost)} lost, ${all.median(doubled)} doubled of ${tokens}`,
        aims,
      },
    ],
    notes: [
      'Among the transports is polling, four times a second: a letter that waits for the next poll is a gap of up to 250 ms that is the transport’s and not the switch’s.',
    ],
  }
}
