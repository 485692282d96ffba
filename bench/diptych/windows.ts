/** The product itself, as it is shipped: its server as a process, its pages in the browser, guests in one document. */
import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test'
import { freshContext } from '../support/browser.ts'
import type { Scope } from '../support/context.ts'
import { assertLane, type LaneName, lanes, schemeOf } from '../support/lanes.ts'
import { Protocols } from '../support/protocols.ts'
import { diptych, type ServerProcess } from '../support/server.ts'
import type { WindowGroup, WindowGroupOptions, KeyTimes, TypedProgram } from '../support/typed-windows.ts'
import { match } from './match.ts'
import {
  prepareLane,
  readerDone,
  recordReader,
  recordWriter,
  textOfDocument,
  writerDone,
} from './edit-recorder.ts'

const ARRIVAL_MS = 20_000

/** @param ports Of proxies that windows may come by. */
export async function startProduct(
  scope: Scope,
  browser: Browser,
  ports: readonly number[],
): Promise<TypedProgram> {
  const origins = ports.flatMap((port) => [`https://localhost:${port}`, `http://localhost:${port}`])
  const start = (overH2: 'on' | 'off') => {
    const env = { WEBSOCKET_OVER_H2: overH2, ALLOWED_ORIGINS: origins.join(',') }
    return scope.startServer(diptych({ pages: true, env }))
  }
  const [own, within] = [await start('off'), await start('on')]
  const serverOf = (lane: LaneName) => (lane === 'websocket-h2' ? within : own)
  return {
    serverOf,
    open: (options) => openGroup(browser, serverOf(options.lane), options),
  }
}

async function openGroup(
  browser: Browser,
  server: ServerProcess,
  { lane, readers: count, together = false, through }: WindowGroupOptions,
): Promise<WindowGroup> {
  const scheme = schemeOf(lane)
  const direct = scheme === 'https' ? server.origin : server.plainOrigin
  const by = (port: number | undefined) => (port === undefined ? direct : `${scheme}://localhost:${port}`)
  const contexts: BrowserContext[] = []
  const context = async (): Promise<BrowserContext> => {
    const fresh = await freshContext(browser)
    await fresh.addInitScript(prepareLane, { transport: lanes[lane].transport, name: lane })
    contexts.push(fresh)
    return fresh
  }
  const close = async (): Promise<void> => {
    await Promise.all(contexts.map((one) => one.close()))
  }
  try {
    const own = await context()
    const { path, token } = await newDocument(own.request, by(through?.writer))
    const writer = await openWindow(own, by(through?.writer) + path, lane)
    const address = `${by(through?.readers)}${path}#token=${token}`
    const readers: Page[] = together
      ? await openBrowser(await context(), address, count, lane)
      : await openEach(context, address, count, lane)
    await writer.evaluate(recordWriter)
    await Promise.all(readers.map((reader) => reader.evaluate(recordReader)))
    await writer.getByRole('textbox', { name: 'Document' }).focus()
    return { writer, readers, collect: (typed) => collect(writer, readers, typed), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The writer's own, and a link by which the readers come in. */
async function newDocument(api: APIRequestContext, origin: string): Promise<{ path: string; token: string }> {
  const post = async (path: string, data: unknown): Promise<Record<string, string>> => {
    const response = await api.post(origin + path, { data, headers: { Origin: origin } })
    if (response.status() !== 201)
      throw new Error(`POST ${path}: ${response.status()} ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }
  const { id } = await post('/api/documents', {})
  const { token } = await post(`/api/documents/${id}/links`, { role: 'editor' })
  return { path: `/d/${id}`, token: token! }
}

async function openEach(
  context: () => Promise<BrowserContext>,
  address: string,
  count: number,
  lane: LaneName,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let index = 0; index < count; index++) pages.push(await openWindow(await context(), address, lane))
  return pages
}

/** The document is there, by the lane. */
export async function openWindow(context: BrowserContext, address: string, name: LaneName): Promise<Page> {
  const page = await context.newPage()
  const protocols = await Protocols.watch(page)
  await page.goto(address)
  await untilInLane(page, name)
  await protocols.expectOnly(lanes[name].protocol)
  return page
}

/** Windows on screen, as the product opens them: a tab that is not in front is given a frame a second. They may share a link. */
async function openBrowser(
  context: BrowserContext,
  address: string,
  count: number,
  lane: LaneName,
): Promise<Page[]> {
  const first = await openWindow(context, address, lane)
  const pages = [first]
  while (pages.length < count) {
    const features = `popup,noopener,width=480,height=600,left=${pages.length * 60},top=${pages.length * 30}`
    const [page] = await Promise.all([
      context.waitForEvent('page'),
      first.evaluate(([url, how]) => void open(url, '_blank', how), [address, features] as const),
    ])
    await untilInLane(page, lane)
    pages.push(page)
  }
  return pages
}

async function untilInLane(page: Page, name: LaneName): Promise<void> {
  const lane = lanes[name]
  await page.getByRole('textbox', { name: 'Document' }).waitFor()
  await page.waitForFunction(() => window.diptych?.status.get().document.state === 'synced')
  // It begins with POSTs, and goes over once the streamed body is confirmed.
  await page.waitForFunction((up) => window.diptych?.transport?.up === up, lane.up)
  assertLane(lane, await page.evaluate(() => window.diptych!.transport!), 'Diptych')
}

async function collect(writer: Page, readers: readonly Page[], typed: string): Promise<KeyTimes[][]> {
  const patience = { timeout: ARRIVAL_MS }
  await writer.waitForFunction(writerDone, undefined, patience)
  const written = await writer.evaluate(() => window.writerRecord!)
  const last = { client: written.client, clock: written.edits.at(-1)?.clock ?? 0 }
  return Promise.all(
    readers.map(async (reader) => {
      await reader.waitForFunction(readerDone, last, patience)
      for (const page of [writer, reader]) {
        const text = await page.evaluate(textOfDocument)
        if (text !== typed) throw new Error(`typed were "${typed}", and the document reads "${text}"`)
      }
      return match(written, await reader.evaluate(() => window.readerRecord!))
    }),
  )
}
