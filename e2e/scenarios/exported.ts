/** What a window says of its delays, as a person reads it and as a program gets it. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { Samples, Timeline } from '../../lib/latency/state.ts'
import { dock, panelOf } from '../support/panels.ts'
import type { Window } from '../support/window.ts'

/** From here on the window measures: overlay and inspector are open. */
export async function measure({ page }: Window): Promise<void> {
  await dock(page, 'Connection inspector')
  await page.getByRole('button', { name: 'Latency', exact: true }).click()
  await expect(overlayOf(page)).toBeVisible()
}

const overlayOf = (page: Page) => page.getByRole('region', { name: 'Latency', exact: true })

export const clientOf = (page: Page): Promise<string> =>
  page.evaluate(() => `client-${window.diptych!.doc.clientID}`)

export async function reset({ page, text }: Window): Promise<void> {
  await panelOf(page, 'Connection inspector').getByRole('button', { name: 'Reset' }).click()
  await text.focus()
}

const exportSamples = async (window: Window): Promise<Samples> =>
  JSON.parse(await exportAs(window, 'JSON')) as Samples

/** As a click on the button gives it. */
export async function exportAs({ page }: Window, format: 'JSON' | 'CSV'): Promise<string> {
  const downloading = page.waitForEvent('download')
  await panelOf(page, 'Connection inspector')
    .getByRole('button', { name: `Export ${format}` })
    .click()
  return readFile(await (await downloading).path(), 'utf8')
}

/**
 * Others tell of an edit once they know by how much their clocks differ: types letters until one of them is whole.
 * @returns What it typed.
 */
export async function warmUp(window: Window, others: number): Promise<string> {
  let typed = ''
  await expect(async () => {
    await window.append('.')
    typed += '.'
    const { edits } = await exportSamples(window)
    expect(edits.some((edit) => isWhole(edit, others))).toBe(true)
  }).toPass()
  return typed
}

/** Once each of so many edits is saved, painted here, and told of by each of so many windows. */
export async function exportWhole(window: Window, edits: number, others: number): Promise<Samples> {
  let samples: Samples | undefined
  await expect
    .poll(async () => {
      samples = await exportSamples(window)
      return samples.edits.filter((edit) => isWhole(edit, others)).length
    })
    .toBe(edits)
  return samples!
}

const isWhole = ({ ownPaint, sent, acknowledged, saved, arrivals }: Timeline, others: number): boolean =>
  [ownPaint, sent, acknowledged, saved].every((station) => station !== undefined) &&
  arrivals.length === others

/** p50, p95 and max of a row, in ms as they stand there. @param person Whose window it is of; none: this one's. */
export async function shownIn({ page }: Window, station: string, person?: string): Promise<number[]> {
  const overlay = overlayOf(page)
  const group = person === undefined ? overlay : overlay.getByRole('rowgroup').filter({ hasText: person })
  const cells = await group.getByRole('row', { name: station }).first().getByRole('cell').allTextContents()
  // Behind them stands a verdict in a word.
  return cells.slice(0, 3).map((text) => Number(text.replaceAll(',', '')))
}

/** Exact, by nearest rank, as the overlay's three columns are called. */
export function figuresOf(samples: readonly number[]): number[] {
  const sorted = samples.toSorted((a, b) => a - b)
  return [0.5, 0.95, 1].map((share) => sorted[Math.ceil(share * sorted.length) - 1]!)
}

/** To be attached to a report. */
export function withFigures(samples: readonly number[]) {
  const [p50, p95, max] = figuresOf(samples)
  return { p50, p95, max, samples }
}

/** A histogram of three digits, and what is left of it where it is written with a tenth below 10 ms and without above. */
export const areShownAs = (exact: readonly number[], shown: readonly number[]): boolean =>
  exact.length === shown.length &&
  exact.every((value, index) => {
    const rounding = value < 9.9 ? 0.051 : 0.51
    return Math.abs(value - shown[index]!) <= rounding + 0.002 * value
  })
