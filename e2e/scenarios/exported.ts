/** What a window says of its delays, as a person reads it and as a program gets it. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { Samples } from '../../lib/latency/state.ts'
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

/** As a click on the button gives it. */
export async function exportAs({ page }: Window, format: 'JSON' | 'CSV'): Promise<string> {
  const downloading = page.waitForEvent('download')
  await panelOf(page, 'Connection inspector')
    .getByRole('button', { name: `Export ${format}` })
    .click()
  return readFile(await (await downloading).path(), 'utf8')
}

/**
 * Others tell of an edit once they know by how much their clocks differ: types letters until each station of each window has one.
 * @returns What it typed.
 */
export async function warmUp(window: Window, others: number): Promise<string> {
  let typed = ''
  await expect(async () => {
    await window.append('.')
    typed += '.'
    expect((await countsIn(window)).filter(({ edits }) => edits > 0).map(({ station }) => station)).toEqual(
      stationsOf(others),
    )
  }).toPass({ intervals: [1_000], timeout: 60_000 })
  return typed
}

/** Once each of so many edits is counted at each station here, and at each of so many other windows'. */
export async function exportWhole(window: Window, edits: number, others: number): Promise<Samples> {
  await expect.poll(() => countsIn(window)).toEqual(stationsOf(others).map((station) => ({ station, edits })))
  const samples = JSON.parse(await exportAs(window, 'JSON')) as Samples
  expect(samples.edits).toHaveLength(edits)
  for (const { arrivals } of samples.edits) expect(arrivals).toHaveLength(others)
  return samples
}

const own = ['Own paint', 'Sent', 'Acknowledged', 'Saved']
const far = ['Received', 'Applied', 'Painted']
const anyStation = new RegExp(`^(${[...own, ...far].join('|')}) `)

/** This window's, then those of each of so many others. */
const stationsOf = (others: number): string[] => [...own, ...Array<string[]>(others).fill(far).flat()]

/** How many edits the inspector has of each row; a row is a station. */
function countsIn({ page }: Window): Promise<{ station: string; edits: number }[]> {
  const table = panelOf(page, 'Connection inspector').getByRole('table', {
    name: 'From the key to each stage',
  })
  return table.getByRole('row', { name: anyStation }).evaluateAll((rows) =>
    (rows as HTMLTableRowElement[]).map(({ cells }) => {
      const edits = [...cells].at(-2)!
      return { station: cells[0]!.textContent, edits: Number(edits.textContent) }
    }),
  )
}

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
