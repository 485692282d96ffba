/** Everybody says one thing at once, again and again: what of it is lost, counted by id at every receiver and in the store. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HEAD_START_MS } from '../crowd/crowd.ts'
import {
  missingFor,
  nodeLanes,
  programOf,
  serverOf,
  settingsOf,
  startWithCrowd,
  titleOf,
} from '../crowd/measured-servers.ts'
import { type StoredLetters, countStoredLetters } from '../crowd/stored-letters.ts'
import type { CrowdTally } from '../crowd/crowd-tally.ts'
import { loss as figures, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import {
  type AimDeclaration,
  count,
  metric,
  type Metric,
  publishedFigure,
  type Rounds,
  type SectionDeclaration,
  table,
} from '../report/metrics.ts'
import { becauseLost } from '../report/reasons.ts'
import type { Table } from '../report/section.ts'
import { type Samples, summaryOf } from '../support/histogram.ts'
import { number, someOf } from '../support/options.ts'
import { countBytes, type ProxyBytes } from '../support/counting-proxy.ts'
import { scenario } from '../support/scenario.ts'
import type { NodeGroup } from '../support/nodes.ts'
import { tTest } from '../support/student-t.ts'
import type { Params, Trial } from '../support/trial.ts'

const PER_DOCUMENT = 50
const counts = ['50', '100', '500', '1000', '5000', '10000'] as const
const measured = ['diptych', 'hocuspocus', 'socket.io'] as const
/** The services that Diptych is measured as. */
const diptychs = {
  one: { lane: 'websocket', nodes: 1 },
  two: { lane: nodeLanes.two, nodes: 2 },
  killed: { lane: nodeLanes.killed, nodes: 2 },
} as const
const diptychNames = Object.keys(diptychs) as (keyof typeof diptychs)[]
const FROM_HERE_FEWER = 5_000
/** The proxy holds two sockets for each: beyond it meets the limit of open files that many systems set. */
const MOST_THROUGH_PROXY = 5_000
/** A node gives up after 10 s what waits for its database: whoever it lets go then is missed in one more round. */
const AFTERMATH_MS = 12_000
/** Bytes hardly differ from round to round. */
const BYTES_ROUNDS = 2

/** `bytes` counts what `times` says, through a proxy that would falsify its times. */
type Part = 'times' | 'bytes'

type LossParams = {
  readonly users: number
  readonly nodes: number
  readonly part: Part
}

/** `audit` and `lost` are those of the last round, which count since the first. What is stored is counted once the server was stopped. */
interface LossData extends Pick<CrowdTally, 'audit' | 'lost'>, StoredLetters {
  /** From the moment at which all were to speak to each receiver. */
  readonly rounds: readonly { readonly delivery: readonly Samples[] }[]
  /** The round in which Redis was killed; it was started again in the next. */
  readonly killedIn?: number
  /** On the wire, of all rounds; of `bytes` alone. */
  readonly bytes?: ProxyBytes
}

