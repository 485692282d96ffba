/**
 * Windows of one browser share a stream. A worker holds it, in the process of the first window, which is hidden, frozen, or hangs in
 * these tests.
 */
import type { BrowserTab } from '../fixtures/devtools-browser.ts'
import { expect, test as base } from '../fixtures/devtools-test.ts'

/** Three tabs on one document; the last is in view. */
const test = base.extend<{ tabs: readonly [BrowserTab, BrowserTab, BrowserTab] }>({
  tabs: async ({ devToolsBrowser, createDocument }, use) => {
    const url = (await createDocument()).url('editor')
    const settings = await devToolsBrowser.openTab(new URL('/', url).href)
    await settings.evaluate(`localStorage.setItem('diptych.transport', 'sse')`)
    const open = async (): Promise<BrowserTab> => {
      const tab = await devToolsBrowser.openTab(url)
      await expect.poll(() => readTransport(tab)).toBe('sse shared')
      return tab
    }
    await use([await open(), await open(), await open()])
  },
})

test.use({ scheme: 'http' })

const readTransport = (tab: BrowserTab): Promise<string> =>
  tab.evaluate(
    `(({ transport, shared }) => transport + (shared ? ' shared' : ''))(window.diptych?.transport ?? {})`,
  )

/** Milliseconds without a link, as the window itself counts them. */
const readLongestGap = (tab: BrowserTab): Promise<number> => tab.evaluate('diptych.stats().longestGapMs')

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

test('[T7] the first window is hidden, and the others go on', { tag: '@long' }, async ({ tabs }) => {
  const [firstTab, , visibleTab] = tabs
  expect(await firstTab.evaluate('document.visibilityState')).toBe('hidden')
  await writeToken(visibleTab, 'a')
  await writeToken(firstTab, 'b')
  await expectTokens(tabs, 'a b')
})

test(
  '[T7] the first window is frozen: the others go on, and it has their text once it thaws',
  { tag: '@long' },
  async ({ tabs }) => {
    const [firstTab, secondTab, visibleTab] = tabs
    await writeToken(firstTab, 'a')
    await expectTokens(tabs, 'a')
    await firstTab.freeze()
    await writeToken(visibleTab, 'b')
    await writeToken(secondTab, 'c')
    await expectTokens([secondTab, visibleTab], 'a b c')
    expect(await Promise.all([secondTab, visibleTab].map(readLongestGap))).toEqual([0, 0])
    await firstTab.thaw()
    await firstTab.show()
    await expectTokens(tabs, 'a b c')
    // The text comes from its neighbours, too, while its own link is still on its way.
    await expect.poll(() => readTransport(firstTab)).toBe('sse shared')
  },
)

test(
  '[T7] the first window hangs while nobody looks: the others go on, and one that opens meanwhile has a stream of its own',
  { tag: '@long' },
  async ({ tabs, devToolsBrowser }) => {
    const [firstTab, secondTab, lastTab] = tabs
    await devToolsBrowser.openTab('about:blank')
    await firstTab.hang()
    await writeToken(secondTab, 'a')
    await waitUntilSaved(secondTab)
    await writeToken(lastTab, 'b')
    await expectTokens([secondTab, lastTab], 'a b')
    expect(await Promise.all([secondTab, lastTab].map(readLongestGap))).toEqual([0, 0])
    const newTab = await devToolsBrowser.openTab(await lastTab.evaluate<string>('location.href'))
    await expect.poll(() => readTransport(newTab)).toBe('sse')
    await writeToken(newTab, 'c')
    await firstTab.stopHanging()
    await firstTab.show()
    await writeToken(firstTab, 'd')
    await expectTokens([...tabs, newTab], 'a b c d')
    await expect.poll(() => readTransport(firstTab)).toBe('sse shared')
  },
)
