/** What the trials of `idle` say. Pure. */
import { programOf, settings, titleOf } from '../crowd/subjects.ts'
import { type Framework, idle as published, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import {
  type Aim,
  type BarChart,
  type Cell,
  type Headline,
  measuredAims,
  type Section,
  type Table,
} from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread } from '../support/stats.ts'

/** There before it is counted, so that no figure holds what the very first connection brings into memory. */
export const FIRST = 50
export const PER_DOCUMENT = 50

interface About {
  readonly [name: string]: number
  readonly connections: number
}

export interface Measured {
  readonly residentKiB: { readonly before: number; readonly after: number }
  readonly anonymousKiB: { readonly before: number; readonly after: number }
  /** Of the first round alone. */
  readonly cpuMs?: number
  readonly seconds?: number
}

type One = Outcome<About, Measured>

const each =
  (connections: number) =>
  (data: Measured): number =>
    (data.residentKiB.after - data.residentKiB.before) / connections

export function report(outcomes: readonly One[]): Section {
  const counts = [...new Set(outcomes.map(({ trial }) => trial.params.connections))]
  const aims = measuredAims(counts.map((connections) => aimOf(outcomes, connections)))
  return {
    method: `Headless clients that have a document open, ${PER_DOCUMENT} in each, and say only what their kind says to be known alive. Memory above that of a server with ${FIRST} of them.`,
    tables: [...counts.map((connections) => tableOf(outcomes, connections)), publishedTable],
    charts: [chartOf(outcomes, counts)],
    aims,
    headlines: headlinesOf(outcomes, counts, aims),
    notes: [
      'Resident memory is a coarse measure: the kernel and the garbage collector give it back when they like.',
      'CPU is counted in the first round alone; with the second count every lane has all rounds, with the others WebSocket has them and the other lanes have one.',
      'By polling nobody is connected while nothing happens: it is left out.',
      'A WebSocket within HTTP/2 is left out: what it costs depends on how many windows of one browser share its connection, and the scenario websocket-h2 measures that.',
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
  const [ours, theirs, bare] = [kib('diptych'), kib('hocuspocus'), kib('socket.io')]
  if (Number.isNaN(ours / theirs)) return []
  return [
    {
      what: `Server memory of a WebSocket that waits, ${connections.toLocaleString('en-GB')} of them`,
      ours: `${plain(ours)} KiB`,
      beside: `Hocuspocus ${plain(theirs)} KiB${Number.isNaN(bare) ? '' : `; Socket.IO ${plain(bare)} KiB`}`,
      published: publishedWords(),
      aims: aims.filter(({ name }) => name === aimName(connections)),
      of: { connections, lane: 'websocket' },
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
  return {
    title: `${connections.toLocaleString('en-GB')} connections`,
    columns: [
      { name: '' },
      { name: 'memory a connection', unit: 'KiB' },
      { name: 'the same, published', unit: 'KiB', published: true },
      { name: 'resident in all', unit: 'MiB', digits: 0 },
      { name: 'CPU a minute', unit: 'ms', digits: 0 },
    ],
    rows: rowsOf(outcomes)
      .map((row) => ({ ...row, rounds: roundsOf(outcomes, connections, row.name) }))
      .filter(({ rounds }) => rounds.length > 0)
      .map(({ name, title, framework, rounds }): Cell[] => [
        title,
        memoryOf(outcomes, connections, name),
        framework ? slopeOf(framework) : null,
        overRounds(rounds.map(({ residentKiB }) => residentKiB.after / 1024)),
        overRounds(
          rounds.flatMap(({ cpuMs, seconds }) => (cpuMs === undefined ? [] : (cpuMs * 60) / seconds!)),
        ),
      ]),
    note: `Published: of the same program, ${slopeWords} (${sources.idle.short}). The others that they measured are below.`,
  }
}

interface Row {
  /** `diptych, websocket` */
  readonly name: string
  readonly title: string
  /** What was published of the same program by the same way. */
  readonly framework: Framework | undefined
}

const frameworks = Object.keys(published) as Framework[]

function rowsOf(outcomes: readonly One[]): Row[] {
  const byName = new Map(outcomes.map(({ trial }) => [`${trial.subject}, ${trial.lane}`, trial]))
  return [...byName].map(([name, { subject, lane }]) => ({
    name,
    title: titleOf({ subject, lane }),
    framework: lane === 'websocket' ? frameworks.find((known) => known === programOf(subject)) : undefined,
  }))
}

// What was published

const [FEW, SOME] = [1_000, 4_500] as const
const slopeWords = 'what 3,500 more connections took, divided by 3,500'

/** KiB a connection; null where it crashed. */
function slopeOf(name: Framework): number | null {
  const [few, some] = published[name]
  return some === null ? null : (some - few) / (SOME - FEW)
}

/** `Socket.IO 11.2 KiB to SignalR 99.5 KiB (Johannessen 2014)` */
function publishedWords(): string {
  const slopes = frameworks
    .flatMap((name) => ({ name, kib: slopeOf(name) ?? Number.NaN }))
    .filter(({ kib }) => !Number.isNaN(kib))
    .toSorted((a, b) => a.kib - b.kib)
  const [least, most] = [slopes[0]!, slopes.at(-1)!].map(({ name, kib }) => `${name} ${plain(kib)} KiB`)
  return `${least} to ${most} (${sources.idle.short})`
}

/** Ours at each count, and below them what each framework took. */
function chartOf(outcomes: readonly One[], counts: readonly number[]): BarChart {
  const rows = rowsOf(outcomes)
  const none = <Item>(items: readonly Item[]) => items.map(() => null)
  return {
    kind: 'bars',
    title: 'Server memory of a connection that waits',
    unit: 'KiB',
    groups: [...rows.map(({ title }) => title), ...frameworks.map((name) => `${name} 2014, WebSocket`)],
    series: [
      ...counts.map((connections) => ({
        name: `${plain(connections, 0)} connections`,
        values: [
          ...rows.map(({ name }) =>
            roundsOf(outcomes, connections, name).length > 0 ? memoryOf(outcomes, connections, name) : null,
          ),
          ...none(frameworks),
        ],
      })),
      {
        name: `${plain(FEW, 0)} to ${plain(SOME, 0)}`,
        values: [...none(rows), ...frameworks.map(slopeOf)],
        published: true,
      },
    ],
  }
}

const publishedTable: Table = {
  title: 'Published: server memory with idle WebSockets',
  columns: [
    { name: '' },
    { name: '1,000', unit: 'MiB', digits: 0, published: true },
    { name: '4,500', unit: 'MiB', digits: 0, published: true },
    { name: 'a connection', unit: 'KiB', published: true },
  ],
  rows: frameworks.map((name) => {
    const [few, some] = published[name]
    return [name, few / 1024, some === null ? 'crashed' : some / 1024, slopeOf(name)]
  }),
  note: `${sources.idle.short}. ${sources.idle.setup} A connection: ${slopeWords}.`,
}
