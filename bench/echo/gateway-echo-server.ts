/**
 * Echoes each frame over the product's own listener and gateways, without sessions and documents, so that what is left is the cost of a
 * protocol. Runs as a process; DATA_DIR keeps the certificate.
 */
import { pino } from 'pino'
import type { Link, Sink } from '../../lib/transports/transport.ts'
import type { Access } from '../../server/access/access.ts'
import { answerError } from '../../server/http-answers.ts'
import { certificateFor } from '../../server/certificate.ts'
import { readConfig } from '../../server/config.ts'
import { createAdmission } from '../../server/gateways/admission.ts'
import { createTransportGateways } from '../../server/gateways/transport-gateways.ts'
import { startListener } from '../../server/listener.ts'

const log = pino({ level: 'silent' })
const config = readConfig({ DATA_DIR: process.env.DATA_DIR, PORT: '0', HTTPS_PORT: '0' })

/** Admits everybody without a cookie, whose bytes are not the protocol's. */
const access: Access = {
  admit: async () => ({ id: 'echo', name: 'Echo', credential: '' }),
  isOriginAllowed: () => true,
  credentialOf: () => '',
  roleOf: async () => 'editor',
  onChanged: () => () => {},
}

const echo = (link: Link): Sink => ({
  // The frame is a view on a buffer that the next frame may use.
  onFrame: (frame) => void link.send(frame.slice()),
  onClosed: () => {},
})

const sessions = { accept: echo, draining: false }
const gateways = createTransportGateways({ access, sessions })
const admission = createAdmission(gateways, { access, sessions, rateLimits: { takeLink: () => null }, log })
const listener = await startListener(config, await certificateFor(config), log)
listener.setRouter({
  handleRequest(request, response, secure) {
    if (!admission.handleRequest(request, response, secure))
      answerError(response, 404, 'not-found', 'There is nothing here.')
  },
  handleUpgrade(request, socket, head, secure) {
    if (!admission.handleUpgrade(request, socket, head, secure)) socket.destroy()
  },
  handleConnect(request, response) {
    if (!admission.handleConnect(request, response))
      answerError(response, 404, 'not-found', 'There is nothing here.')
  },
})
console.log(`http://localhost:${listener.port} https://localhost:${listener.httpsPort} `)
process.on('SIGTERM', () => process.exit(0))
