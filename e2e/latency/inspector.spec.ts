import type { Page } from '@playwright/test'
import type { LatencySamples } from '../../lib/latency/latency-state.ts'
import { expect, test } from '../fixtures/test.ts'
import { downloadText } from '../fixtures/download-text.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'

async function openInspector(page: Page): Promise<Page> {
  const inspector = await page.context().newPage()
  await inspector.goto(`${page.url()}/p/connection`)
  await expectSaved(inspector)
  return inspector
}

test('[L1] an inspector in a window of its own shows the edits of another window, one by one, and exports them @long', async ({
  editorWindow: main,
}) => {
  await main.page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  const page = await openInspector(main.page)
  const panel = panelOf(page, 'Connection inspector')
  await expect(panel.getByRole('region', { name: 'Single edits' })).toContainText('Type in this document')
  const author = panel.getByRole('combobox', { name: 'Edits made in' })
  await expect(author.getByRole('option', { name: 'Budget plan', exact: true })).toBeAttached()
  await main.typeAtEnd('timed')
  const edits = panel.getByRole('region', { name: 'Single edits' })
  const editTable = edits.getByRole('table', { name: /^Edit \d+, in milliseconds/ })
  await expect(editTable.getByRole('row', { name: /^Saved [\d.,]+$/ })).toBeVisible()
  await expect(editTable).toContainText('Budget plan')
  await expect(editTable.getByRole('row', { name: /^Received [\d.,]+$/ })).toBeVisible()
  const stagesRegion = panel.getByRole('region', { name: 'From the key to every screen' })
  await expect(author.locator(':checked')).toHaveText('Budget plan')
  await expect(
    stagesRegion.getByRole('row', { name: /^Saved [\d.,]+ [\d.,]+ [\d.,]+ [\d.,]+ \d+ (good|fair|poor)$/ }),
  ).toBeVisible()
  await panel.getByRole('button', { name: 'Table: Windows side by side' }).click()
  await expect(panel.getByRole('table', { name: 'Windows side by side' })).toContainText('Budget plan')
  await panel.getByRole('button', { name: 'Table: Bytes per second' }).click()
  const bytes = panel.getByRole('table', { name: 'Bytes per second' })
  await expect(bytes.getByRole('columnheader', { name: /^Budget plan/ })).toBeVisible()
  // The row has the bytes of this window and of the other one.
  await expect(bytes.getByRole('row', { name: /^0 to 15 [\d.,]+ K?i?B [\d.,]+ K?i?B$/ })).toBeVisible()
  await main.page.evaluate(() => window.diptych!.switchTransport('long-poll'))
  await main.typeAtEnd('slow')
  await expect(stagesRegion).toContainText('Edits by Long polling. Not counted: 5 by WebSocket.')
  await expect(
    stagesRegion.getByRole('row', { name: /^Saved [\d.,]+ [\d.,]+ [\d.,]+ [\d.,]+ 4 / }),
  ).toBeVisible()
  const sideBySideTable = panel.getByRole('table', { name: 'Windows side by side' })
  for (const transportLabel of ['WebSocket', 'Long polling'])
    await expect(
      sideBySideTable.getByRole('row', { name: new RegExp(`^Budget plan, ${transportLabel} [\\d.,]+ `) }),
    ).toBeVisible()
  const ownWindows = panel.getByRole('region', { name: 'Your windows' }).first()
  await expect(ownWindows.getByRole('row', { name: /^5 edits before, by WebSocket/ })).toBeVisible()
  const json = JSON.parse(
    await downloadText(page.getByRole('button', { name: 'Export JSON' })),
  ) as LatencySamples
  const usedTransports = json.edits.map(({ link }) => link?.transport)
  expect(usedTransports).toEqual([...Array(5).fill('websocket'), ...Array(4).fill('long-poll')])
  expect(json).toMatchObject({ version: 2, simulated: false, reconnects: 0 })
  const [csvHeader, ...rows] = (await downloadText(page.getByRole('button', { name: 'Export CSV' })))
    .trim()
    .split('\r\n')
  expect(csvHeader).toContain('(ms)')
  expect(rows).toHaveLength(9)
  expect(rows[8]).toContain(',long-poll,')
})

test(
  '[L1] a window that is visible but never drawn reports that, and its edits are followed all the same',
  { tag: '@long' },
  async ({ editorWindow: main }) => {
    const preview = await main.page.context().newPage()
    await preview.goto(`${main.page.url()}/p/preview`)
    await expectSaved(preview)
    await preview.evaluate(() => {
      window.requestAnimationFrame = () => 0
    })
    await dockPanels(main.page, 'Connection inspector')
    const stagesRegion = panelOf(main.page, 'Connection inspector').getByRole('region', {
      name: 'From the key to every screen',
    })
    // From here on both windows measure.
    await expect(stagesRegion.getByRole('table')).toContainText('Preview')
    await main.typeAtEnd('timed')
    await expect(stagesRegion).toContainText('5 not painted: the page was not drawn')
    await expect(
      stagesRegion.getByRole('row', { name: /^Received [\d.,]+ [\d.,]+ [\d.,]+ [\d.,]+ 5 / }),
    ).toBeVisible()
  },
)

test(
  '[T8] the simulator slows one window down and no other, and says so wherever figures stand',
  { tag: '@long' },
  async ({ editorWindow: main }) => {
    const page = await openInspector(main.page)
    const panel = panelOf(page, 'Connection inspector')
    const simulator = panel.getByRole('region', { name: 'Network simulator' })
    await simulator.getByRole('slider', { name: 'Delay each way' }).fill('100')
    await expect(main.connection).toHaveAccessibleDescription(/over a simulated network/)
    await expect(
      page.getByRole('button', { name: 'Connection', exact: true }),
    ).not.toHaveAccessibleDescription(/simulated/)
    const row = panel.getByRole('region', { name: 'Your windows' }).getByRole('row', { name: /^Untitled/ })
    await expect(row).toContainText('Simulated')
    // A round trip takes at least twice the delay.
    await expect(row.getByRole('cell', { name: /^[2-9]\d\d ms$/ })).toBeVisible()
    await main.page.keyboard.press('Control+Alt+L')
    await expect(main.page.getByRole('region', { name: 'Latency' })).toContainText('Simulated')
    await simulator.getByRole('button', { name: 'Back to the real network' }).click()
    await expect(main.connection).not.toHaveAccessibleDescription(/simulated/)
    await main.typeAtEnd('as before')
    await expect(main.saveState).toHaveText('Saved')
  },
)

test('beside a text each window is a card, and nothing of its figures is cut @long', async ({
  editorWindow: main,
}) => {
  const { page } = main
  await dockPanels(page, 'Connection inspector')
  const figures = page.getByRole('group', { name: 'Your windows, in figures' })
  await expect(figures).toContainText('This device')
  await main.typeAtEnd('typed')
  await expect(figures).toContainText(/\d B \/ \d+ B/)
  await expect
    .poll(() => figures.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    .toBeLessThanOrEqual(0)
})
