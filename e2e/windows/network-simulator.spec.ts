/** The network simulator makes the network of the text worse, from a window of its own and by any transport. */
import { expect, test } from '../fixtures/test.ts'
import { panelOf } from '../fixtures/panels.ts'
import type { NetworkTransportId } from '../../lib/transports/descriptors.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { openPanelWindow } from '../fixtures/own-windows.ts'

const INSPECTOR = 'Connection inspector'
const simulatedDescription = (transport: NetworkTransportId) =>
  new RegExp(`^Connected by ${transportLabels[transport]}.*over a simulated network`)

// WebSocket has one connection, and long polling one request after the other. The next test has server-sent events.
for (const transport of ['websocket', 'long-poll'] as const)
  test(
    `[T8] the inspector in a popup slows the text down, silences it and cuts its link, by ${transport}: nothing is lost or doubled`,
    { tag: transport === 'websocket' ? [] : ['@long'] },
    async ({ createDocument, openWindow }) => {
      const document = await createDocument()
      const main = await openWindow(document.url('editor'))
      const reader = await openWindow(document.url('editor'))
      await main.chooseTransport(transport)
      const popup = await openPanelWindow(main.page, INSPECTOR)
      const simulator = panelOf(popup, INSPECTOR).getByRole('region', { name: 'Network simulator' })
      await simulator.getByRole('slider', { name: 'Delay each way' }).fill('150')
      await expect(main.connection).toHaveAccessibleDescription(simulatedDescription(transport))
      for (const other of [popup.getByRole('button', { name: 'Connection', exact: true }), reader.connection])
        await expect(other).not.toHaveAccessibleDescription(/simulated/)
      await main.typeAtEnd('slow, ')
      await reader.expectLines('slow, ')
      const row = panelOf(popup, INSPECTOR)
        .getByRole('region', { name: 'Your windows' })
        .getByRole('row', { name: /^Untitled/ })
      // A round trip takes at least twice the delay.
      await expect(row.getByRole('cell', { name: /^Round trip ([3-9]\d\d|[\d,]{4,}) ms$/ })).toBeVisible()

      await simulator.getByRole('checkbox', { name: /^Silent: the connection stays open/ }).check()
      await main.typeAtEnd('silent, ')
      await expect(main.saveState).not.toHaveText('Saved')
      await reader.expectLines('slow, ')
      await simulator.getByRole('button', { name: 'Back to the real network' }).click()
      await expect(main.connection).not.toHaveAccessibleDescription(/simulated/)
      await reader.expectLines('slow, silent, ')

      // The links are counted, because a label that lasts shortly may be gone before it is drawn.
      const readLinkCount = () => main.page.evaluate(() => window.diptych!.stats().links)
      const linksBefore = await readLinkCount()
      await simulator.getByRole('button', { name: 'Cut the connection' }).click()
      await main.typeAtEnd('cut.')
      await reader.expectLines('slow, silent, cut.')
      await expect(main.saveState).toHaveText('Saved')
      await main.expectTransport(transport)
      expect(await readLinkCount()).toBeGreaterThan(linksBefore)
    },
  )

test(
  '[T8] the popup blocks a transport of the text, which moves on; what it set outlives it, and ends with a reload',
  { tag: '@long' },
  async ({ editorWindow: main }) => {
    const popup = await openPanelWindow(main.page, INSPECTOR)
    const blockGroupIn = (page: typeof popup) =>
      panelOf(page, INSPECTOR).getByRole('group', { name: 'Block' })
    await blockGroupIn(popup).getByRole('checkbox', { name: 'WebSocket' }).check()
    await expect(main.connection).toHaveAccessibleDescription(simulatedDescription('sse'))
    await main.typeAtEnd('moved on')
    await expect(main.saveState).toHaveText('Saved')
    await popup.close()
    await expect(main.connection).toHaveAccessibleDescription(simulatedDescription('sse'))
    const nextPopup = await openPanelWindow(main.page, INSPECTOR)
    await expect(blockGroupIn(nextPopup).getByRole('checkbox', { name: 'WebSocket' })).toBeChecked()
    await main.page.reload()
    await main.expectReady()
    await main.expectTransport('websocket')
    await expect(blockGroupIn(nextPopup).getByRole('checkbox', { name: 'WebSocket' })).not.toBeChecked()
    await main.expectLines('moved on')
  },
)
