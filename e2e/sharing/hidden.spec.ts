/** Windows of one browser share a stream, and the one that holds it is hidden, frozen, or silent while nobody looks. */
import { expect, test as base } from '../support/fixtures.ts'
import { PlainBrowser, type Tab } from '../support/plain-browser.ts'

/** Three tabs on one document; the first leads, the last is in view. */
const test = base.extend<{ tabs: readonly [Tab, Tab, Tab]; plain: PlainBrowser }>({
  plain: async ({}, use) => {
    const browser = await PlainBrowser.launch()
    await use(browser)
    await browser.close()
  },
  tabs: async ({ plain, door }, use) => {
    const url = (await door.newDocument()).url('editor')
    const settings = await plain.openTab(new URL('/', url).href)
    await settings.evaluate(`localStorage.setItem('diptych.transport', 'sse')`)
    const open = async (): Promise<Tab> => {
      const tab = await plain.openTab(url)
      await expect.poll(() => inUse(tab)).toMatch(/^sse/)
      return tab
    }
    await use([await open(), await open(), await open()])
  },
})

test.use({ scheme: 'http' })

const inUse = (tab: Tab): Promise<string> =>
  tab.evaluate(`(({ transport, sharedBy }) => transport + ' ' + sharedBy)(window.diptych?.transport ?? {})`)

const write = (tab: Tab, token: string): Promise<void> =>
  tab.evaluate(`diptych.doc.getText('title').insert(0, '${token} ')`)

const saved = (tab: Tab): Promise<void> => tab.evaluate('diptych.whenSaved()')

const tokens = async (tab: Tab): Promise<string[]> =>
  (await tab.evaluate<string>(`diptych.doc.getText('title').toString()`)).split(' ').filter(Boolean).sort()

async function expectTokens(tabs: readonly Tab[], expected: string): Promise<void> {
  for (const tab of tabs) {
    await expect.poll(() => tokens(tab)).toEqual(expected.split(' '))
    await saved(tab)
  }
}

test('[T7] a hidden window carries those that are in view', { tag: '@long' }, async ({ tabs }) => {
  const [leader, , shown] = tabs
  expect(await leader.evaluate('document.visibilityState')).toBe('hidden')
  expect(await Promise.all(tabs.map(inUse))).toEqual([
    'sse this window',
    'sse another window',
    'sse another window',
  ])
  await write(shown, 'a')
  await write(leader, 'b')
  await expectTokens(tabs, 'a b')
})

test('[T7] one that is frozen hands over, and follows once it thaws', { tag: '@long' }, async ({ tabs }) => {
  const [leader, second, shown] = tabs
  await write(leader, 'a')
  await leader.freeze()
  await write(shown, 'b')
  await write(second, 'c')
  await expectTokens([second, shown], 'a b c')
  await leader.thaw()
  await leader.show()
  await expectTokens(tabs, 'a b c')
  // The text comes from its neighbours, too, while its own link is still on its way.
  await expect.poll(() => inUse(leader)).toBe('sse another window')
})

test(
  '[T7] one that falls silent is found out by the next that comes into view',
  { tag: '@long' },
  async ({ tabs, plain }) => {
    const [leader, second, last] = tabs
    await plain.openTab('about:blank')
    await leader.hang()
    await write(second, 'a')
    await expect.poll(() => inUse(second)).toBe('sse another window')
    await last.show()
    await write(last, 'b')
    await expectTokens([second, last], 'a b')
    await expect.poll(() => inUse(last)).toBe('sse this window')
    await leader.unhang()
    await leader.show()
    await write(leader, 'c')
    await expectTokens(tabs, 'a b c')
  },
)
