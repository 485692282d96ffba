/** Bad networks: the time to a working link, a switch of transport while somebody types, and the return after a cut. */
import { networkTransports } from '../../lib/transports/descriptors.ts'
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
import { formatFixed } from '../report/format-figures.ts'
import { amountText, metric, percentiles, type Rounds, type SampleRow } from '../report/metrics.ts'
import { neverAim, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import type { Table } from '../report/section.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import type { PlannedTrial } from '../support/trial.ts'

const switchTransports: readonly TransportId[] = ['websocket', 'sse', 'stream', 'long-poll']

type NetworksParams =
  | { readonly measured: 'opening'; readonly network: NetworkName }
  | { readonly measured: 'switching' }
  | { readonly measured: 'resuming'; readonly transport: TransportId; readonly scheme: 'http' | 'https' }

/** The lane is the network, or what is switched, or the transport that is cut off. */
const trials: readonly PlannedTrial<NetworksParams>[] = [
  ...networkNames.map((network) => ({ lane: network, params: { measured: 'opening', network } as const })),
  { lane: 'all in turn', params: { measured: 'switching' } as const },
  ...networkTransports.flatMap((transport) =>
    (['http', 'https'] as const).map((scheme) => ({
      lane: transport,
      params: { measured: 'resuming', transport, scheme } as const,
    })),
  ),
]

export const networksScenario = scenario({
  name: 'networks',
  sentence: 'Behind bad proxies: time to a working link; a switch while typing; bytes to resume after a cut.',
  options: {
    delay: number('ms that each byte travels one way while transports are switched', 25, 0, 1_000),
    switches: number('switches in a round', 20, 1, 1_000),
    document: number('bytes of the document in a window that is cut off', 100_000, 1, 1_000_000),
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
        const transports = round % 2 === 1 ? switchTransports : switchTransports.toReversed()
        return measureSwitchTimes(server, { delayMs: delay, transports, switches })
      }
      case 'resuming':
        return measureResumption(server, { ...params, documentBytes: document })
    }
  },
  report,
})

type OpeningTimes = Rounds<NetworksParams, LinkOpening>
type Switchings = Rounds<NetworksParams, SwitchTimes>
type Resumings = Rounds<NetworksParams, LinkResumption>

const linkTime = metric<LinkOpening>('link', 'ms', (data) => data.link)
const resumeBytes = metric<LinkResumption>(
  'bytes both ways until all is quiet',
  'B',
  ({ up, down }) => up + down,
  {
    digits: 0,
  },
)

function report(all: Rounds<NetworksParams, LinkOpening | SwitchTimes | LinkResumption>): SectionDeclaration {
  const openings = all.where<LinkOpening>({ measured: 'opening' })
  const switchings = all.where<SwitchTimes>({ measured: 'switching' })
  const resumings = all.where<LinkResumption>({ measured: 'resuming' })
  const rows = networkNames.map((network) => openings.where({ network }, networks[network].words))
  const worst = openings.where({ network: 'held-both' }).median(linkTime)
  return {
    method:
      'Clients in Node behind proxies in the same process. Tables have the median of the rounds, with the least and the most. For aims the worst round counts.',
    tables: [
      table(
        'Time to a proven link',
        rows,
        [
          linkTime,
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
    charts: [barChart('Time to a proven link', rows, [linkTime])],
    aims: [...openingAims(openings), ...switchingAims(switchings), ...resumingAims(resumings)],
    headlines: [
      {
        what: 'A working link, by itself, behind a proxy that refuses WebSocket and holds streams back both ways',
        ours: amountText(worst / 1000, 's'),
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
    rounds.groupBy(({ lane, params }) => {
      const isSecure = 'scheme' in params && params.scheme === 'https'
      return `${transportLabels[lane as TransportId]}, ${isSecure ? 'TLS' : 'without TLS'}`
    }),
    [resumeBytes, metric('until the link is back', 'ms', ({ took }) => took)],
    { head: 'transport' },
  )

const LIMITS_MS: Partial<Record<NetworkName, number>> = {
  'no-upgrade': 3_000,
  'upgrade-stripped': 3_000,
  'held-answers': 5_000,
  'held-both': 5_000,
}

const openingAims = (openings: OpeningTimes) =>
  (Object.keys(LIMITS_MS) as NetworkName[]).map((network) => {
    const own = openings.where({ network })
    return {
      name: `a working link: ${networks[network].words}`,
      measured: own.max((data) => data.link),
      limit: LIMITS_MS[network]!,
      unit: 'ms',
      reason: slowestAttempts(own),
    }
  })

/** Describes the slowest round. */
function slowestAttempts({ data }: OpeningTimes): string {
  const [slowest] = data.toSorted((a, b) => b.link - a.link)
  if (!slowest) return ''
  const tried = slowest.evidence.length > 0 ? `, after ${slowest.evidence.join('; ')}` : ''
  return `The slowest ended on ${slowest.endedOn}${tried}. A refused transport is given up at once; one whose bytes are held back only after a long enough silence.`
}

function switchingAims(rounds: Switchings) {
  const calm = rounds.max((data) => data.calm)
  return [
    {
      name: 'longest gap while switching',
      measured: rounds.max(({ longestGap }) => longestGap),
      limit: 2 * (rounds.data[0]?.delayMs ?? 0) + 50,
      unit: 'ms',
      sum: 'one round trip + 50',
      reason: `Without a switch, the slowest letter on the same network took ${formatFixed(calm)} ms. Each round has ${rounds.max(({ switches }) => switches)} switches, of which the slowest counts.`,
    },
    neverAim(
      'lost while switching',
      'letters',
      rounds.max((data) => data.lost),
    ),
    neverAim(
      'doubled while switching',
      'letters',
      rounds.max((data) => data.doubled),
    ),
  ]
}

/** Only the plain port counts, because no program can save the bytes of TLS's own handshake. */
const resumingAims = (rounds: Resumings) =>
  networkTransports.map((transport) => {
    const own = rounds.where({ scheme: 'http', transport })
    return {
      name: `bytes to take up again after a cut, ${transportLabels[transport]} without TLS, document of ${(own.data[0]?.documentBytes ?? 0) / 1000} kB`,
      measured: own.max(({ up, down }) => up + down),
      limit: 2_000,
      unit: 'B',
      reason:
        'A link that is made of requests sends headers with each, up and down: with the request to resume, with the first answer, and with what follows until all is quiet.',
    }
  })
