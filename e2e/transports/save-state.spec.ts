import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '../fixtures/test.ts'
import { expectSameLines } from '../fixtures/document-window.ts'

test.use({ transport: 'websocket' })

test('[D1] with the commit held back no window says Saved and no other shows the edit', async ({
  server,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWindow(document.url('editor'))
  const reader = await openWindow(document.url('editor'))
  await writer.typeAtEnd('kept')
  await expectSameLines([writer, reader], 'kept')

  const windows = [writer, reader]
  await server.holdCommits()
  try {
    await writer.type(' back')
    await expect(writer.saveState).toHaveText(/^Sending \d+ changes?$/)
    const newcomer = await openWindow(document.url('viewer'), { ready: false })
    // Two seconds are long in comparison with a commit and a round trip: a leak would show within them.
    for (let look = 0; look < 10; look++) {
      await sleep(200)
      expect(await writer.saveState.textContent()).not.toBe('Saved')
      expect(await reader.readLines()).toBe('kept')
      expect(await newcomer.page.content()).not.toContain('kept back')
    }
    windows.push(newcomer)
  } finally {
    await server.releaseCommits()
  }
  await expectSameLines(windows, 'kept back')
})
