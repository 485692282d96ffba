/** Runs servers as a program that `startServer` can start: on free ports, until SIGTERM. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Prints the address of each server. */
export async function serveProgram(servers: {
  readonly http?: Server
  readonly https?: Server
}): Promise<void> {
  for (const [scheme, server] of Object.entries(servers)) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    console.log(`${scheme}://localhost:${(server.address() as AddressInfo).port} `)
  }
  process.on('SIGTERM', () => process.exit(0))
}