export const loss = scenario({
  name: 'loss',
  sentence: 'One message from each of many at once: what is lost at the receivers and in the store.',
  options: {
    users: someOf('how many at once', counts, counts),
    subjects: someOf('who', measured, measured),
    nodes: someOf(
      'Diptych as one node, as two with Redis between, and the same with Redis killed meanwhile',
      diptychNames,
      diptychNames,
    ),
    rounds: number('messages of each, one after the other', 30, 2, 1_000),
    fewer: number('the same with 5,000 and more', 10, 2, 1_000),
    turns: number('trials that they are spread over; the order alternates: A B, B A', 3, 1, 100),
  },
  quick: { users: '100', subjects: 'diptych,hocuspocus', nodes: 'one', rounds: '2', turns: '1' },
  plan: ({ users, subjects, nodes, ...values }) =>
    users.flatMap((text) =>
      partsOf(+text).map((part) =>
        subjects.flatMap((subject) =>
          (subject === 'diptych' ? nodes : (['one'] as const))
            .map((name) => diptychs[name])
            .filter((as) => part === 'times' || as.nodes === 1)
            .map((as) => ({
              subject,
              lane: as.lane,
              params: { users: +text, nodes: as.nodes, part },
              rounds: turnsOf({ users: +text, part }, values),
            })),
        ),
      ),
    ),
  estimate: ({ lane, params, round }, values) =>
    (params.nodes > 1 ? 10 : 4) +
    (lane === nodeLanes.killed ? AFTERMATH_MS / 1000 + 1 : 0) +
    params.users / 300 +
    messagesIn(params, round, values) * (0.6 + params.users / 2_000),
  missing: missingFor,
  async run({ subject, lane, params, round }, ctx, values): Promise<LossData> {
    const proxy = params.part === 'bytes' ? await ctx.startProxy() : undefined
    const { server, crowd, documents } = await startWithCrowd(ctx, serverOf({ subject, lane }), {
      clients: params.users,
      perDocument: PER_DOCUMENT,
      proxy,
    })
    const group = 'nodes' in server ? server : undefined
    const messages = messagesIn(params, round, values)
    const killedIn = lane === nodeLanes.killed ? Math.ceil(messages / 2) : undefined
    const { result: tallies, ...bytes } = await countBytes(proxy, () =>
      ctx.measure(async () => {
        const all: CrowdTally[] = []
        while (all.length < messages) {
          const speaking = crowd.run({ rhythm: 'together', intervalMs: 0, edits: 1 })
          const breaking = killedIn && breakRedis(group!, all.length + 1 - killedIn, all.at(-1))
          const [tally] = await Promise.all([speaking, breaking])
          all.push(tally)
        }
        if (killedIn) {
          await sleep(AFTERMATH_MS, undefined, { signal: ctx.signal })
          all.push(await crowd.run({ rhythm: 'together', intervalMs: 0, edits: 1 }))
        }
        return all
      }),
    )
    await crowd[Symbol.asyncDispose]()
    await server.stop()
    const ids = documents.map(({ id }) => id)
    const kept = { dataDir: server.dataDir, databaseUrl: group?.databaseUrl }
    const { audit, lost } = tallies.at(-1)!
    return {
      rounds: tallies.map(({ delivery }) => ({ delivery })),
      audit,
      lost,
      ...(await countStoredLetters(subject, kept, ids)),
      ...bytes,
      ...(killedIn !== undefined && { killedIn }),
    }
  },
  report,
})

/** Redis ends in the middle of one round, by the time that the round before took, and starts as all speak in the next. */
async function breakRedis(
  { redis }: NodeGroup,
  rounds: number,
  before: CrowdTally | undefined,
): Promise<void> {
  if (rounds === 0) {
    await sleep(HEAD_START_MS + (before ? summaryOf(before.delivery).p50 : 0))
    await redis!.kill()
  } else if (rounds === 1) {
    await sleep(HEAD_START_MS)
    await redis!.start()
  }
}

const partsOf = (users: number): readonly Part[] =>
  users > MOST_THROUGH_PROXY ? ['times'] : ['times', 'bytes']

interface RoundCounts {
  readonly rounds: number
  readonly fewer: number
  readonly turns: number
}

type Size = Pick<LossParams, 'users' | 'part'>

function messagesEach({ users, part }: Size, { rounds, fewer }: RoundCounts): number {
  if (part === 'bytes') return BYTES_ROUNDS
  return users >= FROM_HERE_FEWER ? Math.min(rounds, fewer) : rounds
}

/** At least two messages in each: in the second a Redis that was killed is there again. */
const turnsOf = (size: Size, values: RoundCounts): number =>
  size.part === 'bytes' ? 1 : Math.min(values.turns, Math.floor(messagesEach(size, values) / 2))

/** Of each client, in one of the turns: as even as can be. */
function messagesIn(size: Size, turn: number, values: RoundCounts): number {
  const [all, turns] = [messagesEach(size, values), turnsOf(size, values)]
  return Math.round((all * turn) / turns) - Math.round((all * (turn - 1)) / turns)
}

type Loss = Rounds<LossParams, LossData>

const SIGNIFICANT = 0.05

