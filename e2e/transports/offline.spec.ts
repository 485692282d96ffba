import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '../fixtures/test.ts'
import { describeTransports, http2Matrix } from '../fixtures/transport-matrix.ts'
import { expectSameLines } from '../fixtures/document-window.ts'
import { RECONNECT_WAIT } from '../fixtures/save-state.ts'

/** Is longer than a window takes to notice that it is offline. */
const OFFLINE_MS = 7_000

/** A writer's silence is noticed after some 5 s; then the browser may offer more dead connections of its pool before it opens a new one. */
const HALF_OPEN_WAIT = { timeout: 60_000 }

describeTransports(
  () => {
    test('offline with typing on both sides', async ({ server, scheme, createDocument, openWindow }) => {
      test.setTimeout(OFFLINE_MS + 120_000)
      const document = await createDocument()
      const offlineWindow = await openWindow(document.url('editor', 'faulty'))
      const onlineWindow = await openWindow(document.url('editor'))
      await offlineWindow.typeAtEnd('\n')
      await onlineWindow.expectLines('\n')
      await offlineWindow.focusStart()
      await onlineWindow.focusEnd()

      server.proxy(scheme).goOffline()
      const end = Date.now() + OFFLINE_MS
      let typed = ''
      while (Date.now() < end) {
        await Promise.all([offlineWindow.type('away '), onlineWindow.type('here ')])
        typed += 'away '
        await sleep(2000)
      }
      await expect(offlineWindow.saveState).not.toHaveText('Saved')
      await onlineWindow.expectLines(`\n${typed.replaceAll('away', 'here')}`)
      await offlineWindow.expectLines(`${typed}\n`)

      server.proxy(scheme).heal()
      await expectSameLines(
        [offlineWindow, onlineWindow],
        `${typed}\n${typed.replaceAll('away', 'here')}`,
        RECONNECT_WAIT,
      )
    })
  },
  http2Matrix.slice(0, 2),
)

// This transport uses the browser's pool of connections.
test.describe('by sse', () => {
  test.use({ transport: 'sse' })
  test(
    '[S7] a half-open link is noticed, and nothing is lost',
    { tag: '@long' },
    async ({ server, scheme, createDocument, openWindow }) => {
      test.slow()
      const document = await createDocument()
      const window = await openWindow(document.url('editor', 'faulty'))
      const other = await openWindow(document.url('editor'))
      await window.typeAtEnd('before, ')
      await other.expectLines('before, ')
      server.proxy(scheme).makeHalfOpen()
      await window.type('during, ')
      await expect(window.saveState).not.toHaveText('Saved')
      await expectSameLines([window, other], 'before, during, ', HALF_OPEN_WAIT)
      await window.typeAtEnd('after')
      await expectSameLines([window, other], 'before, during, after')
    },
  )
})
