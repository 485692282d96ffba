/** The server end of WebSocket. Deflate stays off: 240 KiB a connection and 3.9 times the CPU, for frames of 25 bytes. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { CloseReason } from '../../lib/protocol/close.ts'
import {
  paths,
  readWebSocketClose,
  webSocketCloseCode,
  writeWebSocketReason,
} from '../../lib/protocol/http.ts'
import { MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import { HANDED, HIGH_WATER_BYTES, LinkEnd, type Wire } from '../../lib/transports/link.ts'
import type { LinkInfo } from '../../lib/transports/transport.ts'
import { isRefusal } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { pathOf } from '../answer.ts'
import { TurnCork } from './cork.ts'
import { doorOf, drainingRefusal, failedRefusal, refuse, refuseUpgrade } from './refusals.ts'
import type { Gateway, GatewayParts } from './gateway.ts'

/** How long a client may take to answer our close before it is cut. */
const closing = { closeTimeout: 5_000 }

export function websocketGateway({ access, sessions, log }: GatewayParts): Gateway {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    ...closing,
  })

  async function admit(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    secure: boolean,
  ): Promise<void> {
    if (sessions.draining) return refuseUpgrade(socket, drainingRefusal)
    const principal = await access.admit(doorOf(request, secure))
    if (isRefusal(principal)) return refuseUpgrade(socket, principal)
    server.handleUpgrade(request, socket, head, (webSocket) => link(webSocket, socket, principal))
  }

  function link(webSocket: WebSocket, socket: Duplex, principal: Principal): void {
    const end = new LinkEnd(new ServerSocketWire(webSocket, socket))
    listen(webSocket, end)
    end.attach(sessions.accept(end, principal))
  }

  return {
    handleRequest(request, response) {
      if (pathOf(request) !== paths.websocket) return false
      response.setHeader('upgrade', 'websocket')
      refuse(response, { status: 426, code: 'upgrade', message: 'This address speaks WebSocket only.' })
      return true
    },
    handleUpgrade(request, socket, head, secure) {
      if (pathOf(request) !== paths.websocket) return false
      socket.on('error', () => socket.destroy())
      admit(request, socket, head, secure).catch((error: unknown) => {
        log.error({ err: error }, 'a WebSocket could not be admitted')
        refuseUpgrade(socket, failedRefusal)
      })
      return true
    },
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

function listen(webSocket: WebSocket, end: LinkEnd): void {
  webSocket.on('message', (data: Buffer<ArrayBuffer>, isBinary: boolean) =>
    isBinary
      ? end.receive(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
      : end.close({ code: 'bad-frame', detail: 'A text frame on a binary link.' }),
  )
  // ws itself then closes with the protocol's own code, which the client reads as the same reason.
  webSocket.on('error', (error) => end.ended(reasonOf(error)))
  webSocket.on('close', (code, reason) => end.ended(readWebSocketClose(code, reason.toString())))
}

function reasonOf(error: Error & { code?: string }): CloseReason {
  if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    return {
      code: 'too-large',
      detail: `A frame is over the limit of ${MAX_FRAME_BYTES} bytes (MAX_FRAME_BYTES).`,
    }
  }
  return { code: error.code?.startsWith('WS_ERR_') ? 'bad-frame' : 'lost', detail: error.message }
}

const BINARY = { binary: true }

class ServerSocketWire implements Wire {
  readonly info: LinkInfo = { transport: 'websocket', protocol: 'http/1.1', up: 'frames' }
  readonly #webSocket: WebSocket
  readonly #cork: TurnCork

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket
    this.#cork = new TurnCork(socket)
  }

  write(frame: Uint8Array): Promise<void> {
    this.#cork.gather()
    if (this.#webSocket.bufferedAmount + frame.byteLength <= HIGH_WATER_BYTES) {
      this.#webSocket.send(frame, BINARY)
      return HANDED
    }
    return new Promise((resolve) => this.#webSocket.send(frame, BINARY, () => resolve()))
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (side === 'here') this.#webSocket.close(webSocketCloseCode(reason.code), writeWebSocketReason(reason))
  }
}
