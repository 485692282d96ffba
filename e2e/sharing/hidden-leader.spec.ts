/** Windows of one browser share a stream, and the one that holds it is hidden, frozen, or silent while nobody looks. */
import { expect, test as base } from '../fixtures/test.ts'
import { DevToolsBrowser, type BrowserTab } from '../fixtures/devtools-browser.ts'

/** Three tabs on one document; the first leads, the last is in view. */
const test = base.extend<{
  tabs: readonly [BrowserTab, BrowserTab, BrowserTab]
  devToolsBrowser: DevToolsBrowser
}>({
  devToolsBrowser: async ({}, use) => {
    const browser = await DevToolsBrowser.launch()
    await use(browser)
    await browser.close()
  },
  tabs: async ({ devToolsBrowser, door }, use) => {
    const url = (await door.createDocument()).url('editor')
    const settings = await devToolsBrowser.openTab(new URL('/', url).href)
    await settings.evaluate(`localStorage.setItem('diptych.transport', 'sse')`)
    const open = async (): Promise<BrowserTab> => {
      const tab = await devToolsBrowser.openTab(url)
      await expect.poll(() => readTransport(tab)).toMatch(/^sse/)
      return tab
    }
    await use([await open(), await open(), await open()])
  },
})

test.use({ scheme: 'http' })

const readTransport = (tab: BrowserTab): Promise<string> =>
  tab.evaluate(`(({ transport, sharedBy }) => transport + ' ' + sharedBy)(window.diptych?.transport ?? {})`)

const writeToken = (tab: BrowserTab, token: string): Promise<void> =>
  tab.evaluate(`diptych.doc.getText('title').insert(0, '${token} ')`)

const waitUntilSaved = (tab: BrowserTab): Promise<void> => tab.evaluate('diptych.whenSaved()')

const readTokens = async (tab: BrowserTab): Promise<string[]> =>
  (await tab.evaluate<string>(`diptych.doc.getText('title').toString()`)).split(' ').filter(Boolean).sort()

async function expectTokens(tabs: readonly BrowserTab[], expected: string): Promise<void> {
  for (const tab of tabs) {
    await expect.poll(() => readTokens(tab)).toEqual(expected.split(' '))
    await waitUntilSaved(tab)
  }
}

test('[T7] a hidden window carries those that are in view', { tag: '@long' }, async ({ tabs }) => {
  const [leaderTab, , visibleTab] = tabs
  expect(await leaderTab.evaluate('document.visibilityState')).toBe('hidden')
  expect(await Promise.all(tabs.map(readTransport))).toEqual([
    'sse this window',
    'sse another window',
    'sse another window',
  ])
  await writeToken(visibleTab, 'a')
  await writeToken(leaderTab, 'b')
  await expectTokens(tabs, 'a b')
})

test('[T7] one that is frozen hands over, and follows once it thaws', { tag: '@long' }, async ({ tabs }) => {
  const [leaderTab, secondTab, visibleTab] = tabs
  await writeToken(leaderTab, 'a')
  await leaderTab.freeze()
  await writeToken(visibleTab, 'b')
  await writeToken(secondTab, 'c')
  await expectTokens([secondTab, visibleTab], 'a b c')
  await leaderTab.thaw()
  await leaderTab.show()
  await expectTokens(tabs, 'a b c')
  // The text comes from its neighbours, too, while its own link is still on its way.
  await expect.poll(() => readTransport(leaderTab)).toBe('sse another window')
})

test(
  '[T7] one that falls silent is found out by the next that comes into view',
  { tag: '@long' },
  async ({ tabs, devToolsBrowser }) => {
    const [leaderTab, secondTab, lastTab] = tabs
    await devToolsBrowser.openTab('about:blank')
    await leaderTab.hang()
    await writeToken(secondTab, 'a')
    await expect.poll(() => readTransport(secondTab)).toBe('sse another window')
    await lastTab.show()
    await writeToken(lastTab, 'b')
    await expectTokens([secondTab, lastTab], 'a b')
    await expect.poll(() => readTransport(lastTab)).toBe('sse this window')
    await leaderTab.stopHanging()
    await leaderTab.show()
    await writeToken(leaderTab, 'c')
    await expectTokens(tabs, 'a b c')
  },
)
