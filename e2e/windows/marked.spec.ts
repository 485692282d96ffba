/** Playwright gives every page the focus; a person's window has it or not. */
import { expect, test as base } from '../support/fixtures.ts'
import { PlainBrowser } from '../support/plain-browser.ts'

const test = base.extend<{ plain: PlainBrowser }>({
  plain: async ({}, use) => {
    const browser = await PlainBrowser.launch()
    await use(browser)
    await browser.close()
  },
})

test('a text that cannot bring itself forward is marked in its name until it is looked at', async ({
  plain,
  door,
}) => {
  const document = await door.newDocument()
  const text = await plain.openTab(document.url('editor'))
  await expect.poll(() => text.evaluate(`window.diptych?.status.get().document.state`)).toBe('synced')
  const panel = await plain.openTab(document.url('editor').replace('#', '/p/outline#'))
  const click = (selector: string) => panel.evaluate(`document.querySelector('${selector}')?.click()`)
  await expect
    .poll(async () => {
      await click('[aria-label="Windows"][aria-haspopup]:not([aria-expanded="true"])')
      await panel.evaluate(
        `[...document.querySelectorAll('[role="menuitem"]')].find(({ innerText }) => innerText.startsWith('Your windows'))?.click()`,
      )
      return panel.evaluate(`document.querySelector('[aria-label="Show Untitled"]') !== null`)
    })
    .toBe(true)
  await click('[aria-label="Show Untitled"]')
  await expect.poll(() => text.evaluate('document.title')).toBe('● Untitled – Diptych')
  await text.evaluate(`diptych.doc.getText('title').insert(0, 'Budget plan')`)
  await expect.poll(() => text.evaluate('document.title')).toBe('● Budget plan – Diptych')
  await text.show()
  await expect.poll(() => text.evaluate('document.title')).toBe('Budget plan – Diptych')
})
