/** Eight windows of one person in one browser stay in step, by each transport. */
import type { Page } from '@playwright/test'
import { networkTransports } from '../../lib/transports/descriptors.ts'
import { panelPath, type PanelId } from '../../lib/windows/panels.ts'
import { textIn, typeAtEndOf } from '../fixtures/document-text.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const otherPanels: readonly PanelId[] = [
  'outline',
  'preview',
  'statistics',
  'people',
  'comments',
  'connection',
  'editor',
]

// Eight windows over HTTP/1.1, where a browser opens six connections at most, are in e2e/sharing/shared-connection.spec.ts.
test(
  'eight windows stay in step, by each transport',
  { tag: '@long' },
  async ({ createDocument, openWindow }) => {
    test.slow() // eight pages compute at once
    const document = await createDocument()
    const url = document.url('editor')
    const main = await openWindow(url)
    const pages: Page[] = []
    for (const panel of otherPanels) {
      const page = await main.page.context().newPage()
      await page.goto(new URL(panelPath(document.id, panel), url).href)
      await expectSaved(page)
      pages.push(page)
    }
    const [, preview, statistics, , , , editor] = pages as [Page, Page, Page, Page, Page, Page, Page]
    let text = ''
    for (const [index, transport] of networkTransports.entries())
      await test.step(`by ${transport}`, async () => {
        await main.chooseTransport(transport)
        for (const page of pages) {
          const readTransport = () => page.evaluate(() => window.diptych!.transport?.transport)
          await expect.poll(readTransport).toBe(transport)
        }
        await main.typeAtEnd((text += 'one two three ').slice(-14))
        await expect(main.saveState).toHaveText('Saved')
        for (const page of pages) {
          const readText = () => page.evaluate(() => window.diptych!.doc.getXmlFragment('default').toJSON())
          await expect.poll(readText).toContain(text.trimEnd())
        }
        await typeAtEndOf(textIn(editor), 'four ')
        await main.expectLines((text += 'four '))
        await expect(preview.getByRole('region', { name: 'Preview' })).toContainText(text.trimEnd())
        await expect(statistics.getByRole('region', { name: 'Statistics' })).toContainText(
          `${4 * (index + 1)}`,
        )
      })
  },
)
