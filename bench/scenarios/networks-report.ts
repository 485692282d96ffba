/** What bad networks cost: three tables and the aims. Aims are reported, never asserted. */
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { type NetworkName, networkNames, networks, type Opening } from '../networks/opening.ts'
import type { Resuming } from '../networks/resuming.ts'
import type { Switching } from '../networks/switching.ts'
import { plain } from '../report/figures.ts'
import { becauseLost } from '../report/reasons.ts'
import {
  type Aim,
  aimAtMost,
  type BarChart,
  type Headline,
  measuredAims,
  type Section,
  type Table,
} from '../report/section.ts'
import { overRounds, summarise } from '../support/stats.ts'

export type Measured =
  | ({ readonly measured: 'opening' } & Opening)
  | ({ readonly measured: 'switching' } & Switching)
  | ({ readonly measured: 'resuming' } & Resuming)

type Of<Name extends Measured['measured']> = Extract<Measured, { readonly measured: Name }>

const only = <Name extends Measured['measured']>(all: readonly Measured[], name: Name): Of<Name>[] =>
  all.filter((one): one is Of<Name> => one.measured === name)

export function sectionOf(measured: readonly Measured[]): Section {
  const openings = only(measured, 'opening')
  const switchings = only(measured, 'switching')
  const resumings = only(measured, 'resuming')
  const opening = openingTable(openings)
  return {
    method:
      'Clients in Node behind proxies in the same process. Of several rounds the median, with the least and the most; of an aim the worst round counts.',
    tables: [opening, switchingTable(switchings), resumingTable(resumings)],
    charts: [openingChart(opening)],
    aims: [...openingAims(openings), ...switchingAims(switchings), ...resumingAims(resumings)],
    headlines: headlinesOf(openings),
    notes: [],
  }
}

function openingTable(openings: readonly Of<'opening'>[]): Table {
  return {
    title: 'Time to a proven link',
    columns: [
      { name: 'A network that' },
      { name: 'link', unit: 'ms' },
      { name: 'text', unit: 'ms' },
      { name: 'ended on' },
    ],
    rows: networkNames.map((name) => {
      const own = openings.filter(({ network }) => network === name)
      return [
        networks[name].words,
        overRounds(own.map(({ link }) => link)),
        overRounds(own.map(({ text }) => text)),
        [...new Set(own.map(({ endedOn }) => endedOn))].join(' / '),
      ]
    }),
  }
}

const openingChart = ({ title, rows }: Table): BarChart => ({
  kind: 'bars',
  title,
  unit: 'ms',
  groups: rows.map(([network]) => network as string),
  series: [
    { name: 'link', values: rows.map(([, link]) => link as Exclude<typeof link, string | undefined>) },
  ],
})

function switchingTable(switchings: readonly Of<'switching'>[]): Table {
  const row = (name: string, pick: (one: Of<'switching'>) => readonly number[]) => [
    name,
    ...(['p50', 'p99', 'max'] as const).map((figure) =>
      overRounds(switchings.map((one) => summarise(pick(one))[figure])),
    ),
  ]
  const gap = overRounds(switchings.map(({ longestGap }) => longestGap))
  return {
    title: `A letter’s way to another window, ${switchings[0]?.delayMs} ms away each way`,
    columns: [{ name: '' }, ...['p50', 'p99', 'max'].map((name) => ({ name, unit: 'ms' }))],
    rows: [
      row('on one transport', ({ calm }) => calm),
      row('with a switch every 0.4 s', ({ switching }) => switching),
      ['longest gap between two letters beyond their pace', null, null, gap],
    ],
  }
}

