/** A small relay over `ws`, without compression: it sends each message to everybody who connected to the same path. */
import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { serveProgram } from '../support/serve-program.ts'

const rooms = new Map<string, Set<WebSocket>>()
const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket, { url = '/' }) => {
  const room = rooms.get(url) ?? new Set()
  rooms.set(url, room.add(socket))
  socket.on('message', (data: Buffer) => {
    for (const other of room) other.send(data)
  })
  socket.on('close', () => room.delete(socket))
  socket.on('error', () => socket.terminate())
})
await serveProgram({ http: server })
