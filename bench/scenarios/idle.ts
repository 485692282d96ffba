/** Idle connections: the server memory of each, and the processor time that they take while nothing happens. */
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
import { type Framework, publishedIdle, rangeText, rankFigures, sources } from '../published-figures.ts'
import { formatFixed } from '../report/format-figures.ts'
import { metric, publishedFigure, ratio, type Rounds } from '../report/metrics.ts'
import {
  type AimDeclaration,
  besidePeers,
  floorReason,
  type SectionDeclaration,
} from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { number, someOf } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'

/** These connect before the memory is first read, so that no figure includes what the first connections load. */
const FIRST_CLIENTS = 50
const PER_DOCUMENT = 50

/**
 * Streams are measured over HTTP/2 alone: over HTTP/1.1 each takes two connections, which browsers do not open in such numbers. The cost of
 * a WebSocket within HTTP/2 depends on how many windows share its connection, which the scenario `websocket-h2` measures.
 */
const lanes = ['websocket', 'sse-h2', 'stream-h2', 'long-poll']
const measured = measuredServers.filter(({ lane }) => lanes.includes(lane))
const subjects = [...new Set(measured.map(({ subject }) => subject))]

type IdleParams = {
  readonly connections: number
}

interface IdleData {
  readonly residentKiB: { readonly before: number; readonly after: number }
  /** Measured in the first round only, over `seconds`. */
  readonly cpuMs?: number
  readonly seconds?: number
}

type Idle = Rounds<IdleParams, IdleData>

