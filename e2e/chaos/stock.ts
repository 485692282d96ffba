/** Stock Yjs clients as chaos needs them: to be ended whole, and to be counted while they say nothing. */
import type { WebsocketProvider } from 'y-websocket'
import { RealServer, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { stockProvider } from '../support/stock-client.ts'

export interface StockClient {
  readonly provider: WebsocketProvider
  close(): void
}

export function stockClient(origin: string, document: SharedDocument): StockClient {
  const provider = stockProvider(origin, document)
  const close = (): void => {
    provider.destroy()
    provider.doc.destroy() // ends the timer of its awareness
  }
  return { provider, close }
}

/** One that says nothing and hears no edits for so long. Resolves to the number of connections it took. */
export async function idleConnections(ms: number): Promise<number> {
  await using server = await RealServer.start()
  const { provider, close } = stockClient(server.origin('https'), await server.newDocument())
  provider.awareness.setLocalState(null)
  let connections = 0
  provider.on('status', ({ status }) => void (connections += status === 'connected' ? 1 : 0))
  await new Promise((resolve) => setTimeout(resolve, ms))
  close()
  return connections
}
