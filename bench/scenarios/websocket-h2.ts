/**
 * What a WebSocket costs on a connection of its own, and within the HTTP/2 connection that all windows of a browser share: on the
 * server's memory, and from a keystroke to its acknowledgement and to another window. Windows here are clients in Node, which share
 * one HTTP/2 connection as a browser's do.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openOver } from '../../lib/client.ts'
import type { OpenDocument } from '../../lib/client.ts'
import type { Net } from '../../lib/transports/net/net.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { transports } from '../../lib/transports/registry.ts'
import { makeDocument, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { loadNow, surroundings } from '../support/machine.ts'
import { number, scenario, type Values } from '../support/options.ts'
import { startProcess, type ServerProcess } from '../support/process.ts'
import { resultsFolder, writeResult } from '../support/results.ts'
import { overRounds, type Spread, summarise } from '../support/stats.ts'

const WINDOWS = [1, 5, 20] as const
const CONNECTIONS = 200
const SETTLE_MS = 2_000
const WARM_UP_KEYS = 20

const options = {
  keys: number('keystrokes of a trial, after the warm-up', 200, 10, 10_000),
  rounds: number('rounds; the order within them alternates: A B, B A', 4, 1, 100),
  interval: number('ms between keys', 50, 5, 5_000),
}

type Way = 'own connections' | 'within HTTP/2'
const ways: readonly Way[] = ['own connections', 'within HTTP/2']

const netOf = (way: Way): Net => createNet({ insecure: true, webSocketOverHttp2: way === 'within HTTP/2' })

interface Trial {
  readonly way: Way
  readonly windows: number
  readonly saved: readonly number[]
  readonly arrived: readonly number[]
}

export const websocketH2 = scenario({
  name: 'websocket-h2',
  sentence: 'WebSockets on connections of their own and within HTTP/2: memory of the server, and keystrokes.',
  options,
  run,
})

async function run(values: Values<typeof options>): Promise<void> {
  await mkdir(resultsFolder, { recursive: true })
  const folder = await mkdtemp(join(resultsFolder, 'data-'))
  const loadBefore = loadNow()
  try {
    const memory = await memories(folder)
    const trials = await withServer(join(folder, 'keys'), (server) => playRounds(server, values))
    const result = {
      at: surroundings('none: clients in Node'),
      load: { before: loadBefore, after: loadNow() },
      values,
      memory,
      keystrokes: WINDOWS.map((windows) => ({ windows, ...figuresOf(trials, windows) })),
    }
    console.log(JSON.stringify(result, null, 2))
    await writeResult('websocket-h2', result)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function withServer<Result>(
  dataDir: string,
  work: (server: ServerProcess) => Promise<Result>,
): Promise<Result> {
  const args = ['--import', './server/require-node.js', 'server/main.ts', '--no-pages']
  const env = { PORT: '0', HTTPS_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', WEBSOCKET_OVER_H2: 'on' }
  const server = await startProcess(args, env)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** KiB of the server's resident memory for each of many windows that do nothing. */
async function memories(folder: string) {
  const measure = (name: string, netFor: (index: number) => Net) =>
    withServer(join(folder, name), async (server) => {
      const document = await makeDocument(server.plainOrigin)
      const opened: OpenDocument[] = []
      const open = async (count: number, first: number): Promise<void> => {
        const more = Array.from({ length: count }, (_, index) =>
          idle(openWindow(server, document, netFor(first + index))),
        )
        await Promise.all(more.map(({ whenSynced }) => whenSynced))
        opened.push(...more)
        await sleep(SETTLE_MS)
      }
      await open(CONNECTIONS / 4, 0) // what the first ones cost besides
      const before = await residentKiB(server)
      await open(CONNECTIONS, CONNECTIONS)
      const each = ((await residentKiB(server)) - before) / CONNECTIONS
      await Promise.all(opened.map((one) => one.close()))
      return Math.round(each * 10) / 10
    })
  const own = netOf('own connections')
  const browsers = new Map<number, Net>()
  const browserOf = (index: number, windows: number): Net => {
    const browser = Math.floor(index / windows)
    const net = browsers.get(browser) ?? netOf('within HTTP/2')
    browsers.set(browser, net)
    return net
  }
  const memory = {
    'own connections': await measure('own', () => own),
    'within HTTP/2, 1 window a browser': await measure('one', (index) => browserOf(index, 1)),
    'within HTTP/2, 5 windows a browser': await measure('five', (index) => browserOf(10_000 + index, 5)),
    'within HTTP/2, 20 windows a browser': await measure('twenty', (index) => browserOf(20_000 + index, 20)),
  }
  for (const net of [own, ...browsers.values()]) net.dispose()
  return memory
}

