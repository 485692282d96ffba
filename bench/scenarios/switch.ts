/** Five windows type into one document, and each changes its transport every 200 ms. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import { startWithWindows } from '../clients/own-clients.ts'
import { type TokenCount, longestGap, Typists } from '../clients/typists.ts'
import { formatFixed } from '../report/format-figures.ts'
import { count, metric, percentiles, type Rounds, type SampleRow } from '../report/metrics.ts'
import { neverAim, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, figuresTable, table } from '../report/tables-and-charts.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'

const WINDOWS = 5
const SWITCH_EVERY_MS = 200
const ARRIVED_WITHIN_MS = 30_000

const ids = [...transports.keys()]

type NoParams = Readonly<Record<string, never>>

interface SwitchData extends TokenCount {
  readonly tokens: number
  /** Milliseconds from when a letter was due until another window has it, before any switch and while switching. */
  readonly calm: readonly number[]
  readonly switching: readonly number[]
  /** For each window the longest time between two arrivals while switching, minus the pace of typing, in milliseconds. */
  readonly gaps: readonly number[]
  /** For each window the longest time without a link, in milliseconds. */
  readonly unlinked: readonly number[]
  readonly switches: number
  /** Milliseconds from the request for a switch until the new link is in use. */
  readonly took: readonly number[]
}

const options = {
  seconds: number('seconds of switching, after a third as many without switches', 30, 2, 3_600),
  pace: number('ms between the letters of a window', 50, 5, 5_000),
}

export const switchScenario = scenario<typeof options, NoParams, SwitchData>({
  name: 'switch',
  sentence: 'Five windows type and change their transports every 200 ms: the longest gap, lost, doubled.',
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
    // Letters that are still missing then are counted as lost below.
    await typists.waitForArrivals(ARRIVED_WITHIN_MS)
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
  const took = await Promise.all(windows.map((window, index) => keepSwitching(window, index, until)))
  return took.flat()
}

/** Switches 200 ms after the last switch began, or when it is done. Windows begin at different moments. */
async function keepSwitching(window: OpenDocument, index: number, until: number): Promise<number[]> {
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
  const where = all.outcomes
    .filter(({ data }) => data.lost + data.doubled > 0)
    .map(({ trial: { round }, data: { tokens, switches, ...found } }) => {
      const wrong = `${found.lost} lost, ${found.doubled} doubled, ${found.disordered} out of order`
      return `round ${round}: ${wrong}, of ${tokens} tokens and after ${switches} switches`
    })
  const aims = [
    neverAim('lost', 'tokens', all.median(lost), where),
    neverAim('doubled', 'tokens', all.median(doubled), where),
  ]
  const tokens = formatFixed(
    all.sum((data) => data.tokens),
    0,
  )
  return {
    method:
      'Five clients in Node type numbered tokens into one document. Each changes its transport every 200 ms, through all five again and again. Times count from when a token was due. In the end every token is looked for by its number in each window’s text and in the store.',
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
      barChart('From one window to each other', spans, percentiles(all, ['p50', 'p99', 'max']), {
        scale: 'log',
      }),
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
      'One of the transports polls four times a second. A letter that waits for the next poll makes a gap of up to 250 ms, which is due to the transport and not to the switch.',
    ],
  }
}
