/** Finds ports for programs that need them in advance. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Finds ports below the range that the system uses for connections: a client that connects to a dead server's port from that very
 * port would otherwise reach itself.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (!ports.includes(port) && (await isFree(port))) ports.push(port)
  }
  return ports
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
