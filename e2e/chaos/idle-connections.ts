/** Counts the connections of a stock Yjs client that is idle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { createStockProvider } from '../../server/fixtures/stock-provider.ts'

/** Runs a client that sends nothing and receives no edits for so many ms. Resolves to the number of its connections. */
export async function countIdleConnections(ms: number): Promise<number> {
  await using server = await RealServer.start()
  const { id, tokens } = await server.createDocument()
  const provider = createStockProvider(server.origin('https'), id, { token: tokens.editor })
  provider.awareness.setLocalState(null)
  let connections = 0
  provider.on('status', ({ status }) => void (connections += status === 'connected' ? 1 : 0))
  await sleep(ms)
  provider.destroy()
  provider.doc.destroy() // ends the timer of its awareness
  return connections
}
