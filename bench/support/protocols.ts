/** The HTTP version that carries a page's links, as the browser itself reports it. */
import type { Page } from '@playwright/test'

/**
 * @returns Ends the watch, which costs time at each frame. It throws when links went by another version than is expected, or there
 *   are none.
 */
export async function watchProtocols(page: Page): Promise<(expected: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const seen = new Set<string>()
  // RFC 8441 answers 200 inside the shared HTTP/2 connection.
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
    if (words !== expected)
      throw new Error(`the links were to go by ${expected}; the browser reports ${words}`)
  }
}

/** The product's, and the relay's. */
const isStream = (url: string): boolean => /\/((sync\/)?stream|sync\/poll\/next)(\?|$)/.test(url)
