/** Everybody writes to everybody: how long an edit takes to the others, and what a delivery costs the server. */
import { measureRun } from '../crowd/measure.ts'
import { gather, subjectOf, subjects } from '../crowd/subjects.ts'
import { number, someOf } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { type Measured, type Part, parts, report } from './broadcast-report.ts'

const INTERVAL_MS = 500
/** Time to let the last burst's work end. */
const BURST_INTERVAL_MS = 3_000
const BURSTS = 3
const BYTES_SECONDS = 5

const websockets = subjects.filter(({ lane }) => lane === 'websocket')
const names = [...new Set(subjects.map(({ name }) => name))]

export const broadcast = scenario({
  name: 'broadcast',
  sentence:
    'Clients in one document, each writing to all: latency, and server time a delivery, beside the peers.',
  options: {
    parts: someOf('what is measured', parts, parts),
    subjects: someOf('who', names, names),
    rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
    seconds: number('seconds of a trial, after the warm-up', 15, 1, 3_600),
    warmup: number('seconds before', 5, 1, 600),
    clients: number('clients of the published comparison', 60, 2, 1_000),
    many: number('clients of the aim', 200, 2, 2_000),
    burst: number('clients that write at once', 1_000, 2, 10_000),
  },
  quick: { parts: 'sixty,many', rounds: '1', seconds: '3', warmup: '1' },
  plan: ({ parts: wanted, subjects: whom, rounds, clients, many, burst }) => {
    const size: Record<Part, number> = { sixty: clients, many, 'at once': burst, bytes: clients }
    const trials = wanted.flatMap((part) =>
      interleaved(
        part === 'bytes' ? 1 : rounds,
        part === 'sixty' || part === 'bytes' ? subjects : websockets,
      ).map(({ round, item: { name, lane } }) => ({
        subject: name,
        lane,
        params: { part, clients: size[part] },
        round,
      })),
    )
    return trials.filter(({ subject }) => whom.includes(subject))
  },
  estimate: ({ params: { part, clients } }, { seconds, warmup }) => {
    const opening = 3 + clients / 150
    if (part === 'bytes') return opening + BYTES_SECONDS + warmup
    return part === 'at once'
      ? opening + ((BURSTS + 1) * BURST_INTERVAL_MS) / 1000
      : opening + seconds + warmup
  },
  async run({ subject, lane, params: { part, clients } }, ctx, { seconds, warmup }): Promise<Measured> {
    const proxy = part === 'bytes' ? await ctx.startProxy() : null
    const through = async (port: number): Promise<number> => {
      await proxy?.target(port)
      return proxy?.port ?? port
    }
    const { server, crowd } = await gather(ctx, subjectOf({ subject, lane }), {
      clients,
      perDocument: clients,
      through,
    })
    const load =
      part === 'at once'
        ? { rhythm: 'together' as const, intervalMs: BURST_INTERVAL_MS }
        : { rhythm: 'spread' as const, intervalMs: INTERVAL_MS }
    const edits = (time: number): number => (time * 1000) / INTERVAL_MS
    await crowd.run({ ...load, edits: part === 'at once' ? 1 : edits(warmup) })
    const measured = part === 'at once' ? BURSTS : edits(part === 'bytes' ? BYTES_SECONDS : seconds)
    const before = await proxy?.bytes()
    const figures = await measureRun(ctx, { server, crowd }, { ...load, edits: measured })
    const after = await proxy?.bytes()
    if (!before || !after) return figures
    return { ...figures, bytes: { up: after.up - before.up, down: after.down - before.down } }
  },
  report,
})
