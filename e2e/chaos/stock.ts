/** The provider of the y-websocket package, as any other Yjs program would use it. */
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { RealServer, type SharedDocument } from '../../server/fixtures/real-server.ts'

export interface StockClient {
  readonly provider: WebsocketProvider
  close(): void
}

/** The tests' certificate is nobody's. */
class TrustingWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols, { rejectUnauthorized: false })
  }
}

export function stockClient(origin: string, { id, tokens }: SharedDocument): StockClient {
  const doc = new Y.Doc()
  const provider = new WebsocketProvider(`${origin.replace('http', 'ws')}/yjs`, id, doc, {
    params: { token: tokens.editor },
    WebSocketPolyfill: TrustingWebSocket as unknown as typeof globalThis.WebSocket,
    disableBc: true,
  })
  const close = (): void => {
    provider.destroy()
    doc.destroy() // ends the timer of its awareness
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
