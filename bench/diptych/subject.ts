/** The product itself, as it is shipped: its server as a process, its pages in the browser, two guests in one document. */
import { join } from 'node:path'
import type { APIRequestContext, Page } from '@playwright/test'
import type { LaneName } from '../support/lanes.ts'
import { assertLane, lanes } from '../support/lanes.ts'
import type { Windows } from '../support/browser.ts'
import { startProcess } from '../support/process.ts'
import type { Pair, Subject } from '../support/subject.ts'
import { Protocols } from '../support/protocols.ts'
import { match } from './match.ts'
import { prepareLane, readerDone, recordReader, recordWriter, textOfDocument, writerDone } from './page.ts'

const ARRIVAL_MS = 20_000

export interface Product extends Subject {
  stop(): Promise<void>
}

/** @param dataDir A folder of its own for each of the two servers: whether a WebSocket may go within HTTP/2 is a setting. */
export async function startProduct(windows: Windows, dataDir: string): Promise<Product> {
  const start = (overH2: 'on' | 'off') => startProcess(args, envOf(join(dataDir, overH2), overH2))
  const [own, within] = await Promise.all([start('off'), start('on')])
  return {
    name: 'diptych',
    open: (lane) => openPair(windows, (lane === 'websocket-h2' ? within : own).origin, lane),
    async stop() {
      await Promise.all([own.stop(), within.stop()])
    },
  }
}

const args = ['--import', './server/require-node.js', 'server/main.ts']

const envOf = (dataDir: string, overH2: 'on' | 'off') => ({
  HOST: '127.0.0.1',
  PORT: '0',
  HTTPS_PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  WEBSOCKET_OVER_H2: overH2,
})

async function openPair(windows: Windows, origin: string, lane: LaneName): Promise<Pair> {
  const [writer, reader] = await Promise.all([windows.writer.newPage(), windows.reader.newPage()])
  const { address, guestAddress } = await newDocument(windows.writer.request, origin)
  await openWindow(writer, address, lane)
  await openWindow(reader, guestAddress, lane)
  await writer.evaluate(recordWriter)
  await reader.evaluate(recordReader)
  const text = writer.getByRole('textbox', { name: 'Document' })
  await text.focus()
  return {
    writer,
    reader,
    collect: (typed) => collect(writer, reader, typed),
    async close() {
      await Promise.all([writer.close(), reader.close()])
    },
  }
}

/** The writer's own, and a link by which the reader comes in. */
async function newDocument(api: APIRequestContext, origin: string) {
  const post = async (path: string, data: unknown): Promise<Record<string, string>> => {
    const response = await api.post(origin + path, { data, headers: { Origin: origin } })
    if (response.status() !== 201)
      throw new Error(`POST ${path}: ${response.status()} ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }
  const { id } = await post('/api/documents', {})
  const { token } = await post(`/api/documents/${id}/links`, { role: 'editor' })
  return { address: `${origin}/d/${id}`, guestAddress: `${origin}/d/${id}#token=${token}` }
}

async function openWindow(page: Page, address: string, name: LaneName): Promise<void> {
  const lane = lanes[name]
  const protocols = await Protocols.watch(page)
  await page.addInitScript(prepareLane, { transport: lane.transport, name })
  await page.goto(address)
  await page.getByRole('textbox', { name: 'Document' }).waitFor()
  await page.waitForFunction(() => window.diptych?.status.get().document.state === 'synced')
  // It begins with POSTs, and goes over once the streamed body is confirmed.
  await page.waitForFunction((up) => window.diptych?.transport?.up === up, lane.up)
  assertLane(lane, await page.evaluate(() => window.diptych!.transport!), 'Diptych')
  await protocols.expectOnly(lane.protocol)
}

async function collect(writer: Page, reader: Page, typed: string) {
  const patience = { timeout: ARRIVAL_MS }
  await writer.waitForFunction(writerDone, undefined, patience)
  const written = await writer.evaluate(() => window.writerRecord!)
  const last = { client: written.client, clock: written.edits.at(-1)?.clock ?? 0 }
  await reader.waitForFunction(readerDone, last, patience)
  for (const page of [writer, reader]) {
    const text = await page.evaluate(textOfDocument)
    if (text !== typed) throw new Error(`typed were "${typed}", and the document reads "${text}"`)
  }
  return match(written, await reader.evaluate(() => window.readerRecord!))
}
