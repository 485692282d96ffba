/**
 * Runs @y/websocket-server as its README does with persistence: with YPERSISTENCE it writes into LevelDB, and does not wait for the
 * disk. DATA_DIR is the folder of the database.
 */
import { createServer } from 'node:http'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { serveProgram } from '../support/serve-program.ts'

const folder = join(process.env['DATA_DIR'] ?? '.', 'y-leveldb')
mkdirSync(folder, { recursive: true })
// The package reads it when it is loaded.
process.env['YPERSISTENCE'] = folder
const { setupWSConnection } = await import('@y/websocket-server/utils')

// Does what the package's own src/server.js does, which takes no port 0.
const sockets = new WebSocketServer({ noServer: true })
sockets.on('connection', setupWSConnection)
const server = createServer((_request, response) => response.writeHead(200).end('okay'))
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request))
})
await serveProgram({ http: server })
