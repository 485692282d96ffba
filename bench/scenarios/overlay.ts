/** The cost of the latency overlay for the window that somebody types in, beside the same window without it. */
import type { Page } from '@playwright/test'
import { formatFixed } from '../report/format-figures.ts'
import { amountText, metric, type Rounds } from '../report/metrics.ts'
import type { SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { processorMs } from '../support/browser.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { createText, typeText } from '../support/type-text.ts'
import { prepareTyping, startBrowserSetup, withWindows } from '../windows/own-windows.ts'

type OverlayParams = { readonly shown: boolean }

/** The processor time of all threads of the window's process, in ms a second. */
interface OverlayData {
  readonly typingMs: number
  readonly idleMs: number
}

export const overlayScenario = scenario({
  name: 'overlay',
  sentence: 'The latency overlay: processor time of a window that somebody types in, with it and without.',
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
    // A second own window shows the text, so that edits are answered.
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
  if ((await region.count()) !== Number(isShown))
    throw new Error(`The overlay is ${isShown ? 'hidden' : 'shown'}.`)
}

async function perSecond(page: Page, work: () => Promise<unknown>): Promise<number> {
  const [cpu, at] = [await processorMs(page), performance.now()]
  await work()
  return (((await processorMs(page)) - cpu) / (performance.now() - at)) * 1000
}

/** Per cent of a core. */
const LIMIT_PERCENT = 1

const times = [
  metric<OverlayData>('typing', 'ms a second', ({ typingMs }) => typingMs),
  metric<OverlayData>('nothing happens', 'ms a second', ({ idleMs }) => idleMs),
]
type Time = (typeof times)[number]

function report(all: Rounds<OverlayParams, OverlayData>): SectionDeclaration {
  const [without, shown] = all.split('shown', [false, true])
  const percentMore = (time: Time) => (shown.median(time) - without.median(time)) / 10
  const columns = [without.withName('without the overlay'), shown.withName('with it')].map((rounds) => ({
    name: rounds.name,
    unit: 'ms a second',
    better: 'less' as const,
    of: (time: Time) => time.of(rounds),
  }))
  const aims = times.map((time) => ({
    name: `the overlay while ${time.name}`,
    measured: percentMore(time),
    limit: LIMIT_PERCENT,
    unit: '% of a core',
    reason:
      'While the overlay is shown, each edit carries a stamp and each window answers it. Its figures are written into the page, which Chromium then lays out and paints.',
  }))
  return {
    method:
      'In Chromium one window has the editor, and another the preview of the same text. The figures are the processor time of all threads of the editor’s process. Rounds with and without the overlay alternate; tables have their median, least and most.',
    tables: [
      table(
        'Processor time of the window',
        times,
        [...columns, { name: 'more', unit: '% of a core', digits: 2, better: 'less', of: percentMore }],
        { head: 'while' },
      ),
    ],
    charts: [barChart('Processor time of the window', times, columns)],
    aims,
    headlines: times.map((time, index) => ({
      what: `The latency overlay, processor time of its window while ${time.name}`,
      ours: amountText(percentMore(time), '% of a core more', 2),
      beside: `${without.medianText(time)} without it, ${formatFixed(shown.median(time))} with it`,
      aims: [aims[index]],
    })),
  }
}
