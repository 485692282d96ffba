/** Reports what `loss` counted and how long it took, beside what was published of the same load. Pure. */
import { nodeLanes, programOf, settingsOf, titleOf } from '../crowd/measured-servers.ts'
import type { StoredLetters } from '../crowd/stored-letters.ts'
import type { CrowdTally } from '../crowd/crowd-tally.ts'
import { publishedLoss, sources } from '../published-figures.ts'
import { faultNote } from '../report/fault-note.ts'
import { formatFixed } from '../report/format-figures.ts'
import { count, metric, type Metric, publishedFigure, type Rounds } from '../report/metrics.ts'
import { type AimDeclaration, neverAim, type SectionDeclaration } from '../report/section-declaration.ts'
import { lineChart, table } from '../report/tables-and-charts.ts'
import type { LineChart, Table } from '../report/section.ts'
import { type Samples, summaryOf } from '../support/histogram.ts'
import type { ProxyBytes } from '../support/counting-proxy.ts'
import type { Summary } from '../support/stats.ts'
import { tTest } from '../support/student-t.ts'
import type { Params, Trial } from '../support/trial.ts'

/** `bytes` is `times` through a proxy, which counts bytes and would falsify times. */
export type LossPart = 'times' | 'bytes'

export type LossParams = {
  readonly users: number
  readonly nodes: number
  readonly part: LossPart
}

/** `audit` and `lost` are those of the last round, which count since the first. The store is read after the server was stopped. */
export interface LossData extends Pick<CrowdTally, 'audit' | 'lost'>, StoredLetters {
  /** Times from when all were to send until each receiver has each letter. */
  readonly rounds: readonly { readonly delivery: readonly Samples[] }[]
  /** The round in which Redis was killed. It was started again in the next. */
  readonly killedIn?: number
  /** The bytes on the wire of all rounds; only the part `bytes` has them. */
  readonly bytes?: ProxyBytes
}

type Loss = Rounds<LossParams, LossData>
type LossTrial = Trial<LossParams>
type LossMetric = Metric<LossParams, LossData>

const oneNode = { subject: 'diptych', nodes: 1 } as const
const twoNodes = { subject: 'diptych', lane: nodeLanes.two } as const
const redisKilled = { subject: 'diptych', lane: nodeLanes.killed } as const

const publishedOf = (users: number) => publishedLoss.find((one) => one.users === users)
const usersText = (users: number): string => formatFixed(users, 0)
const serverName = (trial: LossTrial): string =>
  trial.params.nodes > 1 ? titleOf(trial) : programOf(trial.subject)
const rowName = (trial: LossTrial): string => `${usersText(trial.params.users)}, ${serverName(trial)}`

export function reportLoss(stored: Loss): SectionDeclaration {
  // Older versions stored means instead of samples.
  const all = stored.filter(({ data }) => data.rounds.every((round) => 'delivery' in round))
  const older = stored.outcomes.length - all.outcomes.length
  const timed = all.filter(({ data }) => !data.bytes)
  const aims = {
    one: lossAim('Lost by Diptych, at every N', 'lost', all.where(oneNode), lostIn),
    two: lossAim('Lost or doubled by two nodes, at every N', 'wrong', all.where(twoNodes), wrongIn),
    killed: lossAim('The same with Redis killed meanwhile', 'wrong', all.where(redisKilled), wrongIn),
  }
  return {
    method:
      'Each of N clients sends one letter, all at the same moment, in documents of 50 people each. The next round begins once all letters have arrived. They are counted by id at every receiver and, after the server was stopped, in its store.',
    tables: [
      table('Lost, and the time it took', timed.groupBy(rowName), lostColumns),
      table(
        'Redis killed, and started again in the next round',
        timed.where(redisKilled).groupBy(rowName),
        killedColumns,
        {
          note: 'Times of a round, from when all were to send until the last receiver has the last letter. Redis is killed, as in a power cut, after the time in which half of the letters of the previous round arrived, and is started again as all send in the next round. Meanwhile PostgreSQL carries the messages between the nodes. The last round is 12 s later than the others.',
        },
      ),
      table(
        'Bytes on the wire',
        all.filter(({ data }) => data.bytes !== undefined).groupBy(rowName),
        byteColumns,
        {
          note: 'In trials of their own, a TCP proxy counts all bytes that TCP carries, with acknowledgements but without the headers of TCP and IP. They have up to 5,000 users, because the proxy holds two sockets for each. A round lasts from when all were to send until the last receiver has the last letter, and kbit/s are those of that time. Each letter goes to 49 others. The published rates may be those of another time: compare their growth, not their size.',
        },
      ),
      tTestTable('Do Diptych’s and Hocuspocus’s mean times differ by more than chance?', timed, oneNode, {
        subject: 'hocuspocus',
      }),
      tTestTable('Do those of one node and of two with Redis between?', timed, oneNode, twoNodes),
      publishedTable,
    ],
    charts: [meansChart(timed)],
    aims: Object.values(aims),
    headlines: headlinesOf(all, aims),
    notes: [
      'If 10,000 users sent to all, a round would be 100 million deliveries. So each document has 50 users.',
      'With 5,000 users and more there are fewer rounds than the published 30, to save time.',
      'The rounds of each server are spread over trials that alternate with those of the others. Within a trial they follow each other.',
      older === 0 ? undefined : `${older} trials of an older version, which stored no samples, are left out.`,
      faultNote('Connections ended', endedPlaces(all), all.outcomes.length),
      ...settingsOf(all),
    ],
  }
}

