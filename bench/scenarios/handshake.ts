/** What it takes to open a connection of each kind, beside a bare TCP connect. */
import { calculateOpening } from '../echo/calculated-opening.ts'
import { FIRST_ECHO_BYTES, measureOpenings, weighOpening } from '../echo/opening.ts'
import { planOf } from '../echo/plan.ts'
import { echoServer, portOf, type WayName } from '../echo/ways.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { type Data, type Params, reportOf } from './handshake-report.ts'

const QUIET_MS = 5_000
const SKIPPED = 10
const WEIGHED = 3

const options = {
  count: number('connections of a trial, one after another', 100, 5, 10_000),
  rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
}

export const handshake = scenario<typeof options, Params, Data>({
  name: 'handshake',
  sentence: 'Opening a connection of each kind, plain and by TLS, beside a TCP connect.',
  options,
  quick: { count: '20', rounds: '1' },
  plan: planOf,
  estimate: (_trial, { count }) => 2 + (SKIPPED + count) * 0.012,
  async run({ lane, params: { scheme } }, ctx, { count }) {
    const way = lane as WayName
    const server = await ctx.startServer(echoServer(way))
    const port = portOf(server, scheme)
    await untilQuiet(QUIET_MS)
    const openings = await ctx.measure(() => measureOpenings(way, scheme, port, { count, skipped: SKIPPED }))
    const proxy = await ctx.startProxy()
    await proxy.target(port)
    const weights = []
    for (let index = 0; index < WEIGHED; index++) weights.push(await weighOpening(way, scheme, proxy))
    const calculated =
      scheme === 'plain'
        ? calculateOpening(way, FIRST_ECHO_BYTES, { authority: `localhost:${proxy.port}` })
        : null
    return { ...openings, weights, calculated }
  },
  report: (outcomes) => reportOf(outcomes),
})
