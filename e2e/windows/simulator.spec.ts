/** The network of the text, made worse from a window of its own beside it, and by whatever transport. */
import { expect, test } from '../support/fixtures.ts'
import { panelOf } from '../support/panels.ts'
import { labels, type TransportName } from '../support/window.ts'
import { openPanel } from './own-windows.ts'

const INSPECTOR = 'Connection inspector'
const simulated = (transport: TransportName) =>
  new RegExp(`^Connected by ${labels[transport]}.*over a simulated network`)

// One connection, and one request after the other; server-sent events are tried below.
for (const transport of ['websocket', 'long-poll'] as const)
  test(
    `[T8] the inspector in a popup slows the text down, silences it and cuts its link, by ${transport}: nothing is lost or doubled`,
    { tag: transport === 'websocket' ? [] : ['@long'] },
    async ({ door, openWindow }) => {
      const document = await door.newDocument()
      const main = await openWindow(document.url('editor'))
      const reader = await openWindow(document.url('editor'))
      await main.choose(transport)
      const popup = await openPanel(main.page, INSPECTOR)
      const simulator = panelOf(popup, INSPECTOR).getByRole('region', { name: 'Network simulator' })
      await simulator.getByRole('slider', { name: 'Delay each way' }).fill('150')
      await expect(main.connection).toHaveAccessibleDescription(simulated(transport))
      for (const other of [popup.getByRole('button', { name: 'Connection', exact: true }), reader.connection])
        await expect(other).not.toHaveAccessibleDescription(/simulated/)
      await main.append('slow, ')
      await reader.expectLines('slow, ')
      const row = panelOf(popup, INSPECTOR)
        .getByRole('region', { name: 'Your windows' })
        .getByRole('row', { name: /^Untitled/ })
      // Twice the delay is its least.
      await expect(row.getByRole('cell', { name: /^Round trip ([3-9]\d\d|[\d,]{4,}) ms$/ })).toBeVisible()

      await simulator.getByRole('checkbox', { name: /^Silent: the connection stays open/ }).check()
      await main.append('silent, ')
      await expect(main.saveState).not.toHaveText('Saved')
      await reader.expectLines('slow, ')
      await simulator.getByRole('button', { name: 'Back to the real network' }).click()
      await expect(main.connection).not.toHaveAccessibleDescription(/simulated/)
      await reader.expectLines('slow, silent, ')

      // How often it had to connect: what it says meanwhile may be gone before it is drawn.
      const links = () => main.page.evaluate(() => window.diptych!.stats().links)
      const before = await links()
      await simulator.getByRole('button', { name: 'Cut the connection' }).click()
      await main.append('cut.')
      await reader.expectLines('slow, silent, cut.')
      await expect(main.saveState).toHaveText('Saved')
      await main.expectInUse(transport)
      expect(await links()).toBeGreaterThan(before)
    },
  )

test(
  '[T8] the popup blocks a transport of the text, which moves on; what it set outlives it, and ends with a reload',
  { tag: '@long' },
  async ({ door, openWindow }) => {
    const main = await openWindow((await door.newDocument()).url('editor'))
    const popup = await openPanel(main.page, INSPECTOR)
    const block = (page: typeof popup) => panelOf(page, INSPECTOR).getByRole('group', { name: 'Block' })
    await block(popup).getByRole('checkbox', { name: 'WebSocket' }).check()
    await expect(main.connection).toHaveAccessibleDescription(simulated('sse'))
    await main.append('moved on')
    await expect(main.saveState).toHaveText('Saved')
    await popup.close()
    await expect(main.connection).toHaveAccessibleDescription(simulated('sse'))
    const again = await openPanel(main.page, INSPECTOR)
    await expect(block(again).getByRole('checkbox', { name: 'WebSocket' })).toBeChecked()
    await main.page.reload()
    await main.expectReady()
    await main.expectInUse('websocket')
    await expect(block(again).getByRole('checkbox', { name: 'WebSocket' })).not.toBeChecked()
    await main.expectLines('moved on')
  },
)
