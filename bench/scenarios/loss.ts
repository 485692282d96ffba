/** Everybody sends one message at once, again and again. What is lost is counted by id at every receiver and in the store. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HEAD_START_MS } from '../crowd/crowd.ts'
import { missingFor, nodeLanes, serverOf, startWithCrowd } from '../crowd/measured-servers.ts'
import { countStoredLetters } from '../crowd/stored-letters.ts'
import type { CrowdTally } from '../crowd/crowd-tally.ts'
import { summaryOf } from '../support/histogram.ts'
import { number, someOf } from '../support/options.ts'
import { countBytes } from '../support/counting-proxy.ts'
import { scenario } from '../support/scenario.ts'
import type { NodeGroup } from '../support/nodes.ts'
import type { PlannedTrial } from '../support/trial.ts'
import { type LossData, type LossParams, type LossPart, reportLoss } from './loss-report.ts'

const PER_DOCUMENT = 50
const counts = ['50', '100', '500', '1000', '5000', '10000'] as const
const subjects = ['diptych', 'hocuspocus', 'socket.io'] as const
/** The ways to run Diptych. */
const diptychNodes = {
  one: { lane: 'websocket', nodes: 1 },
  two: { lane: nodeLanes.two, nodes: 2 },
  killed: { lane: nodeLanes.killed, nodes: 2 },
} as const
const nodeNames = Object.keys(diptychNodes) as (keyof typeof diptychNodes)[]
const FEWER_ROUNDS_FROM = 5_000
/** The proxy holds two sockets for each client, and many systems limit open files. */
const MOST_THROUGH_PROXY = 5_000
/** A node gives up after 10 s what waits for its database. Clients that it then drops miss the letters of one more round. */
const AFTERMATH_MS = 12_000
/** Two rounds are enough, because bytes hardly differ between rounds. */
const BYTES_ROUNDS = 2

export const lossScenario = scenario({
  name: 'loss',
  sentence: 'One message from each of many at once: what is lost at the receivers and in the store.',
  options: {
    users: someOf('how many send at once', counts),
    subjects: someOf('servers to measure', subjects),
    nodes: someOf(
      'Diptych as one node, as two with Redis between, and as two whose Redis is killed meanwhile',
      nodeNames,
    ),
    rounds: number('messages of each user, one after the other', 30, 2, 1_000),
    fewer: number('messages of each user if there are 5,000 or more', 10, 2, 1_000),
    turns: number('trials that the messages are spread over; their order alternates: A B, B A', 3, 1, 100),
  },
  quick: { users: '100', subjects: 'diptych,hocuspocus', nodes: 'one', rounds: '2', turns: '1' },
  plan: ({ users: allUsers, subjects: wanted, nodes, ...values }) =>
    allUsers.map(Number).flatMap((users) =>
      partsFor(users).map((part): PlannedTrial<LossParams>[] => {
        const diptychs = nodes
          .map((name) => diptychNodes[name])
          .filter((way) => part === 'times' || way.nodes === 1)
        return wanted.flatMap((subject) =>
          (subject === 'diptych' ? diptychs : [diptychNodes.one]).map((way) => ({
            subject,
            lane: way.lane,
            params: { users, nodes: way.nodes, part },
            rounds: turnsFor({ users, part }, values),
          })),
        )
      }),
    ),
  estimate: ({ lane, params, round }, values) =>
    (params.nodes > 1 ? 10 : 4) +
    (lane === nodeLanes.killed ? AFTERMATH_MS / 1000 + 1 : 0) +
    params.users / 300 +
    messagesInTurn(params, round, values) * (0.6 + params.users / 2_000),
  missing: missingFor,
  async run({ subject, lane, params, round }, ctx, values): Promise<LossData> {
    const proxy = params.part === 'bytes' ? await ctx.startProxy() : undefined
    const { server, crowd, documents } = await startWithCrowd(ctx, serverOf({ subject, lane }), {
      clients: params.users,
      perDocument: PER_DOCUMENT,
      proxy,
    })
    const group = 'nodes' in server ? server : undefined
    const messages = messagesInTurn(params, round, values)
    const killedIn = lane === nodeLanes.killed ? Math.ceil(messages / 2) : undefined
    const sendAll = () => crowd.run({ rhythm: 'together', intervalMs: 0, edits: 1 })
    const { result: tallies, ...bytes } = await countBytes(proxy, () =>
      ctx.measure(async () => {
        const all: CrowdTally[] = []
        while (all.length < messages) {
          const sending = sendAll()
          const breaking = killedIn && breakRedis(group!, all.length + 1 - killedIn, all.at(-1))
          const [tally] = await Promise.all([sending, breaking])
          all.push(tally)
        }
        if (killedIn) {
          await sleep(AFTERMATH_MS, undefined, { signal: ctx.signal })
          all.push(await sendAll())
        }
        return all
      }),
    )
    await crowd[Symbol.asyncDispose]()
    await server.stop()
    const ids = documents.map(({ id }) => id)
    const stores = { dataDir: server.dataDir, databaseUrl: group?.databaseUrl }
    const { audit, lost } = tallies.at(-1)!
    return {
      rounds: tallies.map(({ delivery }) => ({ delivery })),
      audit,
      lost,
      ...(await countStoredLetters(subject, stores, ids)),
      ...bytes,
      ...(killedIn !== undefined && { killedIn }),
    }
  },
  report: reportLoss,
})

/** Kills Redis in the middle of round 0, by the time that the round before took, and starts it in round 1 while all send. */
async function breakRedis(
  { redis }: NodeGroup,
  round: number,
  before: CrowdTally | undefined,
): Promise<void> {
  if (round === 0) {
    await sleep(HEAD_START_MS + (before ? summaryOf(before.delivery).p50 : 0))
    await redis!.kill()
  } else if (round === 1) {
    await sleep(HEAD_START_MS)
    await redis!.start()
  }
}

const partsFor = (users: number): readonly LossPart[] =>
  users > MOST_THROUGH_PROXY ? ['times'] : ['times', 'bytes']

interface RoundCounts {
  readonly rounds: number
  readonly fewer: number
  readonly turns: number
}

type TrialSize = Pick<LossParams, 'users' | 'part'>

function messagesOfEach({ users, part }: TrialSize, { rounds, fewer }: RoundCounts): number {
  if (part === 'bytes') return BYTES_ROUNDS
  return users >= FEWER_ROUNDS_FROM ? Math.min(rounds, fewer) : rounds
}

/** Each turn has two messages at least, so that a killed Redis is back for the second. */
const turnsFor = (size: TrialSize, values: RoundCounts): number =>
  size.part === 'bytes' ? 1 : Math.min(values.turns, Math.floor(messagesOfEach(size, values) / 2))

/** Spreads the messages of each user over the turns as evenly as possible. */
function messagesInTurn(size: TrialSize, turn: number, values: RoundCounts): number {
  const [all, turns] = [messagesOfEach(size, values), turnsFor(size, values)]
  return Math.round((all * turn) / turns) - Math.round((all * (turn - 1)) / turns)
}
