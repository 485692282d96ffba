/** What a window more costs: its way to being usable, an edit's way into it, and the window that is typed in. */
import { type PanelId, panelIds } from '../../lib/windows/panels.ts'
import { number, someOf } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { typeBeside } from '../windows/beside.ts'
import { openCold } from '../windows/opening.ts'
import { startWorld } from '../windows/world.ts'
import { type Measured, sectionOf } from './windows-report.ts'

/** A panel with an editor in it weighs as much as the text's own page. */
const withoutEditor = panelIds.filter((id) => id !== 'editor')

type About =
  | { readonly measured: 'opening'; readonly what: 'main' | PanelId }
  | { readonly measured: 'typing'; readonly others: number }

const aboutOf = (panels: readonly PanelId[]): readonly About[] => [
  ...(['main', ...panels] as const).map((what) => ({ measured: 'opening' as const, what })),
  ...[0, 1, 8].map((others) => ({ measured: 'typing' as const, others })),
]

export const manyWindows = scenario({
  name: 'windows',
  sentence: 'Panel windows: time and script until usable, an edit into them, and what eight cost the typist.',
  options: {
    rounds: number('rounds; their order alternates', 3, 1, 100),
    keys: number('keys typed in each trial', 150, 10, 10_000),
    interval: number('ms between keys', 60, 10, 5_000),
    panels: someOf('panels opened', panelIds, withoutEditor),
  },
  quick: { rounds: '1', keys: '20', panels: 'outline' },
  pages: true,
  plan: ({ rounds, panels }) =>
    interleaved(rounds, aboutOf(panels)).map(({ round, item }) => ({
      subject: 'diptych',
      lane: 'automatic',
      params: item,
      round,
    })),
  estimate: ({ params }, { keys, interval }) =>
    params.measured === 'opening' ? 4 : 6 + 1.5 * params.others + (keys * interval) / 1000,
  async run({ params, round }, ctx, values): Promise<Measured> {
    const world = await ctx.shared('world', startWorld)
    return params.measured === 'opening'
      ? { measured: 'opening', ...(await openCold(world, params.what)) }
      : {
          measured: 'typing',
          ...(await typeBeside(world, params.others, round, { ...values, measure: ctx.measure })),
        }
  },
  report: (outcomes) => sectionOf(outcomes.map(({ data }) => data)),
})
