/** What the latency overlay costs the window that is typed in, beside the same window without it. */
import type { Page } from '@playwright/test'
import { plain } from '../report/figures.ts'
import { bars, metric, type Rounds, type SectionDeclaration, table } from '../report/metrics.ts'
import { processorMs } from '../support/browser.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { createText, typeText } from '../support/type-text.ts'
import { prepareTyping, startBrowserSetup, withWindows } from '../windows/own-windows.ts'

type OverlayParams = { readonly shown: boolean }

/** Of the window's process, all its threads, in ms a second. */
interface OverlayData {
  readonly typingMs: number
  readonly idleMs: number
}

export const overlay = scenario({
  name: 'overlay',
  sentence: 'The latency overlay: processor time of a window that is typed in, with it and without.',
  options: {
    keys: number('keys typed in each trial', 200, 10, 10_000),
    interval: number('ms between keys', 100, 10, 5_000),
    idle: number('seconds without a key', 20, 1, 600),
  },
  rounds: 5,
  quick: { keys: '20', idle: '3' },
  pages: true,
  plan: () => [false, true].map((shown) => ({ lane: 'automatic', params: { shown } })),
  estimate: (_trial, { keys, interval, idle }) => 8 + idle + (keys * interval) / 1000,
  async run({ params: { shown }, round }, ctx, { keys, interval, idle }): Promise<OverlayData> {
    const setup = await ctx.shared('world', startBrowserSetup)
    // Another own window shows the text, so that there is somebody to answer.
    return withWindows(setup, ['preview'], async (main) => {
      await showOverlay(main, shown)
      await prepareTyping(main)
      return ctx.measure(async () => ({
        typingMs: await perSecond(main, () => typeText(main, createText(keys), { interval, seed: round })),
        idleMs: await perSecond(main, () => main.waitForTimeout(idle * 1000)),
      }))
    })
  },
  report,
})

async function showOverlay(main: Page, isShown: boolean): Promise<void> {
  const region = main.getByRole('region', { name: 'Latency' })
  if (isShown) {
    await main.getByRole('button', { name: 'Latency' }).first().click()
    await region.waitFor()
  }
  if ((await region.count()) !== Number(isShown)) throw new Error('The overlay is not as it was asked for.')
}

async function perSecond(page: Page, work: () => Promise<unknown>): Promise<number> {
  const [cpu, at] = [await processorMs(page), performance.now()]
  await work()
  return (((await processorMs(page)) - cpu) / (performance.now() - at)) * 1000
}

/** Of a core. */
const LIMIT_PERCENT = 1

function report(all: Rounds<OverlayParams, OverlayData>): SectionDeclaration {
  const [without, shown] = all.split('shown', [false, true])
  const rows = [
    { name: 'typing', cost: metric<OverlayData>('', '', ({ typingMs }) => typingMs) },
    { name: 'nothing happens', cost: metric<OverlayData>('', '', ({ idleMs }) => idleMs) },
  ].map((row) => ({ ...row, percent: (shown.median(row.cost) - without.median(row.cost)) / 10 }))
  const costs = [
    { name: 'without the overlay', rounds: without },
    { name: 'with it', rounds: shown },
  ].map(({ name, rounds }) => ({
    name,
    unit: 'ms a second',
    better: 'less' as const,
    of: ({ cost }: (typeof rows)[number]) => cost.of(rounds),
  }))
  const aims = rows.map(({ name, percent }) => ({
    name: `the overlay while ${name}`,
    measured: percent,
    limit: LIMIT_PERCENT,
    unit: '% of a core',
    reason:
      'While it is shown a stamp goes with each edit and an answer comes from each window, and its figures are written into the page, which Chromium then lays out and paints.',
  }))
  return {
    method:
      'Chromium; a window with the editor and one with the preview of the same text. Time on a processor of the process of the window that is typed in, all its threads. Median, least and most of the rounds, with and without in turns.',
    tables: [
      table(
        'Processor time of the window',
        rows,
        [
          ...costs,
          { name: 'more', unit: '% of a core', digits: 2, better: 'less', of: ({ percent }) => percent },
        ],
        { head: 'while' },
      ),
    ],
    charts: [bars('Processor time of the window', rows, costs)],
    aims,
    headlines: rows.map(({ name, cost, percent }, index) => ({
      what: `The latency overlay, processor time of its window while ${name}`,
      ours: Number.isNaN(percent) ? undefined : `${plain(percent, 2)} % of a core more`,
      beside: [`${plain(without.median(cost))} ms a second without it, ${plain(shown.median(cost))} with it`],
      aims: [aims[index]],
    })),
  }
}
