/** Echoes bytes over bare TCP and bare TLS, with which every protocol is compared. Runs as a process; DATA_DIR keeps the certificate. */
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { certificateFor } from '../../server/certificate.ts'
import { readConfig } from '../../server/config.ts'
import { serveProgram } from '../support/serve-program.ts'

const { cert, key } = await certificateFor(readConfig({ DATA_DIR: process.env.DATA_DIR }))

function echo(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.pipe(socket)
}

// Nobody speaks HTTP here: the schemes say which port is plain, and which has TLS.
await serveProgram({
  http: createServer({ noDelay: true }, echo),
  https: createTlsServer({ cert, key, noDelay: true }, echo),
})
