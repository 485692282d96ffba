/** Checks which HTTP version carries a page's links, as the browser itself reports it. */
import type { Page } from '@playwright/test'

/**
 * @returns Ends the watch, which takes time at each frame. It throws when the page had no link, or one by another version than is
 *   expected.
 */
export async function watchLinkProtocols(page: Page): Promise<(expected: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const seen = new Set<string>()
  // A WebSocket within HTTP/2 is answered with 200 (RFC 8441).
  session.on('Network.webSocketHandshakeResponseReceived', ({ response: { status } }) => {
    seen.add(status === 101 ? 'http/1.1' : 'h2')
  })
  session.on('Network.responseReceived', ({ type, response: { url, protocol = 'unknown' } }) => {
    if (type === 'EventSource' || isStream(url)) seen.add(protocol)
  })
  await session.send('Network.enable')
  return async (expected) => {
    await session.detach()
    const words = [...seen].join(', ') || 'no link'
    if (words !== expected) throw new Error(`expected links by ${expected}; the browser reports ${words}`)
  }
}

/** Recognises the streams of the product and of the relay. */
const isStream = (url: string): boolean => /\/((sync\/)?stream|sync\/poll\/next)(\?|$)/.test(url)
