/** Opens documents with Diptych's own client, as several windows in this process. */
import { join } from 'node:path'
import type * as Y from 'yjs'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import type { TransportChoice } from '../../lib/transports/choose-transport.ts'
import { readStoredDocument } from '../../server/fixtures/real-server.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import type { Scope } from '../support/context.ts'
import { diptych, type ServerProcess } from '../support/server.ts'

/** Opens a new document by each of the transports. `whenAllSynced` waits until the windows have it. */
export async function openNewDocument(
  { origin, plainOrigin }: Pick<ServerProcess, 'origin' | 'plainOrigin'>,
  transports: readonly TransportChoice[],
): Promise<{ readonly id: string; readonly windows: readonly OpenDocument[] }> {
  const { id, tokens } = await createSharedDocument(plainOrigin)
  const windows = transports.map((transport) =>
    openDocument({ url: origin, document: id, token: tokens.editor, transport, insecure: true }),
  )
  return { id, windows }
}

export async function whenAllSynced(windows: readonly OpenDocument[]): Promise<void> {
  await Promise.all(windows.map(({ whenSynced }) => whenSynced))
}

export async function closeAll(windows: readonly OpenDocument[]): Promise<void> {
  await Promise.all(windows.map((window) => window.close()))
}

export interface OpenedServer {
  readonly server: ServerProcess
  readonly windows: readonly OpenDocument[]
  /** Closes the windows, stops the server, and reads what it has stored. */
  finish(): Promise<Y.Doc>
}

/** Starts a server, and opens a document of it by each of the transports. All end with the scope. */
export async function startWithWindows(
  scope: Scope,
  transports: readonly TransportChoice[],
): Promise<OpenedServer> {
  const server = await scope.startServer(diptych())
  const { id, windows } = await openNewDocument(server, transports)
  scope.defer(() => closeAll(windows))
  await whenAllSynced(windows)
  return {
    server,
    windows,
    async finish() {
      await closeAll(windows)
      await server.stop()
      return readStoredDocument(join(server.dataDir, 'diptych.sqlite'), id)
    },
  }
}
