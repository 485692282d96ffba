/** What a window more costs: its way to being usable, an edit's way into it, and the window that is typed in. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { panelIds, panelPath, type PanelId } from '../../lib/windows/panels.ts'
import { clockDifference, launch } from '../support/browser.ts'
import { loadNow, surroundings, untilQuiet } from '../support/machine.ts'
import { number, scenario, someOf, type Values } from '../support/options.ts'
import { startProcess } from '../support/process.ts'
import { resultsFolder, writeResult } from '../support/results.ts'
import { rhythm, textOf, type } from '../support/typing.ts'
import { keysOf, paintsOf, recordKeys, recordPaints, scriptsLoaded, watchUsable } from '../windows/page.ts'
import { reportOf } from './windows-report.ts'

const options = {
  rounds: number('rounds; their order alternates', 5, 1, 100),
  keys: number('keys typed in each trial', 150, 10, 10_000),
  interval: number('ms between keys', 60, 10, 5_000),
  panels: someOf('panels opened', panelIds, ['outline', 'preview', 'statistics', 'people']),
}

export const manyWindows = scenario({
  name: 'windows',
  sentence: 'Panel windows: time and script until usable, an edit into them, and what eight cost the typist.',
  options,
  run,
})

/** As long as a trial waits at most for the machine to have nothing else to do. */
const QUIET_MS = 20_000

export interface Opening {
  readonly what: 'main' | PanelId
  readonly usableMs: number
  readonly bytes: number
  readonly unpacked: number
}

export interface Typing {
  readonly others: number
  /** Time on a processor of the window that is typed in, all its threads, in ms a key. */
  readonly cpuMs: number
  /** Key → painted in another own window, in ms. */
  readonly seen: readonly number[]
}

interface World {
  readonly browser: Browser
  readonly origin: string
  readonly document: string
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>
}

async function run(values: Values<typeof options>): Promise<void> {
  await mkdir(resultsFolder, { recursive: true })
  const folder = await mkdtemp(join(resultsFolder, 'data-'))
  const server = await startProcess(serverArgs, envOf(folder))
  const { browser, writer } = await launch()
  try {
    const at = surroundings(browser.version())
    const loadBefore = loadNow()
    const document = await newDocument(writer, server.origin)
    const world: World = { browser, origin: server.origin, document, cookies: await writer.cookies() }
    const openings: Opening[] = []
    const typings: Typing[] = []
    for (let round = 1; round <= values.rounds; round++) {
      const inTurn = <Item>(items: readonly Item[]) => (round % 2 === 1 ? items : items.toReversed())
      for (const what of inTurn(['main', ...values.panels] as const))
        openings.push(await openCold(world, what))
      for (const others of inTurn([0, 1, 8])) typings.push(await typeBeside(world, others, round, values))
      console.log(`round ${round}/${values.rounds} done, load ${loadNow().toFixed(1)}`)
    }
    const report = reportOf({ at, loadBefore, openings, typings })
    console.log(`\n${report.text}`)
    console.log(`\nRaw samples: ${await writeResult('windows', report.result)}`)
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const serverArgs = ['--import', './server/require-node.js', 'server/main.ts']

const envOf = (dataDir: string) => ({
  HOST: '127.0.0.1',
  PORT: '0',
  HTTPS_PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
})

async function newDocument({ request }: BrowserContext, origin: string): Promise<string> {
  const response = await request.post(`${origin}/api/documents`, { data: {}, headers: { Origin: origin } })
  if (response.status() !== 201) throw new Error(`POST /api/documents: ${response.status()}`)
  return ((await response.json()) as { id: string }).id
}

const pathOf = (document: string, what: 'main' | PanelId): string =>
  what === 'main' ? `/d/${document}` : panelPath(document, what)

/** A browser of the same person that has never been here: nothing is cached, nothing is kept. */
async function freshContext({ browser, cookies }: World): Promise<BrowserContext> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  await context.addCookies(cookies)
  return context
}

async function openCold(world: World, what: 'main' | PanelId): Promise<Opening> {
  const context = await freshContext(world)
  try {
    await untilQuiet(QUIET_MS)
    const page = await openUsable(context, world.origin + pathOf(world.document, what))
    const usableMs = await page.evaluate(() => window.usableAt!)
    return { what, usableMs, ...(await page.evaluate(scriptsLoaded)) }
  } finally {
    await context.close()
  }
}

async function openUsable(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(watchUsable)
  await page.goto(address)
  await page.waitForFunction(() => window.usableAt !== undefined)
  return page
}

/** One of the others shows the text, as the preview does; the rest are whatever a person may have open. */
async function typeBeside(
  world: World,
  others: number,
  round: number,
  { keys, interval, panels }: Values<typeof options>,
): Promise<Typing> {
  const context = await freshContext(world)
  try {
    const fresh = { ...world, document: await newDocument(context, world.origin) }
    const address = (what: 'main' | PanelId) => fresh.origin + pathOf(fresh.document, what)
    const main = await openUsable(context, address('main'))
    const seenBy: Page[] = []
    for (let index = 0; index < others; index++)
      seenBy.push(
        await openUsable(context, address(index === 0 ? 'preview' : panels[index % panels.length]!)),
      )
    await main.bringToFront()
    await main.getByRole('textbox', { name: 'Document' }).focus()
    await main.evaluate(recordKeys)
    await seenBy[0]?.evaluate(recordPaints, '[data-panel-body]')
    await untilQuiet(QUIET_MS)
    const text = textOf(keys).replaceAll(' ', '_')
    const before = await processorMs(main)
    await type(main, text, rhythm(text.length, interval, round))
    const cpuMs = ((await processorMs(main)) - before) / text.length
    return { others, cpuMs, seen: seenBy[0] ? await seenAfter(main, seenBy[0], text.length) : [] }
  } finally {
    await context.close()
  }
}

async function processorMs(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Performance.enable')
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'ProcessTime')?.value
    if (seconds === undefined) throw new Error('This browser does not tell the time of a process.')
    return seconds * 1000
  } finally {
    await session.detach()
  }
}

async function seenAfter(main: Page, other: Page, keys: number): Promise<number[]> {
  await other.waitForFunction((count) => (window.paintedAt?.size ?? 0) >= count, keys)
  const difference = await clockDifference(main, other)
  const keysAt = await main.evaluate(keysOf)
  const paints = new Map(await other.evaluate(paintsOf))
  const empty = Math.min(...paints.keys()) - 1
  return keysAt.map((at, index) => (paints.get(empty + index + 1) ?? Number.NaN) - at + difference)
}
