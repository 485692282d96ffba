/** The HTTP version that carries a page's links, as the browser itself reports it. */
import type { CDPSession, Page } from '@playwright/test'

export class Protocols {
  readonly #session: CDPSession
  readonly #seen = new Set<string>()

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async watch(page: Page): Promise<Protocols> {
    const protocols = new Protocols(await page.context().newCDPSession(page))
    protocols.#listen()
    await protocols.#session.send('Network.enable')
    return protocols
  }

  /** @throws {Error} when links went by another version, or there are none. Ends the watch, which costs time at each frame. */
  async expectOnly(protocol: string): Promise<void> {
    await this.#session.detach()
    const seen = [...this.#seen]
    if (seen.length !== 1 || seen[0] !== protocol)
      throw new Error(
        `the links were to go by ${protocol}; the browser reports ${seen.join(', ') || 'no link'}`,
      )
  }

  #listen(): void {
    this.#session.on('Network.webSocketHandshakeResponseReceived', ({ response: { status } }) => {
      // RFC 8441 answers 200 inside the shared HTTP/2 connection.
      this.#seen.add(status === 101 ? 'http/1.1' : 'h2')
    })
    this.#session.on('Network.responseReceived', ({ type, response: { url, protocol = 'unknown' } }) => {
      if (type === 'EventSource' || streams(url)) this.#seen.add(protocol)
    })
  }
}

/** The product's, and the relay's. */
const streams = (url: string): boolean => /\/((sync\/)?stream|sync\/poll\/next)(\?|$)/.test(url)