// Counts

const messagesIn = (data: LossData, { params }: LossTrial): number => params.users * data.rounds.length
const lostInStore = (data: LossData, trial: LossTrial): number =>
  data.stored === null ? 0 : messagesIn(data, trial) - data.stored
const lostIn = (data: LossData, trial: LossTrial): number => data.audit.missing + lostInStore(data, trial)
const doubledIn = ({ audit, storedTwice = 0 }: LossData): number => audit.doubled + storedTwice
const wrongIn = (data: LossData, trial: LossTrial): number => lostIn(data, trial) + doubledIn(data)

const endedText = ({ lost: { count: ended, why } }: LossData): string =>
  `${ended} ${ended === 1 ? 'connection' : 'connections'} ended (${why})`

const endedPlaces = (all: Loss): string[] =>
  all.outcomes
    .filter(({ data }) => data.lost.count > 0)
    .map(
      ({ trial, data: { lost } }) =>
        `${serverName(trial)}, ${usersText(trial.params.users)} users, trial ${trial.round} (${lost.count}, ${lost.why})`,
    )

const lossAim = (name: string, unit: string, rounds: Loss, faultsIn: typeof lostIn): AimDeclaration =>
  neverAim(
    name,
    unit,
    rounds.isEmpty ? Number.NaN : rounds.sum(faultsIn),
    rounds.filter(({ data, trial }) => faultsIn(data, trial) > 0).outcomes.map(lossPlace),
  )

function lossPlace({ trial, data }: Loss['outcomes'][number]): string {
  const { part, users } = trial.params
  const doubled = doubledIn(data) > 0 ? `, ${doubledIn(data)} doubled` : ''
  const ended = data.lost.count > 0 ? `, ${endedText(data)}` : ''
  return `${part} with ${usersText(users)}, trial ${trial.round}: ${data.audit.missing} at receivers, ${lostInStore(data, trial)} in the store${doubled}${ended}`
}

// Columns

/** The times of each round, from when all were to send. */
const timesOfRounds =
  (which: keyof Summary) =>
  ({ rounds }: LossData): number[] =>
    rounds.map(({ delivery }) => summaryOf(delivery)[which])
const roundTime = (which: keyof Summary) => metric<LossData>(which, 'ms', timesOfRounds(which))

const lossPercent = { unit: '%', digits: 3, better: 'less' } as const
const lostColumns: readonly LossMetric[] = [
  count('messages', messagesIn),
  {
    ...lossPercent,
    name: 'lost at receivers',
    of(rounds) {
      const missing = rounds.sum(({ audit }) => audit.missing)
      return (100 * missing) / (missing + rounds.sum(({ audit }) => audit.delivered))
    },
  },
  {
    ...lossPercent,
    name: 'lost in the store',
    of: (rounds) =>
      rounds.data.some(({ stored }) => stored === null)
        ? 'keeps nothing'
        : (100 * rounds.sum(lostInStore)) / rounds.sum(messagesIn),
  },
  count('doubled', doubledIn),
  ...(['mean', 'p50', 'p99'] as const).map(roundTime),
  count('out of order', ({ audit }) => audit.disordered),
]

/** The times until the last receiver had the last letter, of rounds at this distance from the one in which Redis was killed. */
const roundsAt = (name: string, isAt: (distance: number) => boolean): LossMetric =>
  metric(name, 'ms', (data) =>
    timesOfRounds('max')(data).filter((_, index) => isAt(index + 1 - (data.killedIn ?? 0))),
  )
const beforeKill = roundsAt('before', (distance) => distance < 0)
const whenKilled = roundsAt('killed', (distance) => distance === 0)
const killedColumns = [
  beforeKill,
  whenKilled,
  roundsAt('started', (distance) => distance === 1),
  roundsAt('after', (distance) => distance > 1),
]

const kilobits = ({ bytes }: LossData): number => (bytes!.down * 8) / 1000
/** The time of all rounds. */
const milliseconds = (data: LossData): number => timesOfRounds('max')(data).reduce((sum, ms) => sum + ms, 0)

const byteColumns: readonly LossMetric[] = [
  { name: 'up, a message', unit: 'B', of: (one) => one.sum(({ bytes }) => bytes!.up) / one.sum(messagesIn) },
  metric('down, a delivery', 'B', ({ bytes, audit }) => bytes!.down / audit.delivered),
  metric('out, a round', 'kbit', (data) => kilobits(data) / data.rounds.length, { digits: 0 }),
  metric('a round', 'ms', (data) => milliseconds(data) / data.rounds.length, { digits: 0 }),
  metric('out', 'kbit/s', (data) => kilobits(data) / (milliseconds(data) / 1000), {
    digits: 0,
    better: 'neither',
  }),
  ...['out, published', 'out, broker, published'].map((name, at) =>
    publishedFigure<Loss>(name, 'kbit/s', ({ params }) => publishedOf(params!.users)?.outKbps[at], {
      digits: 2,
    }),
  ),
]