function resumingTable(resumings: readonly Of<'resuming'>[]): Table {
  const ways = Map.groupBy(
    resumings,
    ({ transport, scheme }) => `${transportLabels[transport]}, ${scheme === 'https' ? 'TLS' : 'without TLS'}`,
  )
  return {
    title: 'After a cut',
    columns: [
      { name: 'transport' },
      { name: 'bytes both ways until all is quiet', unit: 'B', digits: 0 },
      { name: 'until the link is back', unit: 'ms' },
    ],
    rows: [...ways].map(([way, own]) => [
      way,
      overRounds(own.map(({ up, down }) => up + down)),
      overRounds(own.map(({ took }) => took)),
    ]),
  }
}

function headlinesOf(openings: readonly Of<'opening'>[]): Headline[] {
  const worst = openings.filter(({ network }) => network === 'held-both')
  if (worst.length === 0) return []
  const seconds = overRounds(worst.map(({ link }) => link)).median / 1000
  return [
    {
      what: 'A working link, by itself, behind a proxy that refuses WebSocket and holds streams back both ways',
      ours: `${seconds.toFixed(1)} s`,
      of: { measured: 'opening', network: 'held-both' },
    },
  ]
}

const LIMITS: Partial<Record<NetworkName, number>> = {
  'no-upgrade': 3_000,
  'upgrade-stripped': 3_000,
  'held-answers': 5_000,
  'held-both': 5_000,
}

const openingAims = (openings: readonly Of<'opening'>[]): Aim[] =>
  measuredAims(
    Object.entries(LIMITS).map(([network, limit]) => {
      const own = openings.filter((opening) => opening.network === network)
      return {
        name: `a working link: ${networks[network as NetworkName].words}`,
        measured: own.length > 0 ? Math.max(...own.map(({ link }) => link)) : Number.NaN,
        limit,
        unit: 'ms',
        reason: whatWasTried(own),
      }
    }),
  )

/** Of the slowest round. */
function whatWasTried(openings: readonly Of<'opening'>[]): string {
  const slowest = openings.toSorted((a, b) => b.link - a.link)[0]
  if (!slowest) return ''
  const tried = slowest.evidence.length > 0 ? `, after ${slowest.evidence.join('; ')}` : ''
  return `The slowest ended on ${slowest.endedOn}${tried}. What a network refuses is left at once; what it holds back, only when it has been silent for long enough.`
}

function switchingAims(switchings: readonly Of<'switching'>[]): Aim[] {
  const [first] = switchings
  if (!first) return []
  const most = (pick: (one: Of<'switching'>) => number): number => Math.max(...switchings.map(pick))
  const calm = Math.max(...switchings.flatMap((one) => one.calm))
  return [
    {
      name: 'longest gap while switching',
      measured: most(({ longestGap }) => longestGap),
      limit: 2 * first.delayMs + 50,
      unit: 'ms',
      sum: 'one round trip + 50',
      reason: `Without a switch the longest way of a letter by the same line was ${plain(calm)} ms; ${most(({ switches }) => switches)} switches a round, of which the slowest counts.`,
    },
    {
      name: 'lost while switching',
      measured: most(({ lost }) => lost),
      limit: 0,
      unit: 'letters',
      reason: becauseLost([]),
    },
    {
      name: 'doubled while switching',
      measured: most(({ doubled }) => doubled),
      limit: 0,
      unit: 'letters',
      reason: becauseLost([]),
    },
  ].map(aimAtMost)
}

/** TLS has a handshake of its own, which is not ours to save: the plain port counts. */
const resumingAims = (resumings: readonly Of<'resuming'>[]): Aim[] =>
  [
    ...Map.groupBy(
      resumings.filter(({ scheme }) => scheme === 'http'),
      ({ transport }) => transport,
    ),
  ].map(([transport, own]) =>
    aimAtMost({
      name: `bytes to take up again after a cut, ${transportLabels[transport]} without TLS, document of ${own[0]!.documentBytes / 1000} kB`,
      measured: Math.max(...own.map(({ up, down }) => up + down)),
      limit: 2_000,
      unit: 'B',
      reason:
        'A link that is made of requests pays for the headers of each, up and down: the question where the server is, the first answer, and what follows until all is quiet.',
    }),
  )
