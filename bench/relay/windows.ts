/** The relay as a subject: the same browser, the same keys, the same frames, and nothing of the product between. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { freshContext } from '../support/browser.ts'
import type { Scope } from '../support/context.ts'
import { type LaneName, lanes } from '../support/lanes.ts'
import { watchProtocols } from '../support/protocols.ts'
import {
  startForLanes,
  type TypedProgram,
  type WindowGroup,
  type WindowGroupOptions,
} from '../support/typed-windows.ts'
import type { Frames } from './frames.ts'
import { openRelayWindow, type RelayOptions } from './relay-page.ts'

/** It speaks what a browser may speak by TLS, and polls nothing. */
export const relayLanes = [
  'websocket',
  'websocket-h2',
  'sse',
  'sse-posts',
  'stream',
  'stream-posts',
] as const satisfies readonly LaneName[]

type RelayLane = (typeof relayLanes)[number]

export async function startRelay(scope: Scope, browser: Browser, frames: Frames): Promise<TypedProgram> {
  const serverOf = await startForLanes(scope, (overH2) => ({
    args: ['bench/relay/relay-server.ts'],
    env: { RELAY_ANSWER: frames.answer, RELAY_OVER_H2: overH2 },
    ready: 'https',
  }))
  return {
    serverOf,
    open: (options) => openGroup(browser, serverOf(options.lane).origin, options, frames),
  }
}

async function openGroup(
  browser: Browser,
  origin: string,
  { lane, readers: count }: WindowGroupOptions,
  { keys }: Frames,
): Promise<WindowGroup> {
  const { transport, up: way, protocol } = lanes[lane as RelayLane]
  const contexts: BrowserContext[] = []
  const window = async (role: 'writer' | 'reader', name: string): Promise<Page> => {
    const context = await freshContext(browser)
    contexts.push(context)
    const page = await context.newPage()
    const expectProtocol = await watchProtocols(page)
    await page.goto(origin)
    await page.evaluate(openRelayWindow, { role, name, transport, way, keys } satisfies RelayOptions)
    await expectProtocol(protocol)
    return page
  }
  const readers: Page[] = []
  for (let index = 0; index < count; index++) readers.push(await window('reader', `reader-${index}`))
  const writer = await window('writer', 'writer')
  return {
    writer,
    readers,
    async close() {
      await Promise.all(contexts.map((one) => one.close()))
    },
  }
}
