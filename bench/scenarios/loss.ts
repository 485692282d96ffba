/** Everybody says one thing at once, again and again: what of it is lost, counted by id at every receiver and in the store. */
import { gather, subjectOf } from '../crowd/subjects.ts'
import type { Audit } from '../crowd/ledger.ts'
import { storedLetters } from '../crowd/stored.ts'
import { number, someOf } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { type About, type Measured, type Part, type Round, report } from './loss-report.ts'

const PER_DOCUMENT = 50
const counts = ['50', '100', '500', '1000', '5000', '10000'] as const
const measured = ['diptych', 'hocuspocus', 'socket.io'] as const
const FROM_HERE_FEWER = 5_000
/** The proxy holds two sockets for each: beyond it meets the limit of open files that many systems set. */
const MOST_THROUGH_PROXY = 5_000
/** Bytes hardly differ from round to round. */
const BYTES_ROUNDS = 2

export const loss = scenario({
  name: 'loss',
  sentence: 'One message from each of many at once: what is lost at the receivers and in the store.',
  options: {
    users: someOf('how many at once', counts, counts),
    subjects: someOf('who', measured, measured),
    rounds: number('messages of each, one after the other', 30, 2, 1_000),
    fewer: number('the same with 5,000 and more', 10, 2, 1_000),
    turns: number('trials that they are spread over; the order alternates: A B, B A', 3, 1, 100),
  },
  quick: { users: '500', subjects: 'diptych,hocuspocus', rounds: '2', turns: '1' },
  plan: ({ users, subjects, ...values }) =>
    users.flatMap((text) =>
      partsOf(+text).flatMap((part) =>
        interleaved(turnsOf({ users: +text, part }, values), subjects).map(({ item, round }) => ({
          subject: item,
          lane: 'websocket',
          // Two, once nodes are joined: the published comparison is with and without a broker.
          params: { users: +text, nodes: 1, part },
          round,
        })),
      ),
    ),
  estimate: ({ params, round }, values) =>
    4 + params.users / 300 + messagesIn(params, round, values) * (0.6 + params.users / 2_000),
  async run({ subject, lane, params, round }, ctx, values): Promise<Measured> {
    const proxy = params.part === 'bytes' ? await ctx.startProxy() : null
    const { server, crowd, documents } = await gather(ctx, subjectOf({ subject, lane }), {
      clients: params.users,
      perDocument: PER_DOCUMENT,
      through: async (port) => {
        await proxy?.target(port)
        return proxy?.port ?? port
      },
    })
    const before = await proxy?.bytes()
    const { done, audit, lost } = await ctx.measure(async () => {
      const each: Round[] = []
      let last: { audit: Audit; lost: { count: number; why: string } } | undefined
      for (let left = messagesIn(params, round, values); left > 0; left--) {
        const tally = await crowd.run({ rhythm: 'together', intervalMs: 0, edits: 1 })
        each.push({ delivery: tally.delivery })
        last = tally
      }
      return { done: each, audit: last!.audit, lost: last!.lost }
    })
    const after = await proxy?.bytes()
    await crowd[Symbol.asyncDispose]()
    await server.stop()
    const ids = documents.map(({ id }) => id)
    const stored = await storedLetters(subject, server.dataDir, ids)
    const figures = { rounds: done, audit, lost, stored }
    if (!before || !after) return figures
    return { ...figures, bytes: { up: after.up - before.up, down: after.down - before.down } }
  },
  report,
})

const partsOf = (users: number): readonly Part[] =>
  users > MOST_THROUGH_PROXY ? ['times'] : ['times', 'bytes']

interface Rounds {
  readonly rounds: number
  readonly fewer: number
  readonly turns: number
}

type Size = Pick<About, 'users' | 'part'>

function messagesOf({ users, part }: Size, { rounds, fewer }: Rounds): number {
  if (part === 'bytes') return BYTES_ROUNDS
  return users >= FROM_HERE_FEWER ? Math.min(rounds, fewer) : rounds
}

const turnsOf = (size: Size, values: Rounds): number =>
  size.part === 'bytes' ? 1 : Math.min(values.turns, messagesOf(size, values))

/** Of each client, in one of the turns: as even as can be. */
function messagesIn(size: Size, turn: number, values: Rounds): number {
  const [all, turns] = [messagesOf(size, values), turnsOf(size, values)]
  return Math.round((all * turn) / turns) - Math.round((all * (turn - 1)) / turns)
}
