/** What Playwright cannot show: which processes there are, and windows that are hidden. Chromium as a person has it. */
import { randomId } from '../../lib/protocol/ids.ts'
import { panelPath, type PanelId } from '../../lib/windows/panels.ts'
import { expect, test as base } from '../support/fixtures.ts'
import { PlainBrowser, type Tab } from '../support/plain-browser.ts'

interface Plain {
  readonly plain: PlainBrowser
  readonly main: Tab
  readonly document: string
}

const test = base.extend<Plain>({
  plain: async ({}, use) => {
    const browser = await PlainBrowser.launch()
    await use(browser)
    await browser.close()
  },
  document: async ({ door }, use) => use((await door.newDocument()).url('editor')),
  main: async ({ plain, document }, use) => {
    const tab = await plain.openTab(document)
    await expect.poll(() => isSaved(tab)).toBe(true)
    await use(tab)
  },
})

const isSaved = (tab: Tab): Promise<boolean> =>
  tab.evaluate(`document.querySelector('[aria-label="Save state"]')?.dataset.state === 'saved'`)

/** As the product opens it: by a click, with a handle that its policies take away. */
async function openPanel(plain: PlainBrowser, from: Tab, document: string, panel: PanelId): Promise<Tab> {
  const id = new URL(document).pathname.split('/')[2]!
  const opened = await plain.awaitTab()
  await from.click(
    `window.handle = window.open('${panelPath(id, panel)}#place=${randomId()}', '_blank', 'popup')`,
  )
  const tab = await opened()
  await expect.poll(() => isSaved(tab)).toBe(true)
  return tab
}

const textOf = (tab: Tab): Promise<string> => tab.evaluate(`diptych.doc.getText('title').toString()`)

test('[W1] a panel that main has opened is a process of its own, without a way back to its opener', async ({
  plain,
  main,
  document,
}) => {
  const outline = await openPanel(plain, main, document, 'outline')
  expect(await main.evaluate('window.handle.closed')).toBe(true)
  expect(await outline.evaluate('window.opener === null')).toBe(true)
  expect(await outline.isolate()).not.toBe(await main.isolate())

  // One thread would not answer while the other end of it turns.
  await main.hang()
  expect(await outline.evaluate(`diptych.doc.getText('title').insert(0, 'on')`)).toBeUndefined()
  await outline.evaluate('diptych.whenSaved()')
  await main.unhang()
  await expect.poll(() => textOf(main)).toBe('on')
})

test('[W1] two panels are two processes, though both have one policy', async ({ plain, main, document }) => {
  const outline = await openPanel(plain, main, document, 'outline')
  const preview = await openPanel(plain, main, document, 'preview')
  const processes = await Promise.all([main, outline, preview].map((tab) => tab.isolate()))
  expect(new Set(processes).size).toBe(3)
})

test('[S7] main is hidden behind another tab: its panels are live, and it hears of them', async ({
  plain,
  main,
  document,
}) => {
  const id = new URL(document).pathname.split('/')[2]!
  const preview = await plain.openTab(new URL(panelPath(id, 'preview'), document).href)
  await expect.poll(() => isSaved(preview)).toBe(true)
  expect(await main.evaluate('document.visibilityState')).toBe('hidden')
  await preview.evaluate(`diptych.doc.getText('title').insert(0, 'from the panel')`)
  await preview.evaluate('diptych.whenSaved()')
  await expect.poll(() => textOf(main)).toBe('from the panel')
  await main.evaluate(`diptych.doc.getText('title').insert(0, 'from main, ')`)
  await expect
    .poll(() => preview.evaluate<string>('document.title'))
    .toBe('Preview – from main, from the panel')
  await main.freeze()
  await preview.evaluate(`diptych.doc.getText('title').insert(0, 'still ')`)
  await preview.evaluate('diptych.whenSaved()')
  await expect.poll(() => isSaved(preview)).toBe(true)
  await main.thaw()
  await expect.poll(() => textOf(main)).toBe('still from main, from the panel')
})
