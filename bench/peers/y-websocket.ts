/**
 * @y/websocket-server as its README runs it with persistence: its own program with YPERSISTENCE, that is LevelDB, written without
 * waiting for the disk.
 *
 *   DATA_DIR   where the database goes
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'

const folder = join(process.env['DATA_DIR'] ?? '.', 'y-leveldb')
mkdirSync(folder, { recursive: true })
// Read when the module is loaded.
process.env['YPERSISTENCE'] = folder
const { setupWSConnection } = await import('@y/websocket-server/utils')

// As the package's own src/server.js, which takes no port 0.
const sockets = new WebSocketServer({ noServer: true })
sockets.on('connection', setupWSConnection)
const server = createServer((_request, response) => response.writeHead(200).end('okay'))
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request))
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port} `)
})
process.on('SIGTERM', () => process.exit(0))
