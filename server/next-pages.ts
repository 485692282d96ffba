/** Next, as a source of pages. In development it compiles what is asked for and pushes changes over a WebSocket. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import next from 'next'

export interface PageSource {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  close(): Promise<void>
}

/** @param port Where this computer reaches the server: Next names it in what it prints. */
export async function openNext(parts: { dev: boolean; folder: string; port: number }): Promise<PageSource> {
  const app = next({ dev: parts.dev, dir: parts.folder, hostname: 'localhost', port: parts.port })
  await app.prepare()
  return { handle: app.getRequestHandler(), upgrade: app.getUpgradeHandler(), close: () => app.close() }
}
