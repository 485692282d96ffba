/** Connections that wait: what each keeps of the server's memory, and what they cost it while nothing happens. */
import { setTimeout as sleep } from 'node:timers/promises'
import { gather, join, settings, type Subject, subjectOf, subjects } from '../crowd/subjects.ts'
import { idle as published, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import { type Aim, type Headline, measuredAims, type Section, type Table } from '../report/section.ts'
import { number, someOf } from '../support/options.ts'
import { interleaved, type Outcome, scenario } from '../support/scenario.ts'
import { overRounds, type Spread } from '../support/stats.ts'

/** There before it is counted, so that no figure holds what the very first connection brings into memory. */
const FIRST = 50
const PER_DOCUMENT = 50

/** Over plain HTTP/1.1 a client by streams keeps two connections, and nobody's browser does that many. */
const lanes = ['websocket', 'sse-h2', 'stream-h2', 'long-poll']
const measured = subjects.filter(({ lane }) => lanes.includes(lane))
const names = [...new Set(measured.map(({ name }) => name))]

interface About {
  readonly [name: string]: number
  readonly connections: number
}

interface Measured {
  readonly residentKiB: { readonly before: number; readonly after: number }
  readonly anonymousKiB: { readonly before: number; readonly after: number }
  /** Of the first round alone. */
  readonly cpuMs?: number
  readonly seconds?: number
}

type One = Outcome<About, Measured>

const whose = (names: readonly string[], lanes: readonly string[]) =>
  measured.filter(({ name, lane }) => names.includes(name) && lanes.includes(lane))

export const idle = scenario({
  name: 'idle',
  sentence:
    'Connections that wait: server memory of each, and its CPU while nothing happens, beside the peers.',
  options: {
    subjects: someOf('who', names, names),
    lanes: someOf('by which lanes', lanes, lanes),
    few: number('connections, first count', 1_000, 10, 20_000),
    some: number('connections, second count', 4_500, 10, 20_000),
    many: number('connections, third count', 10_000, 10, 20_000),
    settle: number('seconds before memory is read', 10, 1, 600),
    seconds: number('seconds for which CPU is counted', 60, 1, 3_600),
    rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
  },
  quick: {
    lanes: 'websocket,sse-h2',
    few: '500',
    some: '500',
    many: '500',
    rounds: '1',
    settle: '1',
    seconds: '1',
  },
  plan: ({ subjects: whom, lanes: which, few, some, many, rounds }) =>
    [...new Set([few, some, many])].flatMap((connections) =>
      interleaved(rounds, whose(whom, which))
        .filter(({ round, item: { lane } }) => round === 1 || lane === 'websocket' || connections === some)
        .map(({ round, item: { name, lane } }) => ({ subject: name, lane, params: { connections }, round })),
    ),
  estimate: ({ lane, round, params: { connections } }, { settle, seconds }) =>
    4 + connections / (lane.endsWith('h2') ? 300 : 700) + 2 * settle + (round === 1 ? seconds : 0),
  async run({ subject, lane, round, params: { connections } }, ctx, { settle, seconds }): Promise<Measured> {
    const whom: Subject = subjectOf({ subject, lane })
    const { server } = await gather(ctx, whom, { clients: FIRST, perDocument: PER_DOCUMENT })
    await sleep(settle * 1000)
    const before = await server.usage()
    await join(ctx, server, whom, { clients: connections, perDocument: PER_DOCUMENT })
    await sleep(settle * 1000)
    const after = await server.usage()
    const memory = {
      residentKiB: { before: before.residentKiB, after: after.residentKiB },
      anonymousKiB: { before: before.anonymousKiB, after: after.anonymousKiB },
    }
    // Who says how often that he is alive is the same in each round, and a minute of each would make an hour.
    if (round > 1) return memory
    await ctx.measure(() => sleep(seconds * 1000))
    return { ...memory, cpuMs: (await server.usage()).cpuMs - after.cpuMs, seconds }
  },
  report,
})

const each =
  (connections: number) =>
  (data: Measured): number =>
    (data.residentKiB.after - data.residentKiB.before) / connections

function report(outcomes: readonly One[]): Section {
  const counts = [...new Set(outcomes.map(({ trial }) => trial.params.connections))]
  const aims = measuredAims(counts.map((connections) => aimOf(outcomes, connections)))
  return {
    method: `Headless clients that have a document open, ${PER_DOCUMENT} in each, and say only what their kind says to be known alive. Memory above that of a server with ${FIRST} of them.`,
    tables: [...counts.map((connections) => tableOf(outcomes, connections)), publishedTable],
    charts: [],
    aims,
    headlines: headlinesOf(outcomes, counts, aims),
    notes: [
      'Resident memory is a coarse measure: the kernel and the garbage collector give it back when they like.',
      'CPU is counted in the first round alone; with the second count every lane has all rounds, with the others WebSocket has them and the other lanes have one.',
      'By polling nobody is connected while nothing happens: it is left out.',
      ...[...new Set(outcomes.map(({ trial }) => trial.subject))].flatMap((name) => settings[name] ?? []),
    ],
  }
}

const aimName = (connections: number): string =>
  `Memory a connection at ${connections.toLocaleString('en-GB')}, WebSocket, beside Hocuspocus`

function aimOf(outcomes: readonly One[], connections: number): Omit<Aim, 'reached'> {
  const each = (name: string) => memoryOf(outcomes, connections, `${name}, websocket`).median
  const bare = each('relay')
  return {
    name: aimName(connections),
    measured: each('diptych') / each('hocuspocus'),
    limit: 0.5,
    unit: '×',
    reason: Number.isNaN(bare)
      ? ''
      : `A relay that keeps a socket and nothing else takes ${plain(bare)} KiB a connection in the same run, ${plain(bare / each('hocuspocus'), 2)} × of Hocuspocus. With few connections what the garbage collector has not given back yet is a large part.`,
  }
}

/** The issue’s own count, or what there is instead. */
const HEADLINE = 4_500

function headlinesOf(outcomes: readonly One[], counts: readonly number[], aims: readonly Aim[]): Headline[] {
  const connections = counts.includes(HEADLINE) ? HEADLINE : Math.max(...counts)
  const kib = (name: string) => memoryOf(outcomes, connections, `${name}, websocket`).median
  const [ours, theirs] = [kib('diptych'), kib('hocuspocus')]
  if (Number.isNaN(ours / theirs)) return []
  return [
    {
      what: `Server memory of a WebSocket that waits, ${connections.toLocaleString('en-GB')} of them`,
      ours: `${plain(ours)} KiB`,
      beside: `Hocuspocus ${plain(theirs)} KiB`,
      aims: aims.filter(({ name }) => name === aimName(connections)),
    },
  ]
}

const roundsOf = (outcomes: readonly One[], connections: number, whom: string): Measured[] =>
  outcomes
    .filter(
      ({ trial }) => trial.params.connections === connections && `${trial.subject}, ${trial.lane}` === whom,
    )
    .map(({ data }) => data)

const memoryOf = (outcomes: readonly One[], connections: number, whom: string): Spread =>
  overRounds(roundsOf(outcomes, connections, whom).map(each(connections)))

function tableOf(outcomes: readonly One[], connections: number): Table {
  const names = [...new Set(outcomes.map(({ trial }) => `${trial.subject}, ${trial.lane}`))]
  return {
    title: `${connections.toLocaleString('en-GB')} connections`,
    columns: [
      { name: '' },
      { name: 'memory a connection', unit: 'KiB' },
      { name: 'resident in all', unit: 'MiB', digits: 0 },
      { name: 'CPU a minute', unit: 'ms', digits: 0 },
    ],
    rows: names
      .map((name) => ({ name, rounds: roundsOf(outcomes, connections, name) }))
      .filter(({ rounds }) => rounds.length > 0)
      .map(({ name, rounds }) => [
        name,
        memoryOf(outcomes, connections, name),
        overRounds(rounds.map(({ residentKiB }) => residentKiB.after / 1024)),
        overRounds(
          rounds.flatMap(({ cpuMs, seconds }) => (cpuMs === undefined ? [] : (cpuMs * 60) / seconds!)),
        ),
      ]),
  }
}

const publishedTable: Table = {
  title: 'Published: server memory with idle WebSockets',
  columns: [
    { name: '' },
    { name: '1,000', unit: 'MiB', digits: 0, published: true },
    { name: '4,500', unit: 'MiB', digits: 0, published: true },
  ],
  rows: Object.entries(published).map(([name, [few, some]]) => [
    name,
    few / 1024,
    some === null ? 'crashed' : some / 1024,
  ]),
  note: `${sources.idle.short}. ${sources.idle.setup}`,
}
