/** Connections that wait: what each keeps of the server's memory, and what they cost it while nothing happens. */
import { setTimeout as sleep } from 'node:timers/promises'
import { gather, join, type Subject, subjectOf, subjects } from '../crowd/subjects.ts'
import { number, someOf } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { FIRST, type Measured, PER_DOCUMENT, report } from './idle-report.ts'

/**
 * Over plain HTTP/1.1 a client by streams keeps two connections, and nobody's browser does that many. A WebSocket within HTTP/2 costs by
 * how many windows share its connection: that is the scenario `websocket-h2`.
 */
const lanes = ['websocket', 'sse-h2', 'stream-h2', 'long-poll']
const measured = subjects.filter(({ lane }) => lanes.includes(lane))
const names = [...new Set(measured.map(({ name }) => name))]

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
