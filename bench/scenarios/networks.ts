/** What a bad network costs: the way to a working link, a switch in the middle of writing, and coming back after a cut. */
import type { TransportId } from '../../lib/transports/transport.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import {
  measureLinkOpening,
  type NetworkName,
  networkNames,
  networks,
  type LinkOpening,
} from '../networks/link-opening.ts'
import { measureResumption, type LinkResumption } from '../networks/link-resumption.ts'
import { measureSwitchTimes, type SwitchTimes } from '../networks/switch-times.ts'
import { startProxiedServer } from '../networks/proxied-server.ts'
import { plain } from '../report/figures.ts'
import {
  bars,
  metric,
  percentiles,
  type Rounds,
  type SampleRow,
  type SectionDeclaration,
  table,
} from '../report/metrics.ts'
import { becauseLost } from '../report/reasons.ts'
import type { Table } from '../report/section.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import type { PlannedTrial } from '../support/trial.ts'

const switched: readonly TransportId[] = ['websocket', 'sse', 'stream', 'long-poll']
const resumed: readonly TransportId[] = ['websocket', 'sse', 'stream', 'long-poll', 'poll']

type NetworksParams =
  | { readonly measured: 'opening'; readonly network: NetworkName }
  | { readonly measured: 'switching' }
  | { readonly measured: 'resuming'; readonly transport: TransportId; readonly scheme: 'http' | 'https' }

/** The lane is the network, what is switched, or the transport that is cut off. */
const trials: readonly PlannedTrial<NetworksParams>[] = [
  ...networkNames.map((network) => ({ lane: network, params: { measured: 'opening', network } as const })),
  { lane: 'all in turn', params: { measured: 'switching' } as const },
  ...resumed.flatMap((transport) =>
    (['http', 'https'] as const).map((scheme) => ({
      lane: transport,
      params: { measured: 'resuming', transport, scheme } as const,
    })),
  ),
]

export const badNetworks = scenario({
  name: 'networks',
  sentence: 'Behind bad proxies: time to a working link; a switch while typing; bytes to resume after a cut.',
  options: {
    delay: number('ms each byte travels one way while transports are switched', 25, 0, 1_000),
    switches: number('switches of a round', 20, 1, 1_000),
    document: number('bytes of the document that a window has when it is cut off', 100_000, 1, 1_000_000),
  },
  quick: { switches: '4' },
  plan: () => trials,
  estimate: ({ params: { measured } }, { switches }) =>
    ({ opening: 2.5, switching: 5 + switches * 0.6, resuming: 1.5 })[measured],
  async run(
    { params, round },
    ctx,
    { delay, switches, document },
  ): Promise<LinkOpening | SwitchTimes | LinkResumption> {
    const server = await ctx.shared('server', startProxiedServer)
    switch (params.measured) {
      case 'opening':
        return measureLinkOpening(server, params.network)
      case 'switching': {
        const transports = round % 2 === 1 ? switched : switched.toReversed()
        return measureSwitchTimes(server, { delayMs: delay, transports, switches })
      }
      case 'resuming':
        return measureResumption(server, { ...params, documentBytes: document })
    }
  },
  report,
})

type Openings = Rounds<NetworksParams, LinkOpening>
type Switchings = Rounds<NetworksParams, SwitchTimes>
type Resumings = Rounds<NetworksParams, LinkResumption>

const link = metric<LinkOpening>('link', 'ms', (data) => data.link)
const bytes = metric<LinkResumption>('bytes both ways until all is quiet', 'B', ({ up, down }) => up + down, {
  digits: 0,
})

function report(all: Rounds<NetworksParams, LinkOpening | SwitchTimes | LinkResumption>): SectionDeclaration {
  const openings = all.where<LinkOpening>({ measured: 'opening' })
  const switchings = all.where<SwitchTimes>({ measured: 'switching' })
  const resumings = all.where<LinkResumption>({ measured: 'resuming' })
  const rows = networkNames.map((network) => openings.where({ network }, networks[network].words))
  const worst = openings.where({ network: 'held-both' }).median(link)
  return {
    method:
      'Clients in Node behind proxies in the same process. Of several rounds the median, with the least and the most; of an aim the worst round counts.',
    tables: [
      table(
        'Time to a proven link',
        rows,
        [
          link,
          metric('text', 'ms', ({ text }) => text),
          {
            name: 'ended on',
            of: ({ data }) => [...new Set(data.map(({ endedOn }) => endedOn))].join(' / '),
          },
        ],
        { head: 'A network that' },
      ),
      switchingTable(switchings),
      resumingTable(resumings),
    ],
    charts: [bars('Time to a proven link', rows, [link])],
    aims: [...openingAims(openings), ...switchingAims(switchings), ...resumingAims(resumings)],
    headlines: [
      {
        what: 'A working link, by itself, behind a proxy that refuses WebSocket and holds streams back both ways',
        ours: Number.isNaN(worst) ? undefined : `${(worst / 1000).toFixed(1)} s`,
        of: { measured: 'opening', network: 'held-both' },
      },
    ],
  }
}

