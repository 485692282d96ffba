/** Uses a plain Chromium, because Playwright gives every page the focus. */
import { expect, test } from '../fixtures/devtools-test.ts'

test('a window that cannot come to the front is marked in its title until it is looked at @long', async ({
  devToolsBrowser,
  createDocument,
}) => {
  const document = await createDocument()
  const text = await devToolsBrowser.openTab(document.url('editor'))
  await expect.poll(() => text.evaluate(`window.diptych?.status.get().document.state`)).toBe('synced')
  const panel = await devToolsBrowser.openTab(document.url('editor').replace('#', '/p/outline#'))
  const clickElement = (selector: string) => panel.evaluate(`document.querySelector('${selector}')?.click()`)
  await expect
    .poll(async () => {
      await clickElement('[aria-label="Windows"][aria-haspopup]:not([aria-expanded="true"])')
      await panel.evaluate(
        `[...document.querySelectorAll('[role="menuitem"]')].find(({ innerText }) => innerText.startsWith('Your windows'))?.click()`,
      )
      return panel.evaluate(`document.querySelector('[aria-label="Show Untitled"]') !== null`)
    })
    .toBe(true)
  await clickElement('[aria-label="Show Untitled"]')
  await expect.poll(() => text.evaluate('document.title')).toBe('● Untitled – Diptych')
  await text.evaluate(`diptych.doc.getText('title').insert(0, 'Budget plan')`)
  await expect.poll(() => text.evaluate('document.title')).toBe('● Budget plan – Diptych')
  await text.show()
  await expect.poll(() => text.evaluate('document.title')).toBe('Budget plan – Diptych')
})
