/** One person, eight windows of one browser, by each transport: every one of them stays in step. */
import type { Page } from '@playwright/test'
import { panelPath, type PanelId } from '../../lib/windows/panels.ts'
import { expect, test } from '../support/fixtures.ts'
import type { TransportName } from '../support/window.ts'

const others: readonly PanelId[] = [
  'outline',
  'preview',
  'statistics',
  'people',
  'comments',
  'connection',
  'editor',
]

const ways: Readonly<Record<'https' | 'http', readonly TransportName[]>> = {
  https: ['long-poll', 'poll', 'stream', 'sse', 'websocket'],
  // Six connections for eight windows: one of them carries all.
  http: ['sse'],
}

for (const scheme of ['https', 'http'] as const)
  test(
    `eight windows by ${ways[scheme].join(', ')} over ${scheme} stay in step`,
    { tag: '@long' },
    async ({ server, door, openWindow }) => {
      test.slow() // eight pages compute at once
      const document = await door.newDocument()
      const url = `${server.origin(scheme)}/d/${document.id}#token=${document.tokens.editor}`
      const main = await openWindow(url)
      const [first, ...later] = ways[scheme]
      await main.choose(first!)
      const pages: Page[] = []
      for (const panel of others) {
        const page = await main.page.context().newPage()
        await page.goto(new URL(panelPath(document.id, panel), url).href)
        await expect(page.getByRole('status', { name: 'Save state' })).toHaveText('Saved')
        pages.push(page)
      }
      const [, preview, statistics, , , , editor] = pages as [Page, Page, Page, Page, Page, Page, Page]
      const second = editor.getByRole('textbox', { name: 'Document' })
      let text = ''
      for (const [index, transport] of [first!, ...later].entries())
        await test.step(`by ${transport}`, async () => {
          if (index > 0) await main.choose(transport)
          for (const page of pages) {
            const used = () => page.evaluate(() => window.diptych!.transport?.transport)
            await expect.poll(used).toBe(transport)
          }
          await main.append((text += 'one two three ').slice(-14))
          await expect(main.saveState).toHaveText('Saved')
          for (const page of pages) {
            const shown = () => page.evaluate(() => window.diptych!.doc.getXmlFragment('default').toJSON())
            await expect.poll(shown).toContain(text.trimEnd())
          }
          await second.focus()
          await second.press('Control+End')
          await second.pressSequentially('four ')
          await main.expectLines((text += 'four '))
          await expect(preview.getByRole('region', { name: 'Preview' })).toContainText(text.trimEnd())
          await expect(statistics.getByRole('region', { name: 'Statistics' })).toContainText(
            `${4 * (index + 1)}`,
          )
        })
    },
  )