const letterRows: readonly (SampleRow<SwitchTimes> & { readonly gap?: true })[] = [
  { name: 'on one transport', samplesOf: ({ calm }) => calm },
  { name: 'with a switch every 0.4 s', samplesOf: ({ switching }) => switching },
  {
    name: 'longest gap between two letters beyond their pace',
    samplesOf: ({ longestGap }) => [longestGap],
    gap: true,
  },
]

const switchingTable = (rounds: Switchings): Table | undefined =>
  table(
    `A letter’s way to another window, ${rounds.data[0]?.delayMs} ms away each way`,
    letterRows,
    percentiles(rounds, ['p50', 'p99', 'max']).map((figure) => ({
      ...figure,
      of: (row) => (row.gap && figure.name !== 'max' ? null : figure.of(row)),
    })),
  )

const resumingTable = (rounds: Resumings): Table | undefined =>
  table(
    'After a cut',
    rounds.by(({ lane, params }) => {
      const isSecure = 'scheme' in params && params.scheme === 'https'
      return `${transportLabels[lane as TransportId]}, ${isSecure ? 'TLS' : 'without TLS'}`
    }),
    [bytes, metric('until the link is back', 'ms', ({ took }) => took)],
    { head: 'transport' },
  )

const LIMITS_MS: Partial<Record<NetworkName, number>> = {
  'no-upgrade': 3_000,
  'upgrade-stripped': 3_000,
  'held-answers': 5_000,
  'held-both': 5_000,
}

const openingAims = (openings: Openings) =>
  (Object.keys(LIMITS_MS) as NetworkName[]).map((network) => {
    const own = openings.where({ network })
    return {
      name: `a working link: ${networks[network].words}`,
      measured: own.most((data) => data.link),
      limit: LIMITS_MS[network]!,
      unit: 'ms',
      reason: attemptsOf(own),
    }
  })

/** Of the slowest round. */
function attemptsOf({ data }: Openings): string {
  const [slowest] = data.toSorted((a, b) => b.link - a.link)
  if (!slowest) return ''
  const tried = slowest.evidence.length > 0 ? `, after ${slowest.evidence.join('; ')}` : ''
  return `The slowest ended on ${slowest.endedOn}${tried}. What a network refuses is left at once; what it holds back, only when it has been silent for long enough.`
}

function switchingAims(rounds: Switchings) {
  const calm = rounds.most((data) => data.calm)
  const never = (name: string, of: (data: SwitchTimes) => number) => ({
    name,
    measured: rounds.most(of),
    limit: 0,
    unit: 'letters',
    reason: becauseLost([]),
  })
  return [
    {
      name: 'longest gap while switching',
      measured: rounds.most(({ longestGap }) => longestGap),
      limit: 2 * (rounds.data[0]?.delayMs ?? 0) + 50,
      unit: 'ms',
      sum: 'one round trip + 50',
      reason: `Without a switch the longest way of a letter by the same line was ${plain(calm)} ms; ${rounds.most(({ switches }) => switches)} switches a round, of which the slowest counts.`,
    },
    never('lost while switching', ({ lost }) => lost),
    never('doubled while switching', ({ doubled }) => doubled),
  ]
}

/** TLS has a handshake of its own, which is not ours to save: the plain port counts. */
const resumingAims = (rounds: Resumings) =>
  resumed.map((transport) => {
    const own = rounds.where({ scheme: 'http', transport })
    return {
      name: `bytes to take up again after a cut, ${transportLabels[transport]} without TLS, document of ${(own.data[0]?.documentBytes ?? 0) / 1000} kB`,
      measured: own.most(({ up, down }) => up + down),
      limit: 2_000,
      unit: 'B',
      reason:
        'A link that is made of requests pays for the headers of each, up and down: the question where the server is, the first answer, and what follows until all is quiet.',
    }
  })