export const idleScenario = scenario({
  name: 'idle',
  sentence:
    'Idle connections: server memory of each, and the server’s CPU while nothing happens, beside the peers.',
  options: {
    subjects: someOf('servers to measure', subjects),
    lanes: someOf('lanes to measure', lanes),
    few: number('connections, smallest count', 1_000, 10, 20_000),
    some: number('connections, middle count', 4_500, 10, 20_000),
    many: number('connections, largest count', 10_000, 10, 20_000),
    settle: number('seconds before memory is read', 10, 1, 600),
    seconds: number('seconds for which CPU is counted', 60, 1, 3_600),
  },
  quick: {
    subjects: 'diptych,hocuspocus,y-websocket,relay',
    lanes: 'websocket',
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
      clients: FIRST_CLIENTS,
      perDocument: PER_DOCUMENT,
    })
    await sleep(settle * 1000)
    const before = await server.usage()
    await openCrowd(ctx, server, serverOf(trial), { clients: connections, perDocument: PER_DOCUMENT })
    await sleep(settle * 1000)
    const after = await server.usage()
    const memory = { residentKiB: { before: before.residentKiB, after: after.residentKiB } }
    // Heartbeats are the same in each round, and a minute in every trial would make an hour.
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

/** The figure that was published of the same program on the same transport. */
const publishedMemory = publishedFigure<Idle>('the same, published', 'KiB', ({ outcomes: [outcome] }) => {
  const { subject, lane } = outcome!.trial
  const framework = frameworks.find((known) => lane === 'websocket' && known === programOf(subject))
  return framework && slopeOf(framework)
})

/** The count of the published comparison. */
const PUBLISHED_CONNECTIONS = 4_500

function report(all: Idle): SectionDeclaration {
  const counts = all.distinct(({ params }) => params.connections)
  const sizes = all.rows('connections', counts, (connections) => `${formatFixed(connections, 0)} connections`)
  const aims = sizes.map(aimOf)
  const headlineCount = counts.includes(PUBLISHED_CONNECTIONS) ? PUBLISHED_CONNECTIONS : Math.max(...counts)
  const shown = counts.indexOf(headlineCount)
  return {
    method: `Headless clients have documents open, ${PER_DOCUMENT} in each, and send only the heartbeats of their transport. Memory is counted above that of a server with ${FIRST_CLIENTS} of them.`,
    tables: [
      ...sizes.map((size) =>
        table(size.name, size.groupBy(titleOf), [memory, publishedMemory, memoryInAll, cpuAMinute], {
          note: `Published: of the same program, ${slopeText} (${sources.idle.short}). The other programs of that study are below.`,
        }),
      ),
      publishedTable,
    ],
    charts: [
      barChart(
        'Server memory of a connection that waits',
        [
          ...all.groupBy(titleOf),
          ...frameworks.map((framework) => ({ name: `${framework} 2014, WebSocket`, framework })),
        ],
        [
          ...sizes.map((size) => ({
            name: size.name,
            of: ({ name }: { readonly name: string }) =>
              memory.of(size.filter(({ trial }) => titleOf(trial) === name)),
          })),
          publishedFigure(`${formatFixed(FEW, 0)} to ${formatFixed(SOME, 0)}`, '', (row: object) =>
            'framework' in row ? slopeOf(row.framework as Framework) : null,
          ),
        ],
        { unit: 'KiB' },
      ),
    ],
    aims,
    headlines: [headlineOf(sizes[shown]!, aims[shown])],
    notes: [
      'Resident memory is a coarse measure, because the kernel and the garbage collector release it at their own time.',
      'CPU is counted in the first round only. At the middle count every lane has all rounds; at the others only WebSocket has, and the other lanes have one.',
      'Polling is left out, because it keeps no connection while nothing happens.',
      'WebSocket within HTTP/2 is left out. Its cost depends on how many windows of a browser share its connection, which the scenario websocket-h2 measures.',
      ...settingsOf(all),
    ],
  }
}

const byWebSocket = (size: Idle, subject: string): Idle => size.where({ subject, lane: 'websocket' })

function aimOf(size: Idle) {
  const theirs = byWebSocket(size, 'hocuspocus')
  return {
    name: `Memory a connection at ${formatFixed(size.params!.connections, 0)}, WebSocket, beside Hocuspocus`,
    measured: ratio(memory, byWebSocket(size, 'diptych'), theirs),
    limit: 0.5,
    unit: '×',
    reason: [
      floorReason('A relay that keeps only a socket', memory, byWebSocket(size, 'relay'), theirs),
      'With few connections, a large part is memory that the garbage collector has not released yet.',
    ],
  }
}

function headlineOf(size: Idle, own: AimDeclaration | undefined) {
  const { connections } = size.params!
  return {
    what: `Server memory of a WebSocket that waits, ${formatFixed(connections, 0)} of them`,
    ...besidePeers(memory, byWebSocket(size, 'diptych'), {
      Hocuspocus: byWebSocket(size, 'hocuspocus'),
      'Socket.IO': byWebSocket(size, 'socket.io'),
    }),
    published: rangeText(rankFigures(slopeOf), (kib) => `${formatFixed(kib)} KiB`),
    aims: [own],
    of: { connections, lane: 'websocket' },
  }
}

// Published figures

const frameworks = Object.keys(publishedIdle) as Framework[]
const [FEW, SOME] = [1_000, 4_500] as const
const slopeText = 'the memory of 3,500 more connections, divided by 3,500'

/** KiB a connection; null if the server crashed. */
function slopeOf(name: Framework): number | null {
  const [few, some] = publishedIdle[name]
  return some === null ? null : (some - few) / (SOME - FEW)
}

const publishedTable = table(
  'Published: server memory with idle WebSockets',
  frameworks.map((name) => ({ name, figures: publishedIdle[name] })),
  [
    publishedFigure('1,000', 'MiB', ({ figures: [few] }) => few / 1024, { digits: 0 }),
    publishedFigure('4,500', 'MiB', ({ figures: [, some] }) => (some === null ? 'crashed' : some / 1024), {
      digits: 0,
    }),
    publishedFigure('a connection', 'KiB', ({ name }) => slopeOf(name)),
  ],
  { note: `${sources.idle.short}. ${sources.idle.setup} A connection: ${slopeText}.` },
)
