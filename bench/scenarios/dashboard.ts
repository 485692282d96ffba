/** Fifty charts of the server's own figures in Chromium, each answered after 1 to 5 s: how long until all are drawn. */
import { chromium, type Page } from '@playwright/test'
import { chromiumArguments, findFullBrowser, noChromiumMessage } from '../../e2e/fixtures/chromium.ts'
import ensureBrowserAndBuild from '../../e2e/fixtures/global-setup.ts'
import { longestFigureWaitMs } from '../../lib/protocol/lab.ts'
import type { Context } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { number, someOf, type Values } from '../support/options.ts'
import { interleaved, scenario, type Trial } from '../support/scenario.ts'
import { diptych } from '../support/server.ts'
import { type Data, type Lane, type LaneName, lanes, laneNames, reportOf } from './dashboard-report.ts'

const QUIET_MS = 5_000
/** HTTP/1.1 takes about a sixth of the sum of all waits. */
const DRAWN_WITHIN_MS = 90_000

const options = {
  drawings: number('drawings of a trial, one after another, each with a seed of its own', 3, 1, 50),
  ways: someOf('ways to ask', laneNames, laneNames),
  rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
}

type NoParams = Readonly<Record<string, never>>

export const dashboard = scenario<typeof options, NoParams, Data>({
  name: 'dashboard',
  sentence: 'Fifty charts at once in a browser, over HTTP/1.1, over HTTP/2, and inside the session.',
  options,
  quick: { drawings: '1', rounds: '1', ways: 'requests http/1.1,session websocket' },
  plan,
  estimate: ({ lane }, { drawings }) => 5 + drawings * (lane === 'requests http/1.1' ? 28 : 6),
  run: ({ lane }, ctx, values) => draw(lane as LaneName, ctx, values),
  report: (outcomes) => reportOf(outcomes),
})

function plan({ rounds, ways }: Values<typeof options>): Trial<NoParams>[] {
  return interleaved(rounds, ways).map(({ round, item: lane }) => ({
    subject: 'diptych',
    lane,
    params: {},
    round,
  }))
}

async function draw(lane: LaneName, ctx: Context, { drawings }: Values<typeof options>): Promise<Data> {
  await ensureBrowserAndBuild()
  const { scheme, transport }: Lane = lanes[lane]
  const server = await ctx.startServer(diptych({ pages: true }))
  const browser = await ctx.shared('browser', async (scope) => {
    const executablePath = findFullBrowser()
    if (!executablePath) throw new Error(noChromiumMessage)
    const launched = await chromium.launch({ executablePath, args: chromiumArguments })
    scope.defer(() => launched.close())
    return launched
  })
  const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' })
  ctx.defer(() => context.close())
  const page = await context.newPage()
  await page.goto(`${scheme === 'http' ? server.plainOrigin : server.origin}/lab/dashboard`)
  if (transport) await bySession(page, transport)
  await untilQuiet(QUIET_MS)
  const before = await server.usage()
  const drawn = await ctx.measure(() => drawAll(page, drawings))
  const { cpuMs } = await server.usage()
  return { drawn, serverCpuMs: (cpuMs - before.cpuMs) / drawings, way: await wayOf(page) }
}

async function bySession(page: Page, transport: string): Promise<void> {
  await page.getByRole('radio', { name: 'Requests inside the session' }).click()
  await page.getByRole('combobox', { name: 'Transport' }).selectOption(transport)
}

async function drawAll(page: Page, drawings: number): Promise<Data['drawn'][number][]> {
  const drawn: Data['drawn'][number][] = []
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

const wayOf = async (page: Page): Promise<string> =>
  (await page.locator('tr[data-ms]').last().getByRole('rowheader').textContent()) ?? ''
