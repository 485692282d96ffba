/** What the latency overlay costs the window that is typed in, beside the same window without it. */
import { processorMs } from '../support/browser.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { rhythm, textOf, type } from '../support/typing.ts'
import {
  freshContext,
  newDocument,
  openBeside,
  openUsable,
  pathOf,
  QUIET_MS,
  startWorld,
  type World,
} from '../windows/world.ts'
import { type Cost, sectionOf } from './overlay-report.ts'

export const overlay = scenario({
  name: 'overlay',
  sentence: 'The latency overlay: processor time of a window that is typed in, with it and without.',
  options: {
    rounds: number('rounds; their order alternates', 5, 1, 100),
    keys: number('keys typed in each trial', 200, 10, 10_000),
    interval: number('ms between keys', 100, 10, 5_000),
    idle: number('seconds without a key', 20, 1, 600),
  },
  quick: { rounds: '1', keys: '20', idle: '3' },
  pages: true,
  plan: ({ rounds }) =>
    interleaved(rounds, [false, true]).map(({ round, item: shown }) => ({
      subject: 'diptych',
      lane: 'automatic',
      params: { shown },
      round,
    })),
  estimate: (_trial, { keys, interval, idle }) => 8 + idle + (keys * interval) / 1000,
  async run({ params: { shown }, round }, ctx, { keys, interval, idle }): Promise<Cost> {
    const world = await ctx.shared('world', startWorld)
    return ctx.measure(() => measure(world, shown, { keys, interval, idle, round }))
  },
  report: (outcomes) => sectionOf(outcomes.map(({ data }) => data)),
})

interface Load {
  readonly keys: number
  readonly interval: number
  readonly idle: number
  readonly round: number
}

/** Another own window shows the text, so that there is somebody to answer. */
async function measure(world: World, shown: boolean, { keys, interval, idle, round }: Load): Promise<Cost> {
  const context = await freshContext(world)
  try {
    const document = await newDocument(context, world.origin)
    const main = await openUsable(context, world.origin + pathOf(document, 'main'))
    await openBeside(main, world.origin + pathOf(document, 'preview'), 0)
    await main.bringToFront()
    const region = main.getByRole('region', { name: 'Latency' })
    if (shown) {
      await main.getByRole('button', { name: 'Latency' }).first().click()
      await region.waitFor()
    }
    if ((await region.count()) !== Number(shown)) throw new Error('The overlay is not as it was asked for.')
    await main.getByRole('textbox', { name: 'Document' }).focus()
    await untilQuiet(QUIET_MS)
    const typed = await perSecond(main, () => type(main, textOf(keys), rhythm(keys, interval, round)))
    const rested = await perSecond(main, () => main.waitForTimeout(idle * 1000))
    return { shown, typingMs: typed, idleMs: rested }
  } finally {
    await context.close()
  }
}

async function perSecond(
  page: Parameters<typeof processorMs>[0],
  work: () => Promise<unknown>,
): Promise<number> {
  const [cpu, at] = [await processorMs(page), performance.now()]
  await work()
  return (((await processorMs(page)) - cpu) / (performance.now() - at)) * 1000
}
