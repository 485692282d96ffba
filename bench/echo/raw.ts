/** What is said to it comes back, over bare TCP and bare TLS: what every protocol is compared with. A process; DATA_DIR keeps the certificate. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { certificateFor } from '../../server/certificate.ts'
import { readConfig } from '../../server/config.ts'

const { cert, key } = await certificateFor(readConfig({ DATA_DIR: process.env.DATA_DIR }))

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const giveBack = (socket: Socket): void => {
  socket.on('error', () => socket.destroy())
  socket.pipe(socket)
}

const tcp = await portOf(createServer({ noDelay: true }, giveBack))
const tls = await portOf(createTlsServer({ cert, key, noDelay: true }, giveBack))
// No HTTP is spoken: the addresses tell ports, plain and by TLS.
console.log(`http://localhost:${tcp} https://localhost:${tls} `)
process.on('SIGTERM', () => process.exit(0))
