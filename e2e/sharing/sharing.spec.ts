/**
 * Windows of one browser by server-sent events over HTTP/1.1, where six connections are all that it opens: they share one, and
 * outlive whichever of them holds it.
 */
import type { CDPSession, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { inOrder } from '../support/order.ts'
import type { Window } from '../support/window.ts'
import { expectEqual } from '../support/window.ts'

test.use({ scheme: 'http' })

const letters = 'abcdefghijklmnop'
const digits = '0123456789012345'

/** The one that holds the stream, by what the browser itself reports. */
async function leaderOf(windows: readonly Window[]): Promise<Window> {
  const leaders = (): Window[] => windows.filter(({ wire }) => wire.openLinks > 0)
  try {
    await expect.poll(() => leaders().length).toBe(1)
  } catch (error) {
    throw new Error(`${leaders().length} windows hold a stream:\n${await connectionsOf(windows)}`, {
      cause: error,
    })
  }
  return leaders()[0]!
}

/** What the browser and each window itself say of its links. */
async function connectionsOf(windows: readonly Window[]): Promise<string> {
  const lines = windows.map(async ({ page, wire }, index) => {
    const own = await page.evaluate(() => [
      window.diptych?.transport,
      window.diptych?.status.get().link,
      window.diptych?.stats(),
    ])
    return `${index}: ${wire.openLinks} open, ${JSON.stringify(own)}`
  })
  return (await Promise.all(lines)).join('\n')
}

/** Two of them write at one place while something happens; then all have the very same text, with all of it, and it is saved. */
async function writeDuring(windows: readonly Window[], happen: () => Promise<void>): Promise<void> {
  const [one, two] = windows as [Window, Window]
  const before = await one.lines()
  for (const window of [one, two]) await window.focusEnd()
  await Promise.all([one.type(letters), two.type(digits), happen()])
  const written = async () => (await one.lines()).slice(before.length)
  await expect.poll(async () => (await written()).length).toBe(letters.length + digits.length)
  const text = await written()
  expect([inOrder(text, /[a-z]/g), inOrder(text, /\d/g)]).toEqual([letters, digits])
  await expectEqual(windows, before + text)
}

/** Milliseconds without a link, as the windows themselves count them. Reported, not judged. */
const longestGaps = (windows: readonly Window[]): Promise<number[]> =>
  Promise.all(
    windows.map(({ page }) => page.evaluate(() => Math.round(window.diptych?.stats().longestGapMs ?? -1))),
  )

async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  void session.send('Page.crash').catch(() => {}) // nobody is left to answer
  await crashed
}

/** A freeze without notice: the page does not get to say that others are to take over. */
async function hang(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: 'setTimeout(() => { for (;;); })' })
  return session
}

test(
  '[T7] eight windows share one stream, and nothing is lost when the one that holds it is closed, crashes, hangs',
  { tag: '@long' },
  async ({ browser, door, openWindowOf }, info) => {
    test.slow() // eight pages compute at once
    const document = await door.newDocument()
    const context = await browser.newContext()
    let windows = [await openWindowOf(context, document.url('editor'))]
    await windows[0]!.choose('sse') // and so is it for the windows that open later
    while (windows.length < 8) windows.push(await openWindowOf(context, document.url('editor')))
    let text = ''
    for (const [index, window] of windows.entries()) {
      await window.expectInUse('sse')
      await window.append(`${(text += `${index}`).at(-1)}`)
    }
    await expectEqual(windows, text)

    const without = async (end: (leader: Window) => Promise<unknown>): Promise<Window> => {
      const leader = await leaderOf(windows)
      windows = windows.filter((window) => window !== leader)
      await writeDuring(windows, async () => void (await end(leader)))
      return leader
    }
    await without(({ page }) => page.close())
    await without(({ page }) => crash(page))
    let hanging: CDPSession | undefined
    const hung = await without(async ({ page }) => (hanging = await hang(page)))
    const gaps = await longestGaps(windows)
    info.annotations.push({ type: 'longest gap in ms', description: gaps.join(', ') })

    await hanging!.send('Runtime.terminateExecution')
    windows.push(hung)
    await writeDuring(windows, async () => {})
    await leaderOf(windows)
  },
)

test('[T7] the window that holds the stream reloads: another one does, and it comes back through that one', async ({
  browser,
  door,
  openWindowOf,
}) => {
  const document = await door.newDocument()
  const context = await browser.newContext()
  const leader = await openWindowOf(context, document.url('editor'))
  await leader.choose('sse')
  const others = [
    await openWindowOf(context, document.url('editor')),
    await openWindowOf(context, document.url('editor')),
  ]
  await others[0]!.append('x')
  await writeDuring(others, async () => void (await leader.page.reload()))
  await leader.expectReady()
  await leader.inConnection(async (dialog) => {
    await expect(dialog.getByRole('region', { name: 'In use' })).toContainText('Through another window')
  })
  await writeDuring([leader, ...others], async () => {})
})

test(
  '[T7] a person who wants no sharing gets a stream for each window, and back',
  { tag: '@long' },
  async ({ browser, door, openWindowOf }) => {
    const document = await door.newDocument()
    const context = await browser.newContext()
    const windows = [await openWindowOf(context, document.url('editor'))]
    await windows[0]!.choose('sse')
    windows.push(await openWindowOf(context, document.url('editor')))
    const [first, second] = windows as [Window, Window]
    const streams = () => first.wire.openLinks + second.wire.openLinks
    await expect.poll(streams).toBe(1)
    const set = (sharing: string) =>
      second.inConnection(async (dialog) => {
        await dialog.getByLabel('Share one connection among my windows').selectOption(sharing)
      })
    await set('Never')
    await expect.poll(streams).toBe(2)
    await first.append('x')
    await writeDuring(windows, async () => {})
    await set('Automatic')
    await expect.poll(streams).toBe(1)
    await writeDuring(windows, async () => {})
  },
)
