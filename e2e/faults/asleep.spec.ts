import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import type { SharedDocument } from '../support/documents.ts'
import { expect, test } from '../support/fixtures.ts'
import { PlainBrowser, type Tab } from '../support/plain-browser.ts'

/** Longer than two heartbeats: whoever is silent for so long is given up. */
const AWAY_MS = Number(process.env.AWAY_MS ?? 26_000)

const saveState = `document.querySelector('[aria-label="Save state"]')?.textContent`
const title = `document.querySelector('[aria-label="Title"]')?.value`
const text = `document.querySelector('[aria-label="Document"]')?.innerText.trim()`
/** Everything that the page says about its connection from now on. */
const record = `(() => {
  const label = document.querySelector('#connection-state')
  window.said = [label.textContent]
  new MutationObserver(() => window.said.push(label.textContent))
    .observe(label, { characterData: true, childList: true, subtree: true })
})()`

interface Away {
  readonly page: Tab
  readonly other: OpenDocument
}

test(
  'window hidden, frozen, asleep: no false alarm, it catches up at once, and unsent edits arrive',
  { tag: '@long' },
  async ({ server, door }) => {
    await using stack = new AsyncDisposableStack()
    const launch = async () => stack.adopt(await PlainBrowser.launch(), (browser) => browser.close())
    const [tabs, sleeper] = [await launch(), await launch()]
    const open = async (browser: PlainBrowser, { id, tokens, url }: SharedDocument): Promise<Away> => {
      const page = await browser.openTab(url('editor'))
      const address = { url: server.origin('https'), document: id, token: tokens.editor, insecure: true }
      const other = openDocument(address)
      await other.whenSynced
      await expect.poll(() => page.evaluate(saveState)).toBe('Saved')
      await page.evaluate(record)
      return { page, other }
    }
    const hidden = await open(tabs, await door.newDocument())
    await server.holdCommits()
    await hidden.page.type('hidden')
    await server.releaseCommits()
    await expect.poll(() => hidden.page.evaluate(saveState)).toBe('Saved')
    const frozen = await open(tabs, await door.newDocument())
    const asleep = await open(sleeper, await door.newDocument())
    expect(await hidden.page.evaluate('document.visibilityState')).toBe('hidden')

    // The text typed here is on its way when the window goes, or still in the window.
    await server.holdCommits()
    await frozen.page.type('frozen')
    await asleep.page.type('asleep')
    await tabs.openTab('about:blank')
    await frozen.page.freeze()
    sleeper.sleep()
    await server.releaseCommits()
    const others = [hidden, frozen, asleep].map(({ other }) => other)
    for (const { doc } of others) doc.getText('title').insert(0, 'meanwhile')
    await Promise.all(others.map((other) => other.whenSaved()))
    await sleep(AWAY_MS)

    expect(await hidden.page.evaluate(title)).toBe('meanwhile')
    expect(await hidden.page.evaluate('window.said.filter((word) => !word.startsWith("Connected"))')).toEqual(
      [],
    )
    await frozen.page.thaw()
    sleeper.wake()
    await hidden.page.show()
    for (const [word, { page, other }] of Object.entries({ hidden, frozen, asleep })) {
      await expect.poll(() => page.evaluate(title), { timeout: 15_000 }).toBe('meanwhile')
      await expect.poll(() => page.evaluate(text)).toBe(word)
      await expect.poll(() => page.evaluate(saveState)).toBe('Saved')
      await expect.poll(() => other.doc.getXmlFragment('default').toJSON()).toContain(word)
      await other.close()
    }
  },
)
