/** Runs Socket.IO with its defaults: it sends each event to the whole room, and stores nothing. */
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { serveProgram } from '../support/serve-program.ts'

const http = createServer()
const io = new Server(http)
io.on('connection', (socket) => {
  const room = String(socket.handshake.query['document'])
  void socket.join(room)
  socket.on('edit', (update: string) => io.to(room).emit('edit', update))
})
await serveProgram({ http })
