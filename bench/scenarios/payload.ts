/** An echo of each size by each way: time, and every byte, calculated beside measured. */
import { calculate } from '../echo/calculated.ts'
import { measureEchoes, weighEcho } from '../echo/echoing.ts'
import { planOf } from '../echo/plan.ts'
import { echoServer, portOf, type WayName } from '../echo/ways.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { sizes, type Data, type Params, reportOf } from './payload-report.ts'

const QUIET_MS = 5_000

const options = {
  count: number('echoes of a size up to 16 KiB; of larger ones fewer', 200, 10, 100_000),
  rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
}

/** A quarter of a second of bytes is enough of the large ones. */
const countOf = (bytes: number, count: number): number =>
  Math.max(10, Math.round(bytes <= 16 * 1024 ? count : (count * 16 * 1024) / bytes))

export const payload = scenario<typeof options, Params, Data>({
  name: 'payload',
  sentence: 'Echoes of 16 bytes to 1 MiB by each way, beside bare TCP; bytes measured beside calculated.',
  options,
  quick: { count: '10', rounds: '1' },
  plan: planOf,
  estimate: (_trial, { count }) => 3 + count * 0.02,
  async run({ lane, params: { scheme } }, ctx, { count }) {
    const way = lane as WayName
    const server = await ctx.startServer(echoServer(way))
    const port = portOf(server, scheme)
    const proxy = await ctx.startProxy()
    await proxy.target(port)
    await untilQuiet(QUIET_MS)
    const times = await ctx.measure(async () => {
      const all: number[][] = []
      for (const bytes of sizes) {
        const many = countOf(bytes, count)
        all.push(await measureEchoes(way, scheme, port, { bytes, count: many, skipped: Math.ceil(many / 5) }))
      }
      return all
    })
    const echoes = []
    for (const [index, bytes] of sizes.entries())
      echoes.push({
        bytes,
        times: times[index]!,
        measured: await weighEcho(way, scheme, proxy, bytes),
        calculated: calculate(way, scheme, bytes, { authority: `localhost:${proxy.port}` }),
      })
    return { echoes }
  },
  report: (outcomes) => reportOf(outcomes),
})