const messagesOf = (data: LossData, { params }: Trial<LossParams>): number =>
  params.users * data.rounds.length
const missedInStore = (data: LossData, trial: Trial<LossParams>): number =>
  data.stored === null ? 0 : messagesOf(data, trial) - data.stored
const lostOf = (data: LossData, trial: Trial<LossParams>): number =>
  data.audit.missing + missedInStore(data, trial)
const doubledOf = ({ audit, storedTwice = 0 }: LossData): number => audit.doubled + storedTwice
const wrongOf = (data: LossData, trial: Trial<LossParams>): number => lostOf(data, trial) + doubledOf(data)

/** Of a round, from the moment at which all were to speak. */
const roundTime = (which: 'mean' | 'p50' | 'p99' | 'max') =>
  metric<LossData>(which, 'ms', ({ rounds }) => rounds.map(({ delivery }) => summaryOf(delivery)[which]))

const lostColumns: readonly Metric<LossParams, LossData>[] = [
  count('messages', messagesOf),
  {
    name: 'lost at receivers',
    unit: '%',
    digits: 3,
    better: 'less',
    of(rounds) {
      const missing = rounds.sum(({ audit }) => audit.missing)
      return (100 * missing) / (missing + rounds.sum(({ audit }) => audit.delivered))
    },
  },
  {
    name: 'lost in the store',
    unit: '%',
    digits: 3,
    better: 'less',
    of: (rounds) =>
      rounds.data.some(({ stored }) => stored === null)
        ? 'keeps nothing'
        : (100 * rounds.sum(missedInStore)) / rounds.sum(messagesOf),
  },
  count('doubled', doubledOf),
  ...(['mean', 'p50', 'p99'] as const).map(roundTime),
  count('out of order', ({ audit }) => audit.disordered),
]

const kilobits = ({ bytes }: LossData): number => (bytes!.down * 8) / 1000
/** Of all rounds, through the proxy. */
const milliseconds = ({ rounds }: LossData): number =>
  rounds.reduce((sum, { delivery }) => sum + summaryOf(delivery).max, 0)

const publishedRate = (name: string, broker: 0 | 1) =>
  publishedFigure<Loss>(
    name,
    'kbit/s',
    ({ params }) => figures.find(({ users }) => users === params!.users)?.outKbps[broker],
    { digits: 2 },
  )

/** Of one trial each. */
const byteColumns: readonly Metric<LossParams, LossData>[] = [
  { name: 'up, a message', unit: 'B', of: (one) => one.sum(({ bytes }) => bytes!.up) / one.sum(messagesOf) },
  metric('down, a delivery', 'B', ({ bytes, audit }) => bytes!.down / audit.delivered),
  metric('out, a round', 'kbit', (data) => kilobits(data) / data.rounds.length, { digits: 0 }),
  metric('a round', 'ms', (data) => milliseconds(data) / data.rounds.length, { digits: 0 }),
  metric('out', 'kbit/s', (data) => kilobits(data) / (milliseconds(data) / 1000), {
    digits: 0,
    better: 'neither',
  }),
  publishedRate('out, published', 0),
  publishedRate('out, broker, published', 1),
]

const whoOf = (trial: Trial<LossParams>): string =>
  trial.params.nodes > 1 ? titleOf(trial) : programOf(trial.subject)
const rowOf = (trial: Trial<LossParams>): string => `${plain(trial.params.users, 0)}, ${whoOf(trial)}`

/** One process, as it was before there were nodes. */
const oneNode = { subject: 'diptych', nodes: 1 } as const
const twoNodes = { subject: 'diptych', lane: nodeLanes.two } as const
const withoutBroker = { subject: 'diptych', lane: nodeLanes.killed } as const

/** A run of before kept means alone. */
const hasSamples = ({ data }: { readonly data: LossData }): boolean =>
  data.rounds.every((round) => 'delivery' in round)