// Headlines

function headlinesOf(all: Loss, aims: Readonly<Record<'one' | 'two' | 'killed', AimDeclaration>>) {
  const users = all.max((_data, { params }) => params.users)
  const published = publishedOf(users)
  const lostText = (wanted: Params): string | undefined => {
    const rounds = all.where(wanted)
    const [lost, messages] = [lostIn, messagesIn].map((of) => formatFixed(rounds.sum(of), 0))
    return rounds.isEmpty ? undefined : `${lost} lost of ${messages}`
  }
  const wrongText = (wanted: Params): string | undefined => {
    const lost = lostText(wanted)
    return lost && `${lost}, ${formatFixed(all.where(wanted).sum(doubledIn), 0)} doubled`
  }
  const hocuspocus = lostText({ subject: 'hocuspocus' })
  const most = all.where({ ...redisKilled, users })
  const withBroker =
    published && `${published.lossPercent[1]} % at ${usersText(users)} with a broker (${sources.loss.short})`
  return [
    {
      what: `One message from each of up to ${usersText(users)} at once, counted at every receiver and in the store`,
      ours: lostText(oneNode),
      beside: hocuspocus && `Hocuspocus ${hocuspocus}`,
      published:
        published &&
        `${published.lossPercent[0]} % at ${usersText(users)}, ${published.lossPercent[1]} % with a broker (${sources.loss.short})`,
      aims: [aims.one],
      of: { nodes: 1 },
    },
    {
      what: 'One message from each of many at once, by two nodes with Redis between',
      ours: wrongText(twoNodes),
      published: withBroker,
      aims: [aims.two],
      of: { lane: twoNodes.lane },
    },
    {
      what: 'One message from each of many at once, Redis killed meanwhile and started again',
      ours: wrongText(redisKilled),
      beside: [
        most.medianText(whenKilled, 'the last letter after'),
        most.medianText(beforeKill, 'in the rounds before after'),
      ],
      published: withBroker,
      aims: [aims.killed],
      of: { lane: redisKilled.lane },
    },
  ]
}

// Comparisons of mean times

const SIGNIFICANT = 0.05

/** Undefined if one of the two was not measured. */
function tTestTable(title: string, timed: Loss, one: Params, other: Params): Table | undefined {
  const pairs = timed
    .distinct(({ params }) => params.users)
    .flatMap((users) => {
      const meansOf = (wanted: Params) => timed.where({ users, ...wanted }).figures(timesOfRounds('mean'))
      const [ours, theirs] = [meansOf(one), meansOf(other)]
      const isPair = ours.length > 0 && theirs.length > 0
      return isPair ? [{ name: usersText(users), ...tTest(ours, theirs) }] : []
    })
  return table(
    title,
    pairs,
    [
      { name: 't', digits: 2, of: (pair) => pair.t },
      { name: 'df', of: (pair) => pair.degreesOfFreedom },
      { name: 'p', digits: 4, of: ({ p }) => p },
      { name: '', of: ({ p }) => (p < SIGNIFICANT ? 'yes' : 'no') },
    ],
    {
      head: 'users',
      note: `Welch’s t-test of the rounds’ means at ${SIGNIFICANT}. The published one compares one server with two behind a broker.`,
    },
  )
}

function meansChart(timed: Loss): LineChart {
  const measured = lineChart(
    'Mean time to a receiver',
    { x: { name: 'users', unit: '', scale: 'log' }, y: { name: 'mean', unit: 'ms', scale: 'log' } },
    timed.groupBy(serverName),
    (server) =>
      server
        .distinct(({ params }) => params.users)
        .map((users) => [users, server.where({ users }).median(roundTime('mean'))] as const),
  )
  const published = ['without', 'with'].map((how, at) => ({
    name: `published, ${how} a broker (${sources.loss.short})`,
    points: publishedLoss.map(({ users, meanMs }) => [users, meanMs[at]!] as const),
    published: true,
  }))
  return { ...measured, series: [...measured.series, ...published] }
}

type PublishedRow = (typeof publishedLoss)[number] & { readonly name: string }

const publishedColumns = (
  name: string,
  unit: string,
  of: (row: PublishedRow) => readonly [alone: number, broker: number],
) =>
  [name, `${name}, broker`].map((column, at) =>
    publishedFigure(column, unit, (row: PublishedRow) => of(row)[at], { digits: 2 }),
  )

const publishedTable = table(
  'Published, without and with a broker',
  publishedLoss.map((row) => ({ name: usersText(row.users), ...row })),
  [
    ...publishedColumns('lost', '%', ({ lossPercent: lost }) => lost),
    ...publishedColumns('mean', 'ms', ({ meanMs }) => meanMs),
    ...publishedColumns('out', 'kbit/s', ({ outKbps }) => outKbps),
  ],
  { head: 'users', note: `${sources.loss.short}. ${sources.loss.setup}` },
)
