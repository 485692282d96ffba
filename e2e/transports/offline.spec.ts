import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '../support/fixtures.ts'
import { describeTransports, http2Matrix } from '../support/transport-matrix.ts'
import { expectEqual } from '../support/window.ts'

/** Longer than it takes to notice. */
const OFFLINE_MS = 7_000

/** The longest wait between two tries, and some. */
const RECONNECT = { timeout: 30_000 }

/** A writer's silence is noticed after some 5 s; then the browser may offer more dead connections of its pool before it opens a new one. */
const HALF_OPEN = { timeout: 60_000 }

describeTransports(
  () => {
    test('offline with typing on both sides', async ({ server, scheme, door, openWindow }) => {
      test.setTimeout(OFFLINE_MS + 120_000)
      const document = await door.newDocument()
      const away = await openWindow(document.url('editor', 'faulty'))
      const here = await openWindow(document.url('editor'))
      await away.append('\n')
      await here.expectLines('\n')
      await away.focusStart()
      await here.focusEnd()

      server.proxy(scheme).goOffline()
      const end = Date.now() + OFFLINE_MS
      let typed = ''
      while (Date.now() < end) {
        await Promise.all([away.type('away '), here.type('here ')])
        typed += 'away '
        await sleep(2000)
      }
      await expect(away.saveState).not.toHaveText('Saved')
      await here.expectLines(`\n${typed.replaceAll('away', 'here')}`)
      await away.expectLines(`${typed}\n`)

      server.proxy(scheme).heal()
      await expectEqual([away, here], `${typed}\n${typed.replaceAll('away', 'here')}`, RECONNECT)
    })
  },
  http2Matrix.slice(0, 2),
)

// Where the browser shares its pool of connections.
test.describe('by sse', () => {
  test.use({ transport: 'sse' })
  test(
    '[S7] a half-open link is noticed, and nothing is lost',
    { tag: '@long' },
    async ({ server, scheme, door, openWindow }) => {
      test.slow()
      const document = await door.newDocument()
      const window = await openWindow(document.url('editor', 'faulty'))
      const other = await openWindow(document.url('editor'))
      await window.append('before, ')
      await other.expectLines('before, ')
      server.proxy(scheme).halfOpen()
      await window.type('during, ')
      await expect(window.saveState).not.toHaveText('Saved')
      await expectEqual([window, other], 'before, during, ', HALF_OPEN)
      await window.append('after')
      await expectEqual([window, other], 'before, during, after')
    },
  )
})
