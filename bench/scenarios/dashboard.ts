/** Fifty charts of the server's own figures in Chromium, each answered after 1 to 5 s: the time until all are drawn. */
import type { Page } from '@playwright/test'
import { longestFigureWaitMs } from '../../lib/protocol/lab.ts'
import { publishedDashboard, sources } from '../published-figures.ts'
import { count, metric, publishedFigure, type Rounds, withName } from '../report/metrics.ts'
import type { SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { freshContext, launchBrowser } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { number, someOf } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { diptych } from '../support/server.ts'

/** Longer than HTTP/1.1 takes, which is about a sixth of the sum of all waits. */
const DRAWN_WITHIN_MS = 90_000

interface Lane {
  readonly scheme: 'http' | 'https'
  /** The session's transport; undefined for plain requests. */
  readonly transport?: string
  readonly title: string
  /** Seconds. */
  readonly published?: number
}

const lanes = {
  'requests http/1.1': {
    scheme: 'http',
    title: 'plain requests, six at once',
    published: publishedDashboard['http/1.1'],
  },
  'requests h2': {
    scheme: 'https',
    title: 'plain requests on one connection',
    published: publishedDashboard.h2,
  },
  'session websocket': {
    scheme: 'https',
    transport: 'websocket',
    title: 'inside the session, on a WebSocket',
    published: publishedDashboard['within one WebSocket'],
  },
  'session sse': { scheme: 'https', transport: 'sse', title: 'inside the session, on server-sent events' },
  'session long-poll': {
    scheme: 'https',
    transport: 'long-poll',
    title: 'inside the session, on long polling',
  },
} as const satisfies Record<string, Lane>

type LaneName = keyof typeof lanes
const laneNames = Object.keys(lanes) as LaneName[]

interface Drawing {
  readonly seed: number
  readonly ms: number
  readonly failed: number
  /** The wait of the slowest of the fifty answers. No drawing can be quicker. */
  readonly slowestMs: number
}

interface DashboardData {
  readonly drawn: readonly Drawing[]
  /** Divided by the number of drawings. */
  readonly serverCpuMs: number
}

const options = {
  drawings: number('drawings of a trial, one after another, each with its own seed', 3, 1, 50),
  ways: someOf('how the charts are requested', laneNames),
}

type NoParams = Readonly<Record<string, never>>

export const dashboardScenario = scenario<typeof options, NoParams, DashboardData>({
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
  if (transport) await chooseSession(page, transport)
  await untilQuiet()
  const before = await server.usage()
  const drawn = await ctx.measure(() => drawAll(page, drawings))
  const { cpuMs } = await server.usage()
  return { drawn, serverCpuMs: (cpuMs - before.cpuMs) / drawings }
}

async function chooseSession(page: Page, transport: string): Promise<void> {
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

/** The article has 50 random delays from 1 to 5 s, so the slowest is close to 5 s. */
const PUBLISHED_SLOWEST_S = 5

const eachDrawing = (of: (drawing: Drawing) => number) => (data: DashboardData) => data.drawn.map(of)
const drawTime = metric<DashboardData>(
  'all drawn',
  's',
  eachDrawing(({ ms }) => ms / 1000),
  { digits: 2 },
)
const timeBeyond = metric<DashboardData>(
  'beyond the slowest answer',
  'ms',
  eachDrawing(({ ms, slowestMs }) => ms - slowestMs),
  { digits: 0 },
)
const timesSlowest = metric<DashboardData>(
  '÷ slowest answer',
  '',
  eachDrawing(({ ms, slowestMs }) => ms / slowestMs),
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
    all.where({ lane }).medianText(drawTime),
  )
  return {
    method:
      'The page /lab/dashboard in Chromium requests 50 figures of the server at once. Each is answered after 1 to 5 s, chosen by a seed that is the same for all lanes. The page measures from the click to the first frame with the last chart.',
    tables: [
      table(
        title,
        rows.map((row) => row.withName(`${row.name}: ${laneOf(row).title}`)),
        [
          drawTime,
          timeBeyond,
          timesSlowest,
          publishedSeconds,
          publishedFigure('published ÷', '', publishedRatio, { digits: 2 }),
          metric('server CPU a drawing', 'ms', (data) => data.serverCpuMs, { digits: 0 }),
          count(
            'failed',
            eachDrawing(({ failed }) => failed),
          ),
        ],
        { head: 'way', note: `Published: ${sources.dashboard.short}. ${sources.dashboard.setup}` },
      ),
    ],
    charts: [
      barChart(title, rows, [
        withName('here', drawTime),
        withName(sources.dashboard.short, publishedSeconds),
      ]),
    ],
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
      'Over HTTP/1.1 a browser sends six requests at once to an origin, so its time is about the sum of the waits divided by six, whatever the transport’s speed.',
    ],
  }
}

const publishedRatio = (rounds: Dashboard): number | undefined => {
  const elsewhere = laneOf(rounds).published
  return elsewhere && elsewhere / PUBLISHED_SLOWEST_S
}

/** Limits the time to the article's, as a multiple of the slowest answer. HTTP/1.1 has no aim. */
function aimOf(row: Dashboard) {
  const limit = row.name === 'requests http/1.1' ? undefined : publishedRatio(row)
  return limit === undefined
    ? undefined
    : {
        name: `${row.name}: all drawn, beside the slowest answer`,
        measured: row.median(timesSlowest),
        limit,
        unit: '×',
        reason: `The last chart is drawn ${row.medianText(timeBeyond)} after the slowest answer was due: the request’s way there and back, and the drawing of fifty charts in one page.`,
      }
}
