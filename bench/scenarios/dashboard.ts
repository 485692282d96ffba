/** Fifty charts of the server's own figures in Chromium, each answered after 1 to 5 s: how long until all are drawn. */
import type { Page } from '@playwright/test'
import { longestFigureWaitMs } from '../../lib/protocol/lab.ts'
import { dashboard as published, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import {
  bars,
  called,
  count,
  metric,
  publishedFigure,
  type Rounds,
  type SectionDeclaration,
  table,
} from '../report/metrics.ts'
import { freshContext, launchBrowser } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { number, someOf } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { diptych } from '../support/server.ts'

/** HTTP/1.1 takes about a sixth of the sum of all waits. */
const DRAWN_WITHIN_MS = 90_000

interface Lane {
  readonly scheme: 'http' | 'https'
  /** Of the session; undefined: by plain requests. */
  readonly transport?: string
  readonly words: string
  /** Seconds. */
  readonly published?: number
}

const lanes = {
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

type LaneName = keyof typeof lanes
const laneNames = Object.keys(lanes) as LaneName[]

interface Drawing {
  readonly seed: number
  readonly ms: number
  readonly failed: number
  /** What the slowest of the fifty answers waited: no drawing can be quicker. */
  readonly slowestMs: number
}

interface DashboardData {
  readonly drawn: readonly Drawing[]
  /** A drawing. */
  readonly serverCpuMs: number
}

const options = {
  drawings: number('drawings of a trial, one after another, each with a seed of its own', 3, 1, 50),
  ways: someOf('ways to ask', laneNames, laneNames),
}

type NoParams = Readonly<Record<string, never>>

export const dashboard = scenario<typeof options, NoParams, DashboardData>({
  name: 'dashboard',
  sentence: 'Fifty charts at once in a browser, over HTTP/1.1, over HTTP/2, and inside the session.',
  options,
  quick: { drawings: '1', ways: 'requests http/1.1,session websocket' },
  pages: true,
  plan: ({ ways }) => ways.map((lane) => ({ lane, params: {} })),
  estimate: ({ lane }, { drawings }) => 5 + drawings * (lane === 'requests http/1.1' ? 28 : 6),
  run: ({ lane }, ctx, { drawings }) => draw(lanes[lane as LaneName], drawings, ctx),
  report,
})

async function draw({ scheme, transport }: Lane, drawings: number, ctx: Context): Promise<DashboardData> {
  const server = await ctx.startServer(diptych({ pages: true }))
  const browser = await ctx.shared('browser', launchBrowser)
  const context = await freshContext(browser)
  ctx.defer(() => context.close())
  const page = await context.newPage()
  await page.goto(`${scheme === 'http' ? server.plainOrigin : server.origin}/lab/dashboard`)
  if (transport) await bySession(page, transport)
  await untilQuiet()
  const before = await server.usage()
  const drawn = await ctx.measure(() => drawAll(page, drawings))
  const { cpuMs } = await server.usage()
  return { drawn, serverCpuMs: (cpuMs - before.cpuMs) / drawings }
}

async function bySession(page: Page, transport: string): Promise<void> {
  await page.getByRole('radio', { name: 'Requests inside the session' }).click()
  await page.getByRole('combobox', { name: 'Transport' }).selectOption(transport)
}

async function drawAll(page: Page, drawings: number): Promise<Drawing[]> {
  const drawn: Drawing[] = []
  for (let seed = 1; seed <= drawings; seed++) {
    await page.getByRole('spinbutton', { name: 'Seed' }).fill(`${seed}`)
    await page.getByRole('button', { name: 'Draw 50 charts' }).click()
    const row = page.locator('tr[data-ms]').nth(seed - 1)
    await row.waitFor({ timeout: DRAWN_WITHIN_MS })
    const ms = Number(await row.getAttribute('data-ms'))
    const failed = Number(await row.getByRole('cell').last().textContent())
    drawn.push({ seed, ms, failed, slowestMs: longestFigureWaitMs(seed) })
  }
  return drawn
}

type Dashboard = Rounds<NoParams, DashboardData>

/** The article's delays are at random from 1 to 5 s, and 50 of them: the slowest is close to the end. */
const PUBLISHED_SLOWEST_S = 5

const ofDrawings = (of: (drawing: Drawing) => number) => (data: DashboardData) => data.drawn.map(of)
const seconds = metric<DashboardData>(
  'all drawn',
  's',
  ofDrawings(({ ms }) => ms / 1000),
  { digits: 2 },
)
const beyond = metric<DashboardData>(
  'beyond the slowest answer',
  'ms',
  ofDrawings(({ ms, slowestMs }) => ms - slowestMs),
  { digits: 0 },
)
const timesSlowest = metric<DashboardData>(
  '÷ slowest answer',
  '',
  ofDrawings(({ ms, slowestMs }) => ms / slowestMs),
  { digits: 3 },
)

const laneOf = ({ outcomes: [outcome] }: Dashboard): Lane => lanes[outcome!.trial.lane as LaneName]
const publishedSeconds = publishedFigure<Dashboard>('published', 's', (row) => laneOf(row).published, {
  digits: 2,
})

function report(all: Dashboard): SectionDeclaration {
  const rows = all.rows('lane', laneNames)
  const title = 'Time until all fifty charts are drawn'
  const aims = rows.map(aimOf)
  const times = ['session websocket', 'requests h2', 'requests http/1.1'].map((lane) =>
    all.where({ lane }).words(seconds),
  )
  return {
    method:
      'The page /lab/dashboard in Chromium asks for 50 figures of the server at once, each answered after 1 to 5 s that a seed decides, the same for all ways. Measured by the page: from the click to the frame behind which the last chart stands.',
    tables: [
      table(
        title,
        rows.map((row) => row.named(`${row.name}: ${laneOf(row).words}`)),
        [
          seconds,
          beyond,
          timesSlowest,
          publishedSeconds,
          publishedFigure('published ÷', '', publishedRatio, { digits: 2 }),
          metric('server CPU a drawing', 'ms', (data) => data.serverCpuMs, { digits: 0 }),
          count(
            'failed',
            ofDrawings(({ failed }) => failed),
          ),
        ],
        { head: 'way', note: `Published: ${sources.dashboard.short}. ${sources.dashboard.setup}` },
      ),
    ],
    charts: [bars(title, rows, [called('here', seconds), called(sources.dashboard.short, publishedSeconds)])],
    aims,
    headlines: [
      {
        what: 'Fifty charts: inside the session, HTTP/2, HTTP/1.1',
        ours: times.includes(undefined) ? undefined : times.join(', '),
        published: `5.2 s, 5.3 s, 29 s (${sources.dashboard.short})`,
        aims,
      },
    ],
    notes: [
      'HTTP/1.1 allows six requests at once to one origin: its time follows from the sum of all waits, not from the transport’s speed.',
    ],
  }
}

const publishedRatio = (rounds: Dashboard): number | undefined => {
  const elsewhere = laneOf(rounds).published
  return elsewhere && elsewhere / PUBLISHED_SLOWEST_S
}

/** As close to the slowest answer as the article came; of HTTP/1.1 there is no aim. */
function aimOf(row: Dashboard) {
  const limit = row.name === 'requests http/1.1' ? undefined : publishedRatio(row)
  return limit === undefined
    ? undefined
    : {
        name: `${row.name}: all drawn, beside the slowest answer`,
        measured: row.median(timesSlowest),
        limit,
        unit: '×',
        reason: `${plain(row.median(beyond), 0)} ms are beyond the slowest answer: the request’s way there and back, and drawing fifty charts in one page.`,
      }
}
