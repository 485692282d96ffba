/** Every transport that a person can pick, and windows that were told it before their first link. */
import type { Browser } from '@playwright/test'
import type { TransportName, Window } from '../support/window.ts'

export const everyTransport = [
  'websocket',
  'sse',
  'stream',
  'long-poll',
  'poll',
] as const satisfies readonly TransportName[]

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
