/** Starts the programs whose windows are measured with documents of different lengths: a server, its page, and other writers. */
import type { BrowserContext, Page } from '@playwright/test'
import { createDocument } from '../crowd/measured-servers.ts'
import type { CrowdProtocolName } from '../crowd/crowd-protocols.ts'
import { writeUpdates } from '../crowd/write-updates.ts'
import { openWindow } from '../diptych/product-windows.ts'
import type { Scope } from '../support/context.ts'
import type { LaneName } from '../support/lanes.ts'
import { diptych, peer, type ServerCommand, type ServerProcess } from '../support/server.ts'
import { bundlePageScript } from '../support/page-script.ts'
import { type OtherWritersOrder, orderAsEnv } from './other-writers.ts'

const LANE: LaneName = 'websocket'

export const programNames = ['diptych', 'tiptap-hocuspocus'] as const
export type EditorProgramName = (typeof programNames)[number]

interface StoredDocument {
  readonly document: string
  readonly token: string
}

export interface EditorProgram {
  /** Creates a document with that update. */
  newDocument(update: Uint8Array): Promise<StoredDocument>
  /** Opens the document on screen, as the window's `measuredDocument`. */
  openWindow(context: BrowserContext, place: StoredDocument): Promise<Page>
  /** Resolves once the others write; they end with the scope. */
  startOthers(scope: Scope, order: Omit<OtherWritersOrder, 'origin'>): Promise<void>
}

/** Both use plain HTTP, because the peer's server speaks no TLS. */
export const startProgram: Readonly<Record<EditorProgramName, (scope: Scope) => Promise<EditorProgram>>> = {
  async diptych(scope) {
    const server = await scope.startServer(diptych({ pages: true }))
    return {
      ...programOf(server, 'diptych websocket', 'bench/lengths/diptych-writers.ts'),
      async openWindow(context, { document, token }) {
        const page = await openWindow(context, `${server.plainOrigin}/d/${document}#token=${token}`, LANE)
        await page.evaluate(() => Object.assign(window, { measuredDocument: window.diptych!.doc }))
        return page
      },
    }
  },
  async 'tiptap-hocuspocus'(scope) {
    const script = await bundlePageScript('bench/peers/tiptap-page.ts', scope.folder)
    const server = await scope.startServer(peer('hocuspocus', { PAGE_SCRIPT: script }))
    return {
      ...programOf(server, 'hocuspocus', 'bench/peers/hocuspocus-writers.ts'),
      async openWindow(context, { document }) {
        const page = await context.newPage()
        await page.goto(`${server.plainOrigin}/${document}`)
        await page.waitForFunction(() => window.measuredDocument !== undefined)
        return page
      },
    }
  },
}

function programOf(
  server: ServerProcess,
  protocol: CrowdProtocolName,
  writers: string,
): Omit<EditorProgram, 'openWindow'> {
  const command = (order: OtherWritersOrder): ServerCommand => ({
    args: [writers],
    env: orderAsEnv(order),
    ready: 'http',
  })
  return {
    async newDocument(update) {
      const place = await createDocument(server, protocol)
      await writeUpdates(server, protocol, { ...place, author: 1 }, [update])
      return place
    },
    async startOthers(scope, order) {
      await scope.startServer(command({ ...order, origin: server.plainOrigin }))
    },
  }
}
