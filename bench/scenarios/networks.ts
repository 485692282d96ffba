/** What a bad network costs: the way to a working link, a switch in the middle of writing, and coming back after a cut. */
import type { TransportId } from '../../lib/transports/transport.ts'
import { measureOpening, type NetworkName, networkNames } from '../networks/opening.ts'
import { measureResuming } from '../networks/resuming.ts'
import { measureSwitching } from '../networks/switching.ts'
import { World } from '../networks/world.ts'
import { number } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { type Measured, sectionOf } from './networks-report.ts'

const switched: readonly TransportId[] = ['websocket', 'sse', 'stream', 'long-poll']
const resumed: readonly TransportId[] = ['websocket', 'sse', 'stream', 'long-poll', 'poll']

interface Part {
  /** The network, what is switched, or the transport that is cut off. */
  readonly lane: string
  readonly params: About
}

type About =
  | { readonly measured: 'opening'; readonly network: NetworkName }
  | { readonly measured: 'switching' }
  | { readonly measured: 'resuming'; readonly transport: TransportId; readonly scheme: 'http' | 'https' }

const parts: readonly Part[] = [
  ...networkNames.map((network): Part => ({ lane: network, params: { measured: 'opening', network } })),
  { lane: 'all in turn', params: { measured: 'switching' } },
  ...resumed.flatMap((transport) =>
    (['http', 'https'] as const).map((scheme): Part => ({
      lane: transport,
      params: { measured: 'resuming', transport, scheme },
    })),
  ),
]

export const badNetworks = scenario({
  name: 'networks',
  sentence: 'Behind bad proxies: time to a working link; a switch while typing; bytes to resume after a cut.',
  options: {
    rounds: number('rounds; their order alternates', 3, 1, 100),
    delay: number('ms each byte travels one way while transports are switched', 25, 0, 1_000),
    switches: number('switches of a round', 20, 1, 1_000),
    document: number('bytes of the document that a window has when it is cut off', 100_000, 1, 1_000_000),
  },
  quick: { rounds: '1', switches: '4' },
  plan: ({ rounds }) =>
    interleaved(rounds, parts).map(({ round, item }) => ({ subject: 'diptych', ...item, round })),
  estimate: ({ params: { measured } }, { switches }) =>
    ({ opening: 2.5, switching: 5 + switches * 0.6, resuming: 1.5 })[measured],
  async run({ params, round }, ctx, { delay, switches, document }): Promise<Measured> {
    const world = await ctx.shared('world', (scope) => World.start(scope))
    switch (params.measured) {
      case 'opening':
        return { measured: 'opening', ...(await measureOpening(world, params.network)) }
      case 'switching': {
        const ways = round % 2 === 1 ? switched : switched.toReversed()
        return {
          measured: 'switching',
          ...(await measureSwitching(world, { delayMs: delay, ways, switches })),
        }
      }
      case 'resuming': {
        const { transport, scheme } = params
        const resuming = await measureResuming(world, { transport, scheme, documentBytes: document })
        return { measured: 'resuming', ...resuming }
      }
    }
  },
  report: (outcomes) => sectionOf(outcomes.map(({ data }) => data)),
})
