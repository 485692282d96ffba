/** Shows in a plain Chromium what Playwright cannot: which processes there are, and windows that are hidden. */
import { randomId } from '../../lib/protocol/ids.ts'
import { panelPath, type PanelId } from '../../lib/windows/panels.ts'
import type { BrowserTab, DevToolsBrowser } from '../fixtures/devtools-browser.ts'
import { expect, test as base } from '../fixtures/devtools-test.ts'

interface ProcessFixtures {
  readonly main: BrowserTab
  readonly document: string
}

const test = base.extend<ProcessFixtures>({
  document: async ({ createDocument }, use) => use((await createDocument()).url('editor')),
  main: async ({ devToolsBrowser, document }, use) => {
    const tab = await devToolsBrowser.openTab(document)
    await expect.poll(() => readIsSaved(tab)).toBe(true)
    await use(tab)
  },
})

const readIsSaved = (tab: BrowserTab): Promise<boolean> =>
  tab.evaluate(`document.querySelector('[aria-label="Save state"]')?.dataset.state === 'saved'`)

/** Opens a panel as the product does: by a click, with a handle that the policies of the pages take away. */
async function openPanel(
  devToolsBrowser: DevToolsBrowser,
  from: BrowserTab,
  document: string,
  panel: PanelId,
): Promise<BrowserTab> {
  const id = new URL(document).pathname.split('/')[2]!
  const waitForPanel = await devToolsBrowser.waitForNextTab()
  await from.click(
    `window.handle = window.open('${panelPath(id, panel)}#place=${randomId()}', '_blank', 'popup')`,
  )
  const tab = await waitForPanel()
  await expect.poll(() => readIsSaved(tab)).toBe(true)
  return tab
}

const readTitle = (tab: BrowserTab): Promise<string> =>
  tab.evaluate(`diptych.doc.getText('title').toString()`)

test('[W1] a panel that main has opened is a process of its own, without a way back to its opener @long', async ({
  devToolsBrowser,
  main,
  document,
}) => {
  const outline = await openPanel(devToolsBrowser, main, document, 'outline')
  expect(await main.evaluate('window.handle.closed')).toBe(true)
  expect(await outline.evaluate('window.opener === null')).toBe(true)
  expect(await outline.readIsolateId()).not.toBe(await main.readIsolateId())

  // A panel on the same thread would not answer while main is busy.
  await main.hang()
  expect(await outline.evaluate(`diptych.doc.getText('title').insert(0, 'on')`)).toBeUndefined()
  await outline.evaluate('diptych.whenSaved()')
  await main.stopHanging()
  await expect.poll(() => readTitle(main)).toBe('on')
})

test('[W1] two panels are two processes, though both have one policy @long', async ({
  devToolsBrowser,
  main,
  document,
}) => {
  const outline = await openPanel(devToolsBrowser, main, document, 'outline')
  const preview = await openPanel(devToolsBrowser, main, document, 'preview')
  const processes = await Promise.all([main, outline, preview].map((tab) => tab.readIsolateId()))
  expect(new Set(processes).size).toBe(3)
})

test('[S7] main is hidden behind another tab: its panels are live, and it receives their edits @long', async ({
  devToolsBrowser,
  main,
  document,
}) => {
  const id = new URL(document).pathname.split('/')[2]!
  const preview = await devToolsBrowser.openTab(new URL(panelPath(id, 'preview'), document).href)
  await expect.poll(() => readIsSaved(preview)).toBe(true)
  expect(await main.evaluate('document.visibilityState')).toBe('hidden')
  await preview.evaluate(`diptych.doc.getText('title').insert(0, 'from the panel')`)
  await preview.evaluate('diptych.whenSaved()')
  await expect.poll(() => readTitle(main)).toBe('from the panel')
  await main.evaluate(`diptych.doc.getText('title').insert(0, 'from main, ')`)
  await expect
    .poll(() => preview.evaluate<string>('document.title'))
    .toBe('Preview – from main, from the panel')
  await main.freeze()
  await preview.evaluate(`diptych.doc.getText('title').insert(0, 'still ')`)
  await preview.evaluate('diptych.whenSaved()')
  await expect.poll(() => readIsSaved(preview)).toBe(true)
  await main.thaw()
  await expect.poll(() => readTitle(main)).toBe('still from main, from the panel')
})