function report(kept: Loss): SectionDeclaration {
  const all = kept.filter(hasSamples)
  const timed = all.filter(({ data }) => !data.bytes)
  const aims = {
    one: aimOf('Lost by Diptych, at every N', all.where(oneNode), lostOf, 'lost'),
    two: aimOf('Lost or doubled by two nodes, at every N', all.where(twoNodes), wrongOf, 'wrong'),
    killed: aimOf('The same with Redis killed meanwhile', all.where(withoutBroker), wrongOf, 'wrong'),
  }
  return {
    method:
      'Each of N clients says one letter, all at the same moment, in documents of 50 people each; the next round begins once all of it has arrived. Counted by id at every receiver and, after the server was stopped, in its store.',
    tables: [
      table('Lost, and the time it took', timed.by(rowOf), lostColumns),
      table(
        'Redis killed, and started again in the next round',
        timed.where(withoutBroker).by(rowOf),
        killedColumns,
        {
          note: 'From when all were to speak until the last receiver has the last letter, of each of these rounds. Redis ends like a power cut when half of the round before had arrived by then, and starts as all speak in the next round; meanwhile PostgreSQL carries what the nodes tell each other. The last round is 12 s later than the others.',
        },
      ),
      table('Bytes on the wire', all.filter(({ data }) => data.bytes !== undefined).by(rowOf), byteColumns, {
        note: 'Counted at a TCP proxy in trials of their own, with everything that TCP carries, also acknowledgements; not TCP’s and IP’s own headers; up to 5,000, since the proxy holds two sockets for each. A round lasts from the moment at which all were to speak until the last receiver has the last letter, and kbit/s are of that time alone: each letter goes to 49 others. What was published may be of another time: its growth can be compared, its size cannot.',
      }),
      tTestTable('Do Diptych’s and Hocuspocus’s mean times differ by more than chance?', timed, oneNode, {
        subject: 'hocuspocus',
      }),
      tTestTable('Do those of one node and of two with Redis between?', timed, oneNode, twoNodes),
      publishedTable,
    ],
    charts: [
      {
        kind: 'lines',
        title: 'Mean time to a receiver',
        x: { name: 'users', unit: '', scale: 'log' },
        y: { name: 'mean', unit: 'ms', scale: 'log' },
        series: [
          ...timed.by(whoOf).map((program) => ({
            name: program.name,
            points: program
              .each(({ params }) => params.users)
              .map((users) => [users, program.where({ users }).median(roundTime('mean'))] as const),
          })),
          ...brokers.map((how, at) => ({
            name: `published, ${how} a broker (${sources.loss.short})`,
            points: figures.map(({ users, meanMs }) => [users, meanMs[at]!] as const),
            published: true as const,
          })),
        ],
      },
    ],
    aims: Object.values(aims),
    headlines: headlinesOf(all, aims),
    notes: [
      'All to all at 10,000 would be 100 million deliveries a round: hence documents of 50.',
      'With 5,000 and more there are fewer rounds than the published 30, for time’s sake.',
      'The rounds of each are spread over trials that alternate with the others’; within a trial they follow each other.',
      ...olderNote(kept.outcomes.length - all.outcomes.length),
      ...all.outcomes
        .filter(({ data }) => data.lost.count > 0)
        .map(
          ({ trial, data: { lost } }) =>
            `${whoOf(trial)}, ${plain(trial.params.users, 0)}: ${lost.count} connections ended (${lost.why}).`,
        ),
      ...settingsOf(all),
    ],
  }
}

const olderNote = (trials: number): string[] =>
  trials === 0 ? [] : [`Trials of an older version, which kept no samples, are left out: ${trials}.`]

const brokers = ['without', 'with'] as const

const aimOf = (name: string, rounds: Loss, faultsOf: typeof lostOf, unit: string): AimDeclaration => ({
  name,
  measured: rounds.isEmpty ? Number.NaN : rounds.sum(faultsOf),
  limit: 0,
  unit,
  reason: becauseLost(rounds.filter(({ data, trial }) => faultsOf(data, trial) > 0).outcomes.map(whereLost)),
})

/** Until the last receiver had the last letter, of rounds that are so far from the one in which Redis was killed. */
const roundsAt = (name: string, isAt: (distance: number) => boolean): Metric<LossParams, LossData> =>
  metric(name, 'ms', ({ rounds, killedIn = 0 }) =>
    rounds.filter((_, index) => isAt(index + 1 - killedIn)).map(({ delivery }) => summaryOf(delivery).max),
  )
