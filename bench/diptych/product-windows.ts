/** Starts the product as it is shipped, and opens its pages in browsers: guests in one document. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { createDocumentIn, createResource, freshContext, openBeside } from '../support/browser.ts'
import type { Scope } from '../support/context.ts'
import { assertLane, type LaneName, lanes, schemeOf } from '../support/lanes.ts'
import { watchLinkProtocols } from '../support/link-protocols.ts'
import { diptych, type ServerProcess } from '../support/server.ts'
import {
  startServersForLanes,
  type TypedProgram,
  type TypedWindows,
  type TypedWindowsOptions,
} from '../support/typed-windows.ts'
import { prepareLane, recordReader, recordWriter, textOfDocument } from './edit-recorder.ts'

/** @param ports The ports of proxies through which windows may connect. */
export async function startProduct(
  scope: Scope,
  browser: Browser,
  ports: readonly number[],
): Promise<TypedProgram> {
  const origins = ports.flatMap((port) => [`https://localhost:${port}`, `http://localhost:${port}`])
  const serverOf = await startServersForLanes(scope, (overH2) =>
    diptych({ pages: true, env: { WEBSOCKET_OVER_H2: overH2, ALLOWED_ORIGINS: origins.join(',') } }),
  )
  return {
    serverOf,
    open: (options) => openTypedWindows(browser, serverOf(options.lane), options),
  }
}

async function openTypedWindows(
  browser: Browser,
  server: ServerProcess,
  { lane, readers: count, together = false, through }: TypedWindowsOptions,
): Promise<TypedWindows> {
  const scheme = schemeOf(lane)
  const direct = scheme === 'https' ? server.origin : server.plainOrigin
  const originThrough = (proxy?: { readonly port: number }) =>
    proxy ? `${scheme}://localhost:${proxy.port}` : direct
  await using contexts = new AsyncDisposableStack()
  const own = contexts.use(await freshContext(browser))
  // The writer owns the document, and the readers come by a link to it.
  const origin = originThrough(through?.writer)
  const document = await createDocumentIn(own, origin)
  const { token } = await createResource(own, origin, `/api/documents/${document}/links`, { role: 'editor' })
  const path = `/d/${document}`
  const writer = await openWindow(own, origin + path, lane)
  const address = `${originThrough(through?.readers)}${path}#token=${token}`
  const readers: Page[] = []
  while (readers.length < count) {
    const first = together ? readers[0] : undefined
    readers.push(
      first
        ? await waitForLane(await openBeside(first, address, readers.length), lane)
        : await openWindow(contexts.use(await freshContext(browser)), address, lane),
    )
  }
  await writer.evaluate(recordWriter)
  await Promise.all(readers.map((reader) => reader.evaluate(recordReader)))
  await writer.getByRole('textbox', { name: 'Document' }).focus()
  const opened = contexts.move()
  return { writer, readers, readText: textOfDocument, close: () => opened.disposeAsync() }
}

/** Resolves once the page shows the document, and is on the lane. */
export async function openWindow(context: BrowserContext, address: string, name: LaneName): Promise<Page> {
  await context.addInitScript(prepareLane, { transport: lanes[name].transport, name })
  const page = await context.newPage()
  const expectProtocol = await watchLinkProtocols(page)
  await page.goto(address)
  await waitForLane(page, name)
  await expectProtocol(lanes[name].protocol)
  return page
}

async function waitForLane(page: Page, name: LaneName): Promise<Page> {
  const lane = lanes[name]
  await page.getByRole('textbox', { name: 'Document' }).waitFor()
  await page.waitForFunction(() => window.diptych?.status.get().document.state === 'synced')
  // A link starts with POSTs, and continues with a streamed body once that is confirmed.
  await page.waitForFunction((up) => window.diptych?.transport?.up === up, lane.up)
  assertLane(lane, await page.evaluate(() => window.diptych!.transport!), 'Diptych')
  return page
}
