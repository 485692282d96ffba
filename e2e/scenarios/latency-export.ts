/** What a window says of its delays, as a person reads it and as a program gets it. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { LatencySamples } from '../../lib/latency/latency-state.ts'
import { dockPanels, panelOf } from '../support/panels.ts'
import type { DocumentWindow } from '../support/document-window.ts'

/** From here on the window measures: overlay and inspector are open. */
export async function startMeasuring({ page }: DocumentWindow): Promise<void> {
  await dockPanels(page, 'Connection inspector')
  await page.getByRole('button', { name: 'Latency', exact: true }).click()
  await expect(overlayOf(page)).toBeVisible()
}

const overlayOf = (page: Page) => page.getByRole('region', { name: 'Latency', exact: true })

export const readClientId = (page: Page): Promise<string> =>
  page.evaluate(() => `client-${window.diptych!.doc.clientID}`)

export async function resetMeasurement({ page, text }: DocumentWindow): Promise<void> {
  await panelOf(page, 'Connection inspector').getByRole('button', { name: 'Reset' }).click()
  await text.focus()
}

/** As a click on the button gives it. */
export async function exportSamples({ page }: DocumentWindow, format: 'JSON' | 'CSV'): Promise<string> {
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
export async function typeUntilMeasured(window: DocumentWindow, remoteWindows: number): Promise<string> {
  let typed = ''
  await expect(async () => {
    await window.typeAtEnd('.')
    typed += '.'
    expect(
      (await readStageCounts(window)).filter(({ edits }) => edits > 0).map(({ station: stage }) => stage),
    ).toEqual(stagesOf(remoteWindows))
  }).toPass({ intervals: [1_000], timeout: 60_000 })
  return typed
}

/** Once each of so many edits is counted at each station here, and at each of so many other windows'. */
export async function exportCompleteSamples(
  window: DocumentWindow,
  edits: number,
  remoteWindows: number,
): Promise<LatencySamples> {
  await expect
    .poll(() => readStageCounts(window))
    .toEqual(stagesOf(remoteWindows).map((stage) => ({ station: stage, edits })))
  const samples = JSON.parse(await exportSamples(window, 'JSON')) as LatencySamples
  expect(samples.edits).toHaveLength(edits)
  for (const { arrivals } of samples.edits) expect(arrivals).toHaveLength(remoteWindows)
  return samples
}

const ownStages = ['Own paint', 'Sent', 'Acknowledged', 'Saved']
const remoteStages = ['Received', 'Applied', 'Painted']
const anyStagePattern = new RegExp(`^(${[...ownStages, ...remoteStages].join('|')}) `)

/** This window's, then those of each of so many others. */
const stagesOf = (remoteWindows: number): string[] => [
  ...ownStages,
  ...Array<string[]>(remoteWindows).fill(remoteStages).flat(),
]

/** How many edits the inspector has of each row; a row is a station. */
function readStageCounts({ page }: DocumentWindow): Promise<{ station: string; edits: number }[]> {
  const table = panelOf(page, 'Connection inspector').getByRole('table', {
    name: 'From the key to each stage',
  })
  return table.getByRole('row', { name: anyStagePattern }).evaluateAll((rows) =>
    (rows as HTMLTableRowElement[]).map(({ cells }) => {
      const edits = [...cells].at(-2)!
      return { station: cells[0]!.textContent, edits: Number(edits.textContent) }
    }),
  )
}

/** p50, p95 and max of a row, in ms as they stand there. @param personName Whose window it is of; none: this one's. */
export async function readOverlayRow(
  { page }: DocumentWindow,
  stage: string,
  personName?: string,
): Promise<number[]> {
  const overlay = overlayOf(page)
  const group =
    personName === undefined ? overlay : overlay.getByRole('rowgroup').filter({ hasText: personName })
  const cells = await group.getByRole('row', { name: stage }).first().getByRole('cell').allTextContents()
  // Behind them stands a verdict in a word.
  return cells.slice(0, 3).map((text) => Number(text.replaceAll(',', '')))
}

/** Exact, by nearest rank, as the overlay's three columns are called. */
export function figuresOf(samples: readonly number[]): number[] {
  const sorted = samples.toSorted((a, b) => a - b)
  return [0.5, 0.95, 1].map((share) => sorted[Math.ceil(share * sorted.length) - 1]!)
}

/** To be attached to a report. */
export function summarizeSamples(samples: readonly number[]) {
  const [p50, p95, max] = figuresOf(samples)
  return { p50, p95, max, samples }
}

/** A histogram of three digits, and what is left of it where it is written with a tenth below 10 ms and without above. */
export const areRoundedTo = (exact: readonly number[], shown: readonly number[]): boolean =>
  exact.length === shown.length &&
  exact.every((value, index) => {
    const rounding = value < 9.9 ? 0.051 : 0.51
    return Math.abs(value - shown[index]!) <= rounding + 0.002 * value
  })
