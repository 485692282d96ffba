/**
 * Windows of one browser that use server-sent events over HTTP/1.1 share one connection, because the browser opens six at most. A worker
 * holds that connection. The browser runs the worker in the process of the first window, and it ends with that process.
 */
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import { crashPage } from '../fixtures/crash-page.ts'
import { expect, test } from '../fixtures/test.ts'
import { textIn } from '../fixtures/document-text.ts'
import { PageNetworkLog } from '../fixtures/page-network-log.ts'
import { lettersOfAuthor } from '../fixtures/letters-of-author.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { expectSameLines } from '../fixtures/document-window.ts'

test.use({ scheme: 'http' })

const letters = 'abcdefghijklmnop'
const digits = '0123456789012345'

/** Returns for each window how many streams the page holds, and the worker. */
const countStreams = (windows: readonly DocumentWindow[]): number[][] =>
  windows.map(({ networkLog }) => [networkLog.pageLinks, networkLog.workerLinks])

/** Expects the browser to report that the worker holds one stream, and the pages none. */
async function expectOneStream(windows: readonly DocumentWindow[]): Promise<void> {
  try {
    await expect.poll(() => countStreams(windows)).toEqual(windows.map(() => [0, 1]))
  } catch (error) {
    throw new Error(`The streams of the windows:\n${await describeConnections(windows)}`, { cause: error })
  }
}

/** Describes the links of each window, as the browser and the window report them. */
async function describeConnections(windows: readonly DocumentWindow[]): Promise<string> {
  const lines = windows.map(async ({ page, networkLog }, index) => {
    const own = await page.evaluate(() => [
      window.diptych?.transport,
      window.diptych?.status.get().link,
      window.diptych?.stats(),
    ])
    return `${index}: ${networkLog.pageLinks} + ${networkLog.workerLinks} open, ${JSON.stringify(own)}`
  })
  return (await Promise.all(lines)).join('\n')
}

/** Lets two windows write at one place while something happens. Expects all windows to show the same text, complete and saved. */
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

async function hangPage(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: 'setTimeout(() => { for (;;); })' })
  return session
}

/** Eight windows on one document. */
async function openEight(
  context: BrowserContext,
  url: string,
  openWindowIn: (context: BrowserContext, url: string) => Promise<DocumentWindow>,
): Promise<DocumentWindow[]> {
  const windows = [await openWindowIn(context, url)]
  await windows[0]!.chooseTransport('sse') // windows that open later use it, too
  while (windows.length < 8) windows.push(await openWindowIn(context, url))
  return windows
}

for (const scheme of ['http', 'https'] as const)
  test.describe(`over ${scheme}`, () => {
    test.use({ scheme })

    test(
      '[T7] eight windows share one stream, and nothing is lost when the first is closed, and others crash and hang',
      { tag: '@long' },
      async ({ browser, createDocument, openWindowIn }, info) => {
        test.slow() // eight pages compute at once
        const document = await createDocument()
        const context = await browser.newContext()
        if (scheme === 'https')
          await context.addInitScript(() => localStorage.setItem('diptych.sharing', 'always'))
        let windows = await openEight(context, document.url('editor'), openWindowIn)
        let text = ''
        for (const [index, window] of windows.entries()) {
          await window.expectTransport('sse')
          await window.typeAtEnd(`${(text += `${index}`).at(-1)}`)
        }
        await expectSameLines(windows, text)
        await expectOneStream(windows)

        const expectWritesWithoutFirst = async (
          end: (first: DocumentWindow) => Promise<unknown>,
        ): Promise<DocumentWindow> => {
          const [first, ...others] = windows as [DocumentWindow, ...DocumentWindow[]]
          windows = others
          await expectWritesDuring(windows, async () => void (await end(first)))
          await expectOneStream(windows)
          return first
        }
        await expectWritesWithoutFirst(({ page }) => page.close())
        await expectWritesWithoutFirst(({ page }) => crashPage(page))
        let hangingSession: CDPSession | undefined
        const hangingWindow = await expectWritesWithoutFirst(
          async ({ page }) => (hangingSession = await hangPage(page)),
        )
        const gaps = await readLongestGaps(windows)
        info.annotations.push({ type: 'longest gap in ms', description: gaps.join(', ') })

        await hangingSession!.send('Runtime.terminateExecution')
        windows.push(hangingWindow)
        await expectWritesDuring(windows, async () => {})
        await expectOneStream(windows)
      },
    )
  })

test('a stream that the worker opened before it was recorded is counted @long', async ({
  browser,
  createDocument,
}) => {
  const document = await createDocument()
  await using context = await browser.newContext()
  await context.addInitScript(() => localStorage.setItem('diptych.transport', 'sse'))
  const open = async (url: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(url)
    await expect(textIn(page)).toBeEditable()
    return page
  }
  await open(document.url('editor'))
  const page = await open(document.url('editor'))
  const networkLog = await PageNetworkLog.attachTo(page)
  await textIn(page).pressSequentially('x')
  await expect.poll(() => [networkLog.pageLinks, networkLog.workerLinks]).toEqual([0, 1])
})

test('[T7] a window that shares the stream reloads, and the others do not notice @long', async ({
  browser,
  createDocument,
  openWindowIn,
}) => {
  const document = await createDocument()
  const context = await browser.newContext()
  const first = await openWindowIn(context, document.url('editor'))
  await first.chooseTransport('sse')
  const others = [
    await openWindowIn(context, document.url('editor')),
    await openWindowIn(context, document.url('editor')),
  ]
  await others[0]!.typeAtEnd('x')
  await expectOneStream([first, ...others])
  await expectWritesDuring(others, async () => void (await first.page.reload()))
  expect(await readLongestGaps(others)).toEqual([0, 0])
  await first.expectReady()
  await first.withConnectionDialog(async (dialog) => {
    await expect(dialog.getByRole('region', { name: 'In use' })).toContainText('With your other windows')
  })
  await expectOneStream([first, ...others])
  await expectWritesDuring([first, ...others], async () => {})
})

test(
  '[T7] a person who wants no sharing gets a stream for each window, and back',
  { tag: '@long' },
  async ({ browser, createDocument, openWindowIn }) => {
    const document = await createDocument()
    const context = await browser.newContext()
    const windows = [await openWindowIn(context, document.url('editor'))]
    await windows[0]!.chooseTransport('sse')
    windows.push(await openWindowIn(context, document.url('editor')))
    const [first, second] = windows as [DocumentWindow, DocumentWindow]
    await expectOneStream(windows)
    const setSharing = (sharing: string) =>
      second.withConnectionDialog(async (dialog) => {
        await dialog.getByLabel('Share one connection among my windows').selectOption(sharing)
      })
    await setSharing('Never')
    await expect
      .poll(() => countStreams(windows))
      .toEqual([
        [1, 0],
        [1, 0],
      ])
    await first.typeAtEnd('x')
    await expectWritesDuring(windows, async () => {})
    await setSharing('Automatic')
    await expectOneStream(windows)
    await expectWritesDuring(windows, async () => {})
  },
)
