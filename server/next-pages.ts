/** Next, as a source of pages. In development it compiles pages on request and pushes changes over a WebSocket. */
import http from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import next from 'next'

export interface PageSource {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Returns false when nobody takes it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): Promise<void>
}

/** @param port The port by which this computer reaches the server: Next prints it. */
export async function openNext(options: { dev: boolean; folder: string; port: number }): Promise<PageSource> {
  // This server listens nowhere. Next subscribes to its upgrades at the first request; `getUpgradeHandler` would bypass the
  // development tools.
  const httpServer = http.createServer()
  const { dev, folder: dir, port } = options
  const app = next({ dev, dir, hostname: 'localhost', port, httpServer })
  await app.prepare()
  return {
    handle: app.getRequestHandler(),
    upgrade: (request, socket, head) => httpServer.emit('upgrade', request, socket, head),
    close: () => app.close(),
  }
}
