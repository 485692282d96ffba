/**
 * Windows of one browser by server-sent events over HTTP/1.1, where six connections are all that it opens: they share one, and
 * outlive whichever of them holds it.
 */
import type { CDPSession, Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { lettersOfAuthor } from '../fixtures/letters-of-author.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { expectSameLines } from '../fixtures/document-window.ts'

test.use({ scheme: 'http' })

const letters = 'abcdefghijklmnop'
const digits = '0123456789012345'

/** The one that holds the stream, by what the browser itself reports. */
async function leaderOf(windows: readonly DocumentWindow[]): Promise<DocumentWindow> {
  const leaders = (): DocumentWindow[] => windows.filter(({ wire }) => wire.openLinks > 0)
  try {
    await expect.poll(() => leaders().length).toBe(1)
  } catch (error) {
    throw new Error(`${leaders().length} windows hold a stream:\n${await describeConnections(windows)}`, {
      cause: error,
    })
  }
  return leaders()[0]!
}

/** What the browser and each window itself say of its links. */
async function describeConnections(windows: readonly DocumentWindow[]): Promise<string> {
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
async function expectWritesDuring(
  windows: readonly DocumentWindow[],
  act: () => Promise<void>,
): Promise<void> {
  const [firstWriter, secondWriter] = windows as [DocumentWindow, DocumentWindow]
  const linesBefore = await firstWriter.readLines()
  for (const window of [firstWriter, secondWriter]) await window.focusEnd()
  await Promise.all([firstWriter.type(letters), secondWriter.type(digits), act()])
  const readWritten = async () => (await firstWriter.readLines()).slice(linesBefore.length)
  await expect.poll(async () => (await readWritten()).length).toBe(letters.length + digits.length)
  const text = await readWritten()
  expect([lettersOfAuthor(text, /[a-z]/g), lettersOfAuthor(text, /\d/g)]).toEqual([letters, digits])
  await expectSameLines(windows, linesBefore + text)
}

/** Milliseconds without a link, as the windows themselves count them. Reported, not judged. */
const readLongestGaps = (windows: readonly DocumentWindow[]): Promise<number[]> =>
  Promise.all(
    windows.map(({ page }) => page.evaluate(() => Math.round(window.diptych?.stats().longestGapMs ?? -1))),
  )

async function crashLeader(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  void session.send('Page.crash').catch(() => {}) // nobody is left to answer
  await crashed
}

/** A freeze without notice: the page does not get to say that others are to take over. */
async function hangPage(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: 'setTimeout(() => { for (;;); })' })
  return session
}

test(
  '[T7] eight windows share one stream, and nothing is lost when the one that holds it is closed, crashes, hangs',
  { tag: '@long' },
  async ({ browser, door, openWindowIn }, info) => {
    test.slow() // eight pages compute at once
    const document = await door.createDocument()
    const context = await browser.newContext()
    let windows = [await openWindowIn(context, document.url('editor'))]
    await windows[0]!.chooseTransport('sse') // and so is it for the windows that open later
    while (windows.length < 8) windows.push(await openWindowIn(context, document.url('editor')))
    let text = ''
    for (const [index, window] of windows.entries()) {
      await window.expectTransport('sse')
      await window.typeAtEnd(`${(text += `${index}`).at(-1)}`)
    }
    await expectSameLines(windows, text)

    const expectWritesWithout = async (
      end: (leader: DocumentWindow) => Promise<unknown>,
    ): Promise<DocumentWindow> => {
      const leader = await leaderOf(windows)
      windows = windows.filter((window) => window !== leader)
      await expectWritesDuring(windows, async () => void (await end(leader)))
      return leader
    }
    await expectWritesWithout(({ page }) => page.close())
    await expectWritesWithout(({ page }) => crashLeader(page))
    let hangingSession: CDPSession | undefined
    const hangingWindow = await expectWritesWithout(
      async ({ page }) => (hangingSession = await hangPage(page)),
    )
    const gaps = await readLongestGaps(windows)
    info.annotations.push({ type: 'longest gap in ms', description: gaps.join(', ') })

    await hangingSession!.send('Runtime.terminateExecution')
    windows.push(hangingWindow)
    await expectWritesDuring(windows, async () => {})
    await leaderOf(windows)
  },
)

test('[T7] the window that holds the stream reloads: another one does, and it comes back through that one', async ({
  browser,
  door,
  openWindowIn,
}) => {
  const document = await door.createDocument()
  const context = await browser.newContext()
  const leader = await openWindowIn(context, document.url('editor'))
  await leader.chooseTransport('sse')
  const followers = [
    await openWindowIn(context, document.url('editor')),
    await openWindowIn(context, document.url('editor')),
  ]
  await followers[0]!.typeAtEnd('x')
  await expectWritesDuring(followers, async () => void (await leader.page.reload()))
  await leader.expectReady()
  await leader.withConnectionDialog(async (dialog) => {
    await expect(dialog.getByRole('region', { name: 'In use' })).toContainText('Through another window')
  })
  await expectWritesDuring([leader, ...followers], async () => {})
})

test(
  '[T7] a person who wants no sharing gets a stream for each window, and back',
  { tag: '@long' },
  async ({ browser, door, openWindowIn }) => {
    const document = await door.createDocument()
    const context = await browser.newContext()
    const windows = [await openWindowIn(context, document.url('editor'))]
    await windows[0]!.chooseTransport('sse')
    windows.push(await openWindowIn(context, document.url('editor')))
    const [first, second] = windows as [DocumentWindow, DocumentWindow]
    const countStreams = () => first.wire.openLinks + second.wire.openLinks
    await expect.poll(countStreams).toBe(1)
    const setSharing = (sharing: string) =>
      second.withConnectionDialog(async (dialog) => {
        await dialog.getByLabel('Share one connection among my windows').selectOption(sharing)
      })
    await setSharing('Never')
    await expect.poll(countStreams).toBe(2)
    await first.typeAtEnd('x')
    await expectWritesDuring(windows, async () => {})
    await setSharing('Automatic')
    await expect.poll(countStreams).toBe(1)
    await expectWritesDuring(windows, async () => {})
  },
)
