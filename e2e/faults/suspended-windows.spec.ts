import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { openWriter } from '../fixtures/document-writer.ts'
import type { OpenableDocument } from '../fixtures/openable-document.ts'
import { expect, test } from '../fixtures/test.ts'
import { DevToolsBrowser, type BrowserTab } from '../fixtures/devtools-browser.ts'

/** Longer than two heartbeats, after which a silent client counts as lost. */
const SUSPENDED_MS = Number(process.env.AWAY_MS ?? 26_000)

const saveStateExpression = `document.querySelector('[aria-label="Save state"]')?.textContent`
const titleExpression = `document.querySelector('[aria-label="Title"]')?.value`
const textExpression = `document.querySelector('[aria-label="Document"]')?.innerText.trim()`
/** Records every label that the page gives its connection from now on. */
const recordConnectionScript = `(() => {
  const label = document.querySelector('#connection-state')
  window.connectionLabels = [label.textContent]
  new MutationObserver(() => window.connectionLabels.push(label.textContent))
    .observe(label, { characterData: true, childList: true, subtree: true })
})()`

interface SuspendedWindow {
  readonly page: BrowserTab
  readonly other: OpenDocument
}

test(
  'window hidden, frozen, asleep: no false alarm, it catches up at once, and unsent edits arrive',
  { tag: '@long' },
  async ({ server, createDocument }) => {
    await using stack = new AsyncDisposableStack()
    const launch = async () => stack.adopt(await DevToolsBrowser.launch(), (browser) => browser.close())
    const [visibleBrowser, sleepingBrowser] = [await launch(), await launch()]
    const open = async (browser: DevToolsBrowser, document: OpenableDocument): Promise<SuspendedWindow> => {
      const page = await browser.openTab(document.url('editor'))
      const other = await openWriter(server.origin('https'), document)
      await expect.poll(() => page.evaluate(saveStateExpression)).toBe('Saved')
      await page.evaluate(recordConnectionScript)
      return { page, other }
    }
    const hidden = await open(visibleBrowser, await createDocument())
    await server.holdCommits()
    await hidden.page.type('hidden')
    await server.releaseCommits()
    await expect.poll(() => hidden.page.evaluate(saveStateExpression)).toBe('Saved')
    const frozen = await open(visibleBrowser, await createDocument())
    const asleep = await open(sleepingBrowser, await createDocument())
    expect(await hidden.page.evaluate('document.visibilityState')).toBe('hidden')

    // This text is on its way when the window is suspended, or still in the window.
    await server.holdCommits()
    await frozen.page.type('frozen')
    await asleep.page.type('asleep')
    await visibleBrowser.openTab('about:blank')
    await frozen.page.freeze()
    sleepingBrowser.suspend()
    await server.releaseCommits()
    const others = [hidden, frozen, asleep].map(({ other }) => other)
    for (const { doc } of others) doc.getText('title').insert(0, 'meanwhile')
    await Promise.all(others.map((other) => other.whenSaved()))
    await sleep(SUSPENDED_MS)

    expect(await hidden.page.evaluate(titleExpression)).toBe('meanwhile')
    expect(
      await hidden.page.evaluate('window.connectionLabels.filter((word) => !word.startsWith("Connected"))'),
    ).toEqual([])
    await frozen.page.thaw()
    sleepingBrowser.resume()
    await hidden.page.show()
    for (const [word, { page, other }] of Object.entries({ hidden, frozen, asleep })) {
      await expect.poll(() => page.evaluate(titleExpression), { timeout: 15_000 }).toBe('meanwhile')
      await expect.poll(() => page.evaluate(textExpression)).toBe(word)
      await expect.poll(() => page.evaluate(saveStateExpression)).toBe('Saved')
      await expect.poll(() => other.doc.getXmlFragment('default').toJSON()).toContain(word)
      await other.close()
    }
  },
)
