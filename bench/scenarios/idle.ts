/** Connections that wait: what each keeps of the server's memory, and what they cost it while nothing happens. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  measuredServers,
  openCrowd,
  programOf,
  serverOf,
  settingsOf,
  startWithCrowd,
  titleOf,
} from '../crowd/measured-servers.ts'
import { type Framework, idle as published, ranked, rangeWords, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import {
  type AimDeclaration,
  bars,
  metric,
  publishedFigure,
  ratio,
  type Rounds,
  type SectionDeclaration,
  table,
} from '../report/metrics.ts'
import { number, someOf } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'

/** There before it is counted, so that no figure holds what the very first connection brings into memory. */
const FIRST = 50
const PER_DOCUMENT = 50

/**
 * Over plain HTTP/1.1 a client by streams keeps two connections, and nobody's browser does that many. A WebSocket within HTTP/2 costs by
 * how many windows share its connection: that is the scenario `websocket-h2`.
 */
const lanes = ['websocket', 'sse-h2', 'stream-h2', 'long-poll']
const measured = measuredServers.filter(({ lane }) => lanes.includes(lane))
const subjects = [...new Set(measured.map(({ subject }) => subject))]

type IdleParams = {
  readonly connections: number
}

interface IdleData {
  readonly residentKiB: { readonly before: number; readonly after: number }
  /** Of the first round alone. */
  readonly cpuMs?: number
  readonly seconds?: number
}

type Idle = Rounds<IdleParams, IdleData>

export const idle = scenario({
  name: 'idle',
  sentence:
    'Connections that wait: server memory of each, and its CPU while nothing happens, beside the peers.',
  options: {
    subjects: someOf('who', subjects, subjects),
    lanes: someOf('by which lanes', lanes, lanes),
    few: number('connections, first count', 1_000, 10, 20_000),
    some: number('connections, second count', 4_500, 10, 20_000),
    many: number('connections, third count', 10_000, 10, 20_000),
    settle: number('seconds before memory is read', 10, 1, 600),
    seconds: number('seconds for which CPU is counted', 60, 1, 3_600),
  },
  quick: {
    lanes: 'websocket,sse-h2',
    few: '500',
    some: '500',
    many: '500',
    settle: '1',
    seconds: '1',
  },
  plan: ({ subjects: wanted, lanes: by, few, some, many, rounds }) =>
    [...new Set([few, some, many])].map((connections) =>
      measured
        .filter(({ subject, lane }) => wanted.includes(subject) && by.includes(lane))
        .map(({ subject, lane }) => ({
          subject,
          lane,
          params: { connections },
          rounds: lane === 'websocket' || connections === some ? rounds : 1,
        })),
    ),
  estimate: ({ lane, round, params: { connections } }, { settle, seconds }) =>
    4 + connections / (lane.endsWith('h2') ? 300 : 700) + 2 * settle + (round === 1 ? seconds : 0),
  async run({ params: { connections }, ...trial }, ctx, { settle, seconds }): Promise<IdleData> {
    const { server } = await startWithCrowd(ctx, serverOf(trial), {
      clients: FIRST,
      perDocument: PER_DOCUMENT,
    })
    await sleep(settle * 1000)
    const before = await server.usage()
    await openCrowd(ctx, server, serverOf(trial), { clients: connections, perDocument: PER_DOCUMENT })
    await sleep(settle * 1000)
    const after = await server.usage()
    const memory = { residentKiB: { before: before.residentKiB, after: after.residentKiB } }
    // Who says how often that he is alive is the same in each round, and a minute of each would make an hour.
    if (trial.round > 1) return memory
    await ctx.measure(() => sleep(seconds * 1000))
    return { ...memory, cpuMs: (await server.usage()).cpuMs - after.cpuMs, seconds }
  },
  report,
})

const memory = metric<IdleData, IdleParams>(
  'memory a connection',
  'KiB',
  ({ residentKiB: { before, after } }, { params }) => (after - before) / params.connections,
)
const memoryInAll = metric<IdleData>(
  'resident in all',
  'MiB',
  ({ residentKiB }) => residentKiB.after / 1024,
  { digits: 0 },
)
const cpuAMinute = metric<IdleData>(
  'CPU a minute',
  'ms',
  ({ cpuMs, seconds }) => (cpuMs === undefined ? undefined : (cpuMs * 60) / seconds!),
  { digits: 0 },
)

/** What was published of the same program by the same way. */
const publishedMemory = publishedFigure<Idle>('the same, published', 'KiB', ({ outcomes: [outcome] }) => {
  const { subject, lane } = outcome!.trial
  const framework = frameworks.find((known) => lane === 'websocket' && known === programOf(subject))
  return framework && slopeOf(framework)
})

