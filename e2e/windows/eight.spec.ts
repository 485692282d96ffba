/** One person, eight windows of one browser, by each transport: every one of them stays in step. */
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

const ways: readonly (readonly [TransportName, 'https' | 'http'])[] = [
  ['websocket', 'https'],
  ['sse', 'https'],
  ['stream', 'https'],
  ['long-poll', 'https'],
  ['poll', 'https'],
  // Six connections for eight windows: one of them carries all.
  ['sse', 'http'],
]

for (const [transport, scheme] of ways)
  test(`eight windows by ${transport} over ${scheme} stay in step`, async ({ server, door, openWindow }) => {
    test.slow() // eight pages compute at once
    const document = await door.newDocument()
    const url = `${server.origin(scheme)}/d/${document.id}#token=${document.tokens.editor}`
    const main = await openWindow(url)
    await main.choose(transport)
    const pages = []
    for (const panel of others) {
      const page = await main.page.context().newPage()
      await page.goto(new URL(panelPath(document.id, panel), url).href)
      await expect(page.getByRole('status', { name: 'Save state' })).toHaveText('Saved')
      pages.push(page)
    }
    await main.append('one two three')
    await expect(main.saveState).toHaveText('Saved')
    for (const page of pages) {
      const shown = () => page.evaluate(() => window.diptych!.doc.getXmlFragment('default').toJSON())
      await expect.poll(shown).toContain('one two three')
      const used = () => page.evaluate(() => window.diptych!.transport?.transport)
      await expect.poll(used).toBe(transport)
    }
    const second = pages.at(-1)!.getByRole('textbox', { name: 'Document' })
    await second.focus()
    await second.press('Control+End')
    await second.pressSequentially(' four')
    await main.expectLines('one two three four')
    await expect(pages[1]!.getByRole('region', { name: 'Preview' })).toContainText('one two three four')
    await expect(pages[2]!.getByRole('region', { name: 'Statistics' })).toContainText('4')
  })
