/** Every transport that a person can pick, over every protocol, and windows that were told it before their first link. */
import type { Browser } from '@playwright/test'
import type { Scheme } from '../support/server.ts'
import type { TransportName, Window } from '../support/window.ts'

export const everyTransport = [
  'websocket',
  'sse',
  'stream',
  'long-poll',
  'poll',
] as const satisfies readonly TransportName[]

export interface Lane {
  readonly name: string
  readonly transport: TransportName
  /** Browsers speak HTTP/2 by TLS alone. */
  readonly scheme: Scheme
  /** As ALPN names it. */
  readonly protocol: 'h2' | 'http/1.1'
}

/** All of them within one HTTP/2 connection, and those that HTTP/1.1 makes different: a connection each. */
export const lanes: readonly Lane[] = [
  ...everyTransport.map(
    (transport) => ({ name: transport, transport, scheme: 'https', protocol: 'h2' }) as const,
  ),
  ...(['websocket', 'sse'] as const).map(
    (transport) =>
      ({ name: `${transport} over HTTP/1.1`, transport, scheme: 'http', protocol: 'http/1.1' }) as const,
  ),
]

type Open = (context: Awaited<ReturnType<Browser['newContext']>>, url: string) => Promise<Window>

/** One after the other, each in a browser of its own. */
export async function windowsBy(
  browser: Browser,
  openWindowOf: Open,
  transport: TransportName,
  urls: readonly string[],
): Promise<Window[]> {
  const windows: Window[] = []
  for (const url of urls) {
    const context = await browser.newContext()
    await context.addInitScript((id) => localStorage.setItem('diptych.transport', id), transport)
    const window = await openWindowOf(context, url)
    await window.expectInUse(transport)
    windows.push(window)
  }
  return windows
}
