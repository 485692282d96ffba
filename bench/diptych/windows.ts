/** The product itself, as it is shipped: its server as a process, its pages in the browser, guests in one document. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { create, createDocumentIn, freshContext, openBeside } from '../support/browser.ts'
import type { Scope } from '../support/context.ts'
import { assertLane, type LaneName, lanes, schemeOf } from '../support/lanes.ts'
import { watchProtocols } from '../support/protocols.ts'
import { diptych, type ServerProcess } from '../support/server.ts'
import {
  startForLanes,
  type TypedProgram,
  type WindowGroup,
  type WindowGroupOptions,
} from '../support/typed-windows.ts'
import { prepareLane, recordReader, recordWriter, textOfDocument } from './edit-recorder.ts'

/** @param ports Of proxies that windows may come by. */
export async function startProduct(
  scope: Scope,
  browser: Browser,
  ports: readonly number[],
): Promise<TypedProgram> {
  const origins = ports.flatMap((port) => [`https://localhost:${port}`, `http://localhost:${port}`])
  const serverOf = await startForLanes(scope, (overH2) =>
    diptych({ pages: true, env: { WEBSOCKET_OVER_H2: overH2, ALLOWED_ORIGINS: origins.join(',') } }),
  )
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
  const by = (proxy?: { readonly port: number }) => (proxy ? `${scheme}://localhost:${proxy.port}` : direct)
  const contexts: BrowserContext[] = []
  const openContext = async (): Promise<BrowserContext> => {
    const context = await freshContext(browser)
    contexts.push(context)
    return context
  }
  const close = async (): Promise<void> => {
    await Promise.all(contexts.map((one) => one.close()))
  }
  try {
    const own = await openContext()
    // The writer's own document, and a link by which the readers come in.
    const origin = by(through?.writer)
    const document = await createDocumentIn(own, origin)
    const { token } = await create(own, origin, `/api/documents/${document}/links`, { role: 'editor' })
    const path = `/d/${document}`
    const writer = await openWindow(own, origin + path, lane)
    const address = `${by(through?.readers)}${path}#token=${token}`
    const readers: Page[] = []
    while (readers.length < count) {
      const first = together ? readers[0] : undefined
      readers.push(
        first
          ? await untilInLane(await openBeside(first, address, readers.length), lane)
          : await openWindow(await openContext(), address, lane),
      )
    }
    await writer.evaluate(recordWriter)
    await Promise.all(readers.map((reader) => reader.evaluate(recordReader)))
    await writer.getByRole('textbox', { name: 'Document' }).focus()
    return { writer, readers, readText: textOfDocument, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The document is there, by the lane. */
export async function openWindow(context: BrowserContext, address: string, name: LaneName): Promise<Page> {
  await context.addInitScript(prepareLane, { transport: lanes[name].transport, name })
  const page = await context.newPage()
  const expectProtocol = await watchProtocols(page)
  await page.goto(address)
  await untilInLane(page, name)
  await expectProtocol(lanes[name].protocol)
  return page
}

async function untilInLane(page: Page, name: LaneName): Promise<Page> {
  const lane = lanes[name]
  await page.getByRole('textbox', { name: 'Document' }).waitFor()
  await page.waitForFunction(() => window.diptych?.status.get().document.state === 'synced')
  // It begins with POSTs, and goes over once the streamed body is confirmed.
  await page.waitForFunction((up) => window.diptych?.transport?.up === up, lane.up)
  assertLane(lane, await page.evaluate(() => window.diptych!.transport!), 'Diptych')
  return page
}
