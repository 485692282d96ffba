/** Opens windows of the bare relay: the same browser, keys and frames as with the product, and nothing of the product. */
import type { Browser, Page } from '@playwright/test'
import { freshContext } from '../support/browser.ts'
import type { Scope } from '../support/context.ts'
import { type LaneName, lanes } from '../support/lanes.ts'
import { watchLinkProtocols } from '../support/link-protocols.ts'
import {
  startServersForLanes,
  type TypedProgram,
  type TypedWindows,
  type TypedWindowsOptions,
} from '../support/typed-windows.ts'
import type { KeystrokeFrames } from './keystroke-frames.ts'
import { openRelayWindow, type RelayOptions } from './relay-page.ts'

/** The relay supports what a browser can use over TLS, without polling. */
export const relayLanes = [
  'websocket',
  'websocket-h2',
  'sse',
  'sse-posts',
  'stream',
  'stream-posts',
] as const satisfies readonly LaneName[]

type RelayLane = (typeof relayLanes)[number]

export async function startRelay(
  scope: Scope,
  browser: Browser,
  frames: KeystrokeFrames,
): Promise<TypedProgram> {
  const serverOf = await startServersForLanes(scope, (overH2) => ({
    args: ['bench/relay/relay-server.ts'],
    env: { RELAY_ANSWER: frames.answer, RELAY_OVER_H2: overH2 },
    ready: 'https',
  }))
  return {
    serverOf,
    open: (options) => openTypedWindows(browser, serverOf(options.lane).origin, options, frames),
  }
}

async function openTypedWindows(
  browser: Browser,
  origin: string,
  { lane, readers: count }: TypedWindowsOptions,
  { keys }: KeystrokeFrames,
): Promise<TypedWindows> {
  const { transport, up: way, protocol } = lanes[lane as RelayLane]
  await using contexts = new AsyncDisposableStack()
  const openWindow = async (role: 'writer' | 'reader', name: string): Promise<Page> => {
    const page = await contexts.use(await freshContext(browser)).newPage()
    const expectProtocol = await watchLinkProtocols(page)
    await page.goto(origin)
    await page.evaluate(openRelayWindow, { role, name, transport, way, keys } satisfies RelayOptions)
    await expectProtocol(protocol)
    return page
  }
  const readers: Page[] = []
  for (let index = 0; index < count; index++) readers.push(await openWindow('reader', `reader-${index}`))
  const writer = await openWindow('writer', 'writer')
  const opened = contexts.move()
  return { writer, readers, close: () => opened.disposeAsync() }
}
