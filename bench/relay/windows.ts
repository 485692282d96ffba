/** The relay as a subject: the same browser, the same keys, the same frames, and nothing of the product between. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { freshContext } from '../support/browser.ts'
import type { Scope } from '../support/context.ts'
import { type LaneName, lanes } from '../support/lanes.ts'
import { Protocols } from '../support/protocols.ts'
import type { ServerCommand } from '../support/server.ts'
import type { WindowGroup, WindowGroupOptions, KeyTimes, TypedProgram } from '../support/typed-windows.ts'
import type { Frames } from './frames.ts'
import type { RelayOptions, RelayRecord } from './relay-page.ts'
import { openRelayWindow, relayDone } from './relay-page.ts'

const ARRIVAL_MS = 20_000

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
  const command = (overH2: 'on' | 'off'): ServerCommand => ({
    args: ['bench/relay/relay-server.ts'],
    env: { RELAY_ANSWER: frames.answer, RELAY_OVER_H2: overH2 },
    ready: 'https',
  })
  const own = await scope.startServer(command('off'))
  const within = await scope.startServer(command('on'))
  const serverOf = (lane: LaneName) => (lane === 'websocket-h2' ? within : own)
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
    await openWindow(page, origin, protocol, { role, name, transport, way, keys })
    return page
  }
  const readers: Page[] = []
  for (let index = 0; index < count; index++) readers.push(await window('reader', `reader-${index}`))
  const writer = await window('writer', 'writer')
  return {
    writer,
    readers,
    collect: (typed) => collect(writer, readers, typed.length),
    async close() {
      await Promise.all(contexts.map((one) => one.close()))
    },
  }
}

async function openWindow(
  page: Page,
  origin: string,
  protocol: string,
  options: RelayOptions,
): Promise<void> {
  const protocols = await Protocols.watch(page)
  await page.goto(origin)
  await page.evaluate(openRelayWindow, options)
  await protocols.expectOnly(protocol)
}

async function collect(writer: Page, readers: readonly Page[], count: number): Promise<KeyTimes[][]> {
  const patience = { timeout: ARRIVAL_MS }
  await writer.waitForFunction(relayDone, { role: 'writer', count } as const, patience)
  const there = await writer.evaluate(() => window.relayRecord!)
  return Promise.all(readers.map((reader) => collectFrom(reader, there, count)))
}

async function collectFrom(reader: Page, there: RelayRecord, count: number): Promise<KeyTimes[]> {
  await reader.waitForFunction(relayDone, { role: 'reader', count } as const, { timeout: ARRIVAL_MS })
  const here = await reader.evaluate(() => window.relayRecord!)
  const counts = [there.keys, there.sent, there.answered, here.applied, here.painted].map(
    ({ length }) => length,
  )
  if (counts.some((found) => found !== count))
    throw new Error(
      `${count} keys were typed; keys, sent, answered, arrived, painted are ${counts.join(', ')}`,
    )
  return there.keys.map((key, index) => ({
    key: there.timeOrigin + key,
    edited: there.timeOrigin + there.edited[index]!,
    sent: there.timeOrigin + there.sent[index]!,
    answered: there.timeOrigin + there.answered[index]!,
    applied: here.timeOrigin + here.applied[index]!,
    rendered: here.timeOrigin + here.rendered[index]!,
    painted: here.timeOrigin + here.painted[index]!,
  }))
}
