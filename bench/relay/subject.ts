/** The relay as a subject: the same browser, the same keys, the same frames, and nothing of the product between. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Windows } from '../support/browser.ts'
import type { LaneName } from '../support/lanes.ts'
import { lanes } from '../support/lanes.ts'
import { startProcess } from '../support/process.ts'
import { Protocols } from '../support/protocols.ts'
import type { Pair, Stations, Subject } from '../support/subject.ts'
import type { Frames } from './frames.ts'
import type { RelayOptions } from './page.ts'
import { openRelayWindow, relayDone } from './page.ts'

const ARRIVAL_MS = 20_000

export interface Relay extends Subject {
  stop(): Promise<void>
}

/** @param folder Where it keeps its certificate. */
export async function startRelay(windows: Windows, folder: string, frames: Frames): Promise<Relay> {
  const start = (overH2: 'on' | 'off') =>
    startProcess(['bench/relay/main.ts'], {
      DATA_DIR: join(folder, overH2),
      RELAY_ANSWER: frames.answer,
      RELAY_OVER_H2: overH2,
    })
  const [own, within] = await Promise.all([start('off'), start('on')])
  return {
    name: 'relay',
    open: (lane) => openPair(windows, (lane === 'websocket-h2' ? within : own).origin, lane, frames),
    async stop() {
      await Promise.all([own.stop(), within.stop()])
    },
  }
}

async function openPair(windows: Windows, origin: string, name: LaneName, { keys }: Frames): Promise<Pair> {
  const [writer, reader] = await Promise.all([windows.writer.newPage(), windows.reader.newPage()])
  const { transport, up: way, protocol } = lanes[name]
  await openWindow(reader, origin, protocol, { role: 'reader', transport, way, keys })
  await openWindow(writer, origin, protocol, { role: 'writer', transport, way, keys })
  return {
    writer,
    reader,
    collect: (typed) => collect(writer, reader, typed.length),
    async close() {
      await Promise.all([writer.close(), reader.close()])
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

async function collect(writer: Page, reader: Page, count: number): Promise<Stations[]> {
  const patience = { timeout: ARRIVAL_MS }
  await writer.waitForFunction(relayDone, { role: 'writer', count } as const, patience)
  await reader.waitForFunction(relayDone, { role: 'reader', count } as const, patience)
  const there = await writer.evaluate(() => window.relayRecord!)
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