const beforeKill = roundsAt('before', (distance) => distance < 0)
const whenKilled = roundsAt('killed', (distance) => distance === 0)
const killedColumns = [
  beforeKill,
  whenKilled,
  roundsAt('started', (distance) => distance === 1),
  roundsAt('after', (distance) => distance > 1),
]

function headlinesOf(all: Loss, aims: Readonly<Record<keyof typeof diptychs, AimDeclaration>>) {
  const users = all.most((_data, { params }) => params.users)
  const row = figures.find((one) => one.users === users)
  const lost = (wanted: Params): string | undefined => {
    const rounds = all.where(wanted)
    return rounds.isEmpty
      ? undefined
      : `${plain(rounds.sum(lostOf), 0)} lost of ${plain(rounds.sum(messagesOf), 0)}`
  }
  const wrong = (wanted: Params): string | undefined => {
    const words = lost(wanted)
    return words && `${words}, ${plain(all.where(wanted).sum(doubledOf), 0)} doubled`
  }
  const theirs = lost({ subject: 'hocuspocus' })
  const hit = all.where({ ...withoutBroker, users })
  const published =
    row && `${row.lossPercent[1]} % at ${plain(users, 0)} with a broker (${sources.loss.short})`
  return [
    {
      what: `One message from each of up to ${plain(users, 0)} at once, counted at every receiver and in the store`,
      ours: lost(oneNode),
      beside: [theirs && `Hocuspocus ${theirs}`],
      published:
        row &&
        `${row.lossPercent[0]} % at ${plain(users, 0)}, ${row.lossPercent[1]} % with a broker (${sources.loss.short})`,
      aims: [aims.one],
      of: { nodes: 1 },
    },
    {
      what: 'One message from each of many at once, by two nodes with Redis between',
      ours: wrong(twoNodes),
      published,
      aims: [aims.two],
      of: { lane: twoNodes.lane },
    },
    {
      what: 'One message from each of many at once, Redis killed meanwhile and started again',
      ours: wrong(withoutBroker),
      beside: [
        hit.words(whenKilled, 'the last letter after'),
        hit.words(beforeKill, 'in the rounds before after'),
      ],
      published,
      aims: [aims.killed],
      of: { lane: withoutBroker.lane },
    },
  ]
}

function whereLost({ trial, data }: Loss['outcomes'][number]): string {
  const { count: ended, why } = data.lost
  const connections = ended > 0 ? `, ${ended} connections ended (${why})` : ''
  const doubled = doubledOf(data) > 0 ? `, ${doubledOf(data)} doubled` : ''
  return `${trial.params.part} with ${plain(trial.params.users, 0)}, trial ${trial.round}: ${data.audit.missing} at receivers, ${missedInStore(data, trial)} in the store${doubled}${connections}`
}

/** None where one of the two was not measured. */
function tTestTable(title: string, timed: Loss, one: Params, other: Params): Table | undefined {
  const pairs = timed
    .each(({ params }) => params.users)
    .flatMap((users) => {
      const means = (wanted: Params) =>
        timed
          .where({ users, ...wanted })
          .figures(({ rounds }) => rounds.map((round) => summaryOf(round.delivery).mean))
      const [ours, theirs] = [means(one), means(other)]
      const isPair = ours.length > 0 && theirs.length > 0
      return isPair ? [{ name: plain(users, 0), ...tTest(ours, theirs) }] : []
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

type PublishedRow = (typeof figures)[number] & { readonly name: string }

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
  figures.map((row) => ({ name: plain(row.users, 0), ...row })),
  [
    ...publishedColumns('lost', '%', ({ lossPercent }) => lossPercent),
    ...publishedColumns('mean', 'ms', ({ meanMs }) => meanMs),
    ...publishedColumns('out', 'kbit/s', ({ outKbps }) => outKbps),
  ],
  { head: 'users', note: `${sources.loss.short}. ${sources.loss.setup}` },
)
