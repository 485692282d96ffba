/** Stock Yjs clients for chaos runs: they can be closed completely, and their connections counted while they are idle. */
import type { WebsocketProvider } from 'y-websocket'
import { RealServer, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { createStockProvider } from '../support/stock-client.ts'

export interface StockConnection {
  readonly provider: WebsocketProvider
  close(): void
}

export function openStockConnection(origin: string, document: SharedDocument): StockConnection {
  const provider = createStockProvider(origin, document)
  const close = (): void => {
    provider.destroy()
    provider.doc.destroy() // ends the timer of its awareness
  }
  return { provider, close }
}

/** Runs a client that sends nothing and receives no edits for so long. Resolves to the number of its connections. */
export async function countIdleConnections(ms: number): Promise<number> {
  await using server = await RealServer.start()
  const { provider, close } = openStockConnection(server.origin('https'), await server.createDocument())
  provider.awareness.setLocalState(null)
  let connections = 0
  provider.on('status', ({ status }) => void (connections += status === 'connected' ? 1 : 0))
  await new Promise((resolve) => setTimeout(resolve, ms))
  close()
  return connections
}
