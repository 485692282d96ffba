/** The cost of another window: the time until it is usable, an edit's way into it, and the work of the window that somebody types in. */
import { type PanelId, panelIds } from '../../lib/windows/panels.ts'
import { metric, type Metric, type Rounds } from '../report/metrics.ts'
import type { SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { number, someOf } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { summarise } from '../support/stats.ts'
import {
  openCold,
  startBrowserSetup,
  typeBeside,
  type TypingSamples,
  type WindowKind,
  type WindowOpening,
} from '../windows/own-windows.ts'

/** The panel with an editor is left out by default, because it weighs as much as the document's own page. */
const withoutEditor = panelIds.filter((id) => id !== 'editor')

type WindowsParams =
  | { readonly measured: 'opening'; readonly what: WindowKind }
  | { readonly measured: 'typing'; readonly others: number }

const paramsOf = (panels: readonly PanelId[]): readonly WindowsParams[] => [
  ...(['main', ...panels] as const).map((what) => ({ measured: 'opening' as const, what })),
  ...[0, 1, 8].map((others) => ({ measured: 'typing' as const, others })),
]

export const windowsScenario = scenario({
  name: 'windows',
  sentence:
    'Panel windows: time and script until usable, an edit’s way into them, and what eight cost the typist.',
  options: {
    keys: number('keys of a trial', 150, 10, 10_000),
    interval: number('ms between keys', 60, 10, 5_000),
    panels: someOf('panels to open', panelIds, withoutEditor),
  },
  quick: { keys: '20', panels: 'outline' },
  pages: true,
  plan: ({ panels }) => paramsOf(panels).map((params) => ({ lane: 'automatic', params })),
  estimate: ({ params }, { keys, interval }) =>
    params.measured === 'opening' ? 4 : 6 + 1.5 * params.others + (keys * interval) / 1000,
  async run({ params, round }, ctx, values): Promise<WindowOpening | TypingSamples> {
    const setup = await ctx.shared('world', startBrowserSetup)
    return params.measured === 'opening'
      ? openCold(setup, params.what)
      : typeBeside(setup, { ...values, others: params.others, round, measure: ctx.measure })
  },
  report,
})

/** One frame at 60 Hz. */
const FRAME_MS = 1000 / 60

type OpeningTimes = Rounds<WindowsParams, WindowOpening>
type Typings = Rounds<WindowsParams, TypingSamples>

const usableTime = metric<WindowOpening, WindowsParams>('usable after', 'ms', ({ usableMs }) => usableMs, {
  digits: 0,
})
const scriptBytes = metric<WindowOpening, WindowsParams>('script', '', ({ bytes }) => bytes)
const cpuAKey = metric<TypingSamples, WindowsParams>('processor a key', 'ms', ({ cpuMs }) => cpuMs, {
  digits: 2,
})

/** Takes the keys of all rounds together; null if no other window was open. */
const paintTime = (which: 'p50' | 'p95' | 'max'): Metric<WindowsParams, TypingSamples> => ({
  name: `key → painted there, ${which}`,
  unit: 'ms',
  better: 'less',
  of({ data }) {
    const seen = data.flatMap((typing) => typing.seen)
    return seen.length === 0 ? null : summarise(seen)[which]
  },
})

function report(all: Rounds<WindowsParams, WindowOpening | TypingSamples>): SectionDeclaration {
  const openings = all.where<WindowOpening>({ measured: 'opening' }).rows<string>('what')
  const typings = all.where<TypingSamples>({ measured: 'typing' })
  const others = typings
    .distinct(({ params }) => (params.measured === 'typing' ? params.others : 0))
    .toSorted((a, b) => a - b)
  const most = typings.where({ others: others.at(-1) ?? 0 })
  const [p50, p95] = [most.median(paintTime('p50')), most.median(paintTime('p95'))]
  return {
    method:
      'Each window opens in Chromium with a fresh browser profile. Tables have the median, least and most of the rounds.',
    tables: [openingTable(openings), typingTable(typings.rows('others', others))],
    charts: [barChart('Cold to usable', openings, [usableTime])],
    headlines: [
      {
        what: `Key → painted in another own window, ${others.at(-1)} of them open, p50 / p95`,
        ours: Number.isNaN(p50) ? undefined : `${p50.toFixed(0)} / ${p95.toFixed(0)} ms`,
        beside: ['a frame is 17 ms'],
        of: { measured: 'typing', others: others.at(-1) ?? 0 },
      },
    ],
  }
}

function openingTable(openings: readonly OpeningTimes[]) {
  const main = openings.find(({ name }) => name === 'main')
  const shareOfMain = (figure: Metric<WindowsParams, WindowOpening>, row: OpeningTimes): number =>
    row.median(figure) / (main?.median(figure) ?? Number.NaN)
  return table(
    'Cold to usable',
    openings,
    [
      usableTime,
      { name: 'of main’s time', unit: '×', digits: 2, of: (row) => shareOfMain(usableTime, row) },
      { name: 'script', unit: 'KiB', digits: 0, better: 'less', of: (row) => row.median(scriptBytes) / 1024 },
      { name: 'of main’s script', unit: '%', digits: 0, of: (row) => 100 * shareOfMain(scriptBytes, row) },
    ],
    { head: 'window' },
  )
}

function typingTable(rows: readonly Typings[]) {
  const alone = rows.find(({ name }) => name === '0')?.median(cpuAKey) ?? Number.NaN
  return table(
    'Typing while other own windows are open',
    rows,
    [
      cpuAKey,
      {
        name: 'more than alone',
        unit: '%',
        digits: 0,
        of: (row) => (row.name === '0' ? null : (100 * row.median(cpuAKey)) / alone - 100),
      },
      ...(['p50', 'p95', 'max'] as const).map(paintTime),
      {
        name: 'p50 in frames',
        digits: 1,
        of(row) {
          const p50 = row.median(paintTime('p50'))
          return Number.isNaN(p50) ? null : p50 / FRAME_MS
        },
      },
    ],
    { head: 'others' },
  )
}
