/** Socket.IO with its defaults: one event in, the same event out to the whole room. It keeps nothing. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'

const http = createServer()
const io = new Server(http)
io.on('connection', (socket) => {
  const room = String(socket.handshake.query['document'])
  void socket.join(room)
  socket.on('edit', (update: string) => io.to(room).emit('edit', update))
})
http.listen(0, '127.0.0.1', () => console.log(`http://localhost:${(http.address() as AddressInfo).port} `))
process.on('SIGTERM', () => process.exit(0))