/** What the published comparison counts, or the most there is instead. */
const HEADLINE = 4_500

function report(all: Idle): SectionDeclaration {
  const counts = all.each(({ params }) => params.connections)
  const sizes = all.rows('connections', counts, (connections) => `${plain(connections, 0)} connections`)
  const aims = sizes.map(aimOf)
  const shown = counts.includes(HEADLINE) ? counts.indexOf(HEADLINE) : counts.indexOf(Math.max(...counts))
  return {
    method: `Headless clients that have a document open, ${PER_DOCUMENT} in each, and say only what their kind says to be known alive. Memory above that of a server with ${FIRST} of them.`,
    tables: [
      ...sizes.map((size) =>
        table(size.name, size.by(titleOf), [memory, publishedMemory, memoryInAll, cpuAMinute], {
          note: `Published: of the same program, ${slopeWords} (${sources.idle.short}). The others that they measured are below.`,
        }),
      ),
      publishedTable,
    ],
    charts: [
      bars(
        'Server memory of a connection that waits',
        [
          ...all.by(titleOf),
          ...frameworks.map((framework) => ({ name: `${framework} 2014, WebSocket`, framework })),
        ],
        [
          ...sizes.map((size) => ({
            name: size.name,
            of: ({ name }: { readonly name: string }) =>
              memory.of(size.filter(({ trial }) => titleOf(trial) === name)),
          })),
          publishedFigure(`${plain(FEW, 0)} to ${plain(SOME, 0)}`, '', (row: object) =>
            'framework' in row ? slopeOf(row.framework as Framework) : null,
          ),
        ],
        { unit: 'KiB' },
      ),
    ],
    aims,
    headlines: [headlineOf(sizes[shown]!, aims[shown])],
    notes: [
      'Resident memory is a coarse measure: the kernel and the garbage collector give it back when they like.',
      'CPU is counted in the first round alone; with the second count every lane has all rounds, with the others WebSocket has them and the other lanes have one.',
      'By polling nobody is connected while nothing happens: it is left out.',
      'A WebSocket within HTTP/2 is left out: what it costs depends on how many windows of one browser share its connection, and the scenario websocket-h2 measures that.',
      ...settingsOf(all),
    ],
  }
}

const byWebSocket = (size: Idle, subject: string): Idle => size.where({ subject, lane: 'websocket' })

function aimOf(size: Idle) {
  const theirs = byWebSocket(size, 'hocuspocus')
  const relay = byWebSocket(size, 'relay')
  return {
    name: `Memory a connection at ${plain(size.params!.connections, 0)}, WebSocket, beside Hocuspocus`,
    measured: ratio(memory, byWebSocket(size, 'diptych'), theirs),
    limit: 0.5,
    unit: '×',
    reason: relay.isEmpty
      ? ''
      : `A relay that keeps a socket and nothing else takes ${plain(relay.median(memory))} KiB a connection in the same run, ${plain(ratio(memory, relay, theirs), 2)} × of Hocuspocus. With few connections what the garbage collector has not given back yet is a large part.`,
  }
}

function headlineOf(size: Idle, own: AimDeclaration | undefined) {
  const kib = (subject: string, whose?: string) => byWebSocket(size, subject).words(memory, whose)
  const theirs = kib('hocuspocus', 'Hocuspocus')
  const { connections } = size.params!
  return {
    what: `Server memory of a WebSocket that waits, ${plain(connections, 0)} of them`,
    ours: theirs && kib('diptych'),
    beside: [theirs, kib('socket.io', 'Socket.IO')],
    published: rangeWords(ranked(slopeOf), (kib) => `${plain(kib)} KiB`),
    aims: [own],
    of: { connections, lane: 'websocket' },
  }
}

// What was published

const frameworks = Object.keys(published) as Framework[]
const [FEW, SOME] = [1_000, 4_500] as const
const slopeWords = 'what 3,500 more connections took, divided by 3,500'

/** KiB a connection; null where it crashed. */
function slopeOf(name: Framework): number | null {
  const [few, some] = published[name]
  return some === null ? null : (some - few) / (SOME - FEW)
}

const publishedTable = table(
  'Published: server memory with idle WebSockets',
  frameworks.map((name) => ({ name, figures: published[name] })),
  [
    publishedFigure('1,000', 'MiB', ({ figures: [few] }) => few / 1024, { digits: 0 }),
    publishedFigure('4,500', 'MiB', ({ figures: [, some] }) => (some === null ? 'crashed' : some / 1024), {
      digits: 0,
    }),
    publishedFigure('a connection', 'KiB', ({ name }) => slopeOf(name)),
  ],
  { note: `${sources.idle.short}. ${sources.idle.setup} A connection: ${slopeWords}.` },
)
