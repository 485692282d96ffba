/** A relay of a few lines over `ws`, without compression: one message in, the same message out to all who asked for the same path. */
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

const rooms = new Map<string, Set<WebSocket>>()
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket, { url = '/' }) => {
  const room = rooms.get(url) ?? new Set()
  rooms.set(url, room.add(socket))
  socket.on('message', (data: Buffer) => {
    for (const other of room) other.send(data)
  })
  socket.on('close', () => room.delete(socket))
  socket.on('error', () => socket.terminate())
})
server.on('listening', () => console.log(`http://localhost:${(server.address() as AddressInfo).port} `))
process.on('SIGTERM', () => process.exit(0))
