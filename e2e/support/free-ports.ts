/** Ports for programs that cannot take just any. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range from which the system gives ports to connections: a client that knocks at a dead server's port from that very
 * port would else reach itself.
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
