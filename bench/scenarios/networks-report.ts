/** What bad networks cost: three tables, the aims, and everything as JSON. Aims are reported, never asserted. */
import { networkNames, networks, type NetworkName, type Opening } from '../networks/opening.ts'
import type { Resuming } from '../networks/resuming.ts'
import type { Switching } from '../networks/switching.ts'
import type { Surroundings } from '../support/machine.ts'
import { overRounds, summarise } from '../support/stats.ts'

export interface Measured {
  readonly at: Surroundings
  readonly loadBefore: number
  readonly openings: readonly Opening[]
  readonly switchings: readonly Switching[]
  readonly resumings: readonly Resuming[]
}

interface Aim {
  readonly name: string
  readonly measured: number
  readonly limit: number
  readonly unit: 'ms' | 'B' | 'letters'
}

export function reportOf(measured: Measured): { text: string; result: object } {
  const { at, openings, switchings, resumings, loadBefore } = measured
  const aims = [...openingAims(openings), ...switchingAims(switchings), ...resumingAims(resumings)]
  const text = [
    openingTable(openings),
    switchingTable(switchings),
    resumingTable(resumings),
    `Load before: ${loadBefore.toFixed(2)}. Figures are medians over the rounds, with the least and the most.`,
    '',
    'Aims (the worst round counts)',
    ...aims.map(aimLine),
    '',
    `${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB, ${at.system}; Node ${at.node}; Diptych ${at.diptych} ${at.commit}`,
  ].join('\n')
  return { text, result: { ...measured, aims } }
}

const spread = (figures: readonly number[]): string => {
  const { median, least, most } = overRounds(figures)
  return `${round(median)} (${round(least)}–${round(most)})`
}
const round = (value: number): string => value.toFixed(value < 100 ? 1 : 0)

function openingTable(openings: readonly Opening[]): string {
  const rows = networkNames.map((name) => {
    const own = openings.filter(({ network }) => network === name)
    const ended = [...new Set(own.map(({ endedOn }) => endedOn))].join(' / ')
    return `  ${networks[name].words.padEnd(52)}${spread(own.map(({ link }) => link)).padStart(22)}  ${ended}`
  })
  return ['Time to a proven link, ms; what automatic choice ended on', ...rows, ''].join('\n')
}

function switchingTable(switchings: readonly Switching[]): string {
  const p = (pick: (one: Switching) => readonly number[], figure: 'p50' | 'p99' | 'max'): string =>
    spread(switchings.map((one) => summarise(pick(one))[figure])).padStart(22)
  const row = (name: string, pick: (one: Switching) => readonly number[]): string =>
    `  ${name.padEnd(52)}${p(pick, 'p50')}${p(pick, 'p99')}${p(pick, 'max')}`
  return [
    `A letter’s way to another window, ms, ${switchings[0]?.delayMs} ms away each way: p50, p99, max`,
    row('on one transport', ({ calm }) => calm),
    row(`with a switch every 0.4 s`, ({ switching }) => switching),
    `  longest gap between two letters beyond their pace: ${spread(switchings.map(({ longestGap }) => longestGap))} ms`,
    '',
  ].join('\n')
}

function resumingTable(resumings: readonly Resuming[]): string {
  const ways = Map.groupBy(resumings, ({ transport, scheme }) => `${transport}, ${scheme}`)
  const rows = [...ways].map(([way, own]) => {
    const bytes = spread(own.map(({ up, down }) => up + down)).padStart(22)
    return `  ${way.padEnd(52)}${bytes}${spread(own.map(({ took }) => took)).padStart(22)}`
  })
  return ['After a cut: bytes both ways until all is quiet; ms until the link is back', ...rows, ''].join(
    '\n',
  )
}

const LIMITS: Partial<Record<NetworkName, number>> = {
  'no-upgrade': 3_000,
  'upgrade-stripped': 3_000,
  'held-answers': 5_000,
  'held-both': 5_000,
}

const openingAims = (openings: readonly Opening[]): Aim[] =>
  Object.entries(LIMITS).map(([network, limit]) => {
    const own = openings.filter((opening) => opening.network === network).map(({ link }) => link)
    return {
      name: `a working link: ${networks[network as NetworkName].words}`,
      measured: Math.max(...own),
      limit,
      unit: 'ms',
    }
  })

function switchingAims(switchings: readonly Switching[]): Aim[] {
  const delayMs = switchings[0]?.delayMs ?? 0
  const most = (pick: (one: Switching) => number): number => Math.max(...switchings.map(pick))
  return [
    {
      name: 'longest gap while switching, one round trip + 50 ms',
      measured: most(({ longestGap }) => longestGap),
      limit: 2 * delayMs + 50,
      unit: 'ms',
    },
    { name: 'lost while switching', measured: most(({ lost }) => lost), limit: 0, unit: 'letters' },
    { name: 'doubled while switching', measured: most(({ doubled }) => doubled), limit: 0, unit: 'letters' },
  ]
}

/** TLS has a handshake of its own, which is not ours to save: the plain port counts. */
const resumingAims = (resumings: readonly Resuming[]): Aim[] =>
  [...Map.groupBy(resumings, ({ transport }) => transport)].map(([transport, own]) => ({
    name: `resume by ${transport} over http, 100 kB document`,
    measured: Math.max(...own.filter(({ scheme }) => scheme === 'http').map(({ up, down }) => up + down)),
    limit: 2_000,
    unit: 'B',
  }))

function aimLine({ name, measured, limit, unit }: Aim): string {
  const verdict = measured <= limit ? 'reached' : 'NOT reached'
  return `  ${name.padEnd(78)}${round(measured).padStart(8)} of ${limit} ${unit}: ${verdict}`
}
