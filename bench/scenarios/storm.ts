/** Very many clients lose the server at once and come back when it is there again. */
import { measureReconnectStorm } from '../../e2e/chaos/reconnect-storm.ts'
import { number } from '../support/options.ts'
import { usageOf } from '../support/proc.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { type Params, type Data, reportOf } from './storm-report.ts'

const ends = ['killed', 'restarted'] as const

const options = {
  clients: number('windows, in documents of 40, by all transports in turn', 2_000, 40, 20_000),
  rounds: number('rounds; the order within them alternates: A B, B A', 1, 1, 100),
}

export const storm = scenario<typeof options, Params, Data>({
  name: 'storm',
  sentence: 'Thousands of clients reconnect after the server was killed or restarted.',
  options,
  quick: { clients: '80' },
  plan: ({ rounds, clients }) =>
    interleaved(rounds, ends).map(({ round, item }) => ({
      subject: 'diptych',
      lane: item,
      params: { clients },
      round,
    })),
  estimate: ({ params: { clients } }) => 8 + clients * 0.045,
  async run({ lane, params: { clients }, round }, ctx) {
    let serverCpuMs = Number.NaN
    const onReturned = async (pid: number): Promise<void> => {
      serverCpuMs = (await usageOf(pid)).cpuMs
    }
    const end = lane === 'killed' ? 'killed' : 'restarted'
    const { returned, tokens, lost, doubled, wrong } = await ctx.measure(() =>
      measureReconnectStorm({ seed: round, clients, end, onReturned, signal: ctx.signal }),
    )
    return { returned, serverCpuMs, tokens, lost, doubled, wrong }
  },
  report: (outcomes) => reportOf(outcomes),
})
