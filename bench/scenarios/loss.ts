/** Everybody says one thing at once, again and again: what of it is lost, counted by id at every receiver and in the store. */
import { gather, subjectOf } from '../crowd/subjects.ts'
import type { Audit } from '../crowd/ledger.ts'
import { storedLetters } from '../crowd/stored.ts'
import { type Samples, summaryOf } from '../support/histogram.ts'
import { number, someOf } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { type Measured, type Round, report } from './loss-report.ts'

const PER_DOCUMENT = 50
const counts = ['50', '100', '500', '1000', '5000', '10000'] as const
const measured = ['diptych', 'hocuspocus', 'socket.io'] as const
const FROM_HERE_FEWER = 5_000

export const loss = scenario({
  name: 'loss',
  sentence: 'One message from each of many at once: what is lost at the receivers and in the store.',
  options: {
    users: someOf('how many at once', counts, counts),
    subjects: someOf('who', measured, measured),
    rounds: number('messages of each, one after the other', 30, 2, 1_000),
    fewer: number('the same with 5,000 and more', 10, 2, 1_000),
  },
  quick: { users: '50,500', rounds: '2' },
  plan: ({ users, subjects }) =>
    users.flatMap((text) =>
      // Their rounds are within one trial, as published: the order alternates from count to count.
      interleaved(1, +text % 500 === 0 ? subjects : subjects.toReversed()).map(({ item, round }) => ({
        subject: item,
        lane: 'websocket',
        // Two, once nodes are joined: the published comparison is with and without a broker.
        params: { users: +text, nodes: 1 },
        round,
      })),
    ),
  estimate: ({ params: { users } }, { rounds, fewer }) =>
    4 + users / 150 + roundsFor(users, rounds, fewer) * (0.6 + users / 2_000),
  async run({ subject, lane, params: { users } }, ctx, { rounds, fewer }): Promise<Measured> {
    const { server, crowd, documents } = await gather(ctx, subjectOf({ subject, lane }), {
      clients: users,
      perDocument: PER_DOCUMENT,
    })
    const { done, audit, lost } = await ctx.measure(async () => {
      const each: Round[] = []
      let last: { audit: Audit; lost: { count: number; why: string } } | undefined
      for (let round = 0; round < roundsFor(users, rounds, fewer); round++) {
        const tally = await crowd.run({ rhythm: 'together', intervalMs: 0, edits: 1 })
        each.push({ meanMs: meanOf(tally.delivery), p99Ms: summaryOf(tally.delivery).p99 })
        last = tally
      }
      return { done: each, audit: last!.audit, lost: last!.lost }
    })
    await crowd[Symbol.asyncDispose]()
    await server.stop()
    const ids = documents.map(({ id }) => id)
    return { rounds: done, audit, lost, stored: await storedLetters(subject, server.dataDir, ids) }
  },
  report,
})

const meanOf = (samples: readonly Samples[]): number => summaryOf(samples).mean

const roundsFor = (users: number, rounds: number, fewer: number): number =>
  users >= FROM_HERE_FEWER ? Math.min(rounds, fewer) : rounds