/** Says nothing of itself: what is measured is the link, not who is told of whom. */
function idle(opened: OpenDocument): OpenDocument {
  opened.awareness.setLocalState(null)
  return opened
}

async function residentKiB({ pid }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
}

const openWindow = ({ origin }: ServerProcess, { id, tokens }: SharedDocument, net: Net): OpenDocument =>
  openOver({ origin, net, token: tokens.editor }, transports, {
    document: id,
    token: tokens.editor,
    transport: 'websocket',
  })

async function playRounds(server: ServerProcess, values: Values<typeof options>): Promise<Trial[]> {
  const trials: Trial[] = []
  for (let round = 0; round < values.rounds; round++) {
    for (const windows of WINDOWS) {
      for (const way of round % 2 === 0 ? ways : ways.toReversed())
        trials.push(await play(server, way, windows, values))
    }
    console.error(`round ${round + 1} of ${values.rounds}, load ${loadNow().toFixed(1)}`)
  }
  return trials
}

/** The first window types; of the others the last one tells when it has it. */
async function play(
  server: ServerProcess,
  way: Way,
  windows: number,
  { keys, interval }: Values<typeof options>,
): Promise<Trial> {
  const net = netOf(way)
  const document = await makeDocument(server.plainOrigin)
  const opened = Array.from({ length: windows }, () => openWindow(server, document, net))
  await Promise.all(opened.map(({ whenSynced }) => whenSynced))
  const [writer] = opened as [OpenDocument]
  const protocol = way === 'within HTTP/2' ? 'h2' : 'http/1.1'
  for (const { transport } of opened)
    if (transport?.protocol !== protocol) throw new Error(`wanted ${protocol}, got ${transport?.protocol}`)
  const typed: number[] = []
  const saved: number[] = []
  const arrived: number[] = []
  opened.at(-1)!.doc.on('update', (_update, _origin, _doc, { local }: { local: boolean }) => {
    if (!local) arrived.push(performance.now() - typed.at(-1)!)
  })
  const text = writer.doc.getText('typed')
  for (let key = 0; key < WARM_UP_KEYS + keys; key++) {
    const at = performance.now()
    typed.push(at)
    text.insert(text.length, 'x')
    void writer.whenSaved().then(() => saved.push(performance.now() - at))
    await sleep(interval)
  }
  await writer.whenSaved()
  await Promise.all(opened.map((one) => one.close()))
  net.dispose()
  return { way, windows, saved: saved.slice(WARM_UP_KEYS), arrived: arrived.slice(WARM_UP_KEYS) }
}

/** Percentiles of each trial, and of those the median over the rounds (L3). */
function figuresOf(trials: readonly Trial[], windows: number) {
  const of = (way: Way) => {
    const ours = trials.filter((trial) => trial.way === way && trial.windows === windows)
    const spread = (samplesOf: (trial: Trial) => readonly number[], which: 'p50' | 'p99') =>
      rounded(overRounds(ours.map((trial) => summarise(samplesOf(trial))[which])))
    return {
      saved: { p50: spread(({ saved }) => saved, 'p50'), p99: spread(({ saved }) => saved, 'p99') },
      ...(windows > 1 && {
        arrived: {
          p50: spread(({ arrived }) => arrived, 'p50'),
          p99: spread(({ arrived }) => arrived, 'p99'),
        },
      }),
    }
  }
  return { 'own connections': of('own connections'), 'within HTTP/2': of('within HTTP/2') }
}

const tenth = (ms: number): number => Math.round(ms * 10) / 10

const rounded = ({ median, least, most }: Spread): Spread => ({
  median: tenth(median),
  least: tenth(least),
  most: tenth(most),
})
