/** The server end of WebSocket. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { CloseReason } from '../../lib/protocol/close.ts'
import {
  paths,
  readWebSocketClose,
  webSocketCloseCode,
  writeWebSocketReason,
} from '../../lib/protocol/http.ts'
import { MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { HANDED, HIGH_WATER_BYTES, LinkEnd, type Wire } from '../../lib/transports/link.ts'
import type { LinkInfo } from '../../lib/transports/transport.ts'
import { isRefusal } from '../access/access.ts'
import { pathOf } from '../answer.ts'
import { LateCork } from './cork.ts'
import { doorOf, drainingRefusal, failedRefusal, refuse } from './refusals.ts'
import type { Gateway, GatewayParts } from './gateway.ts'
import { turnAway } from './turn-away.ts'
import { binaryFrame } from './web-socket-frame.ts'
import {
  connectKnock,
  createWebSocketServer,
  type Knock,
  pickForUpgrade,
  upgradeKnock,
} from './web-socket-knock.ts'

const OPEN = 1

export function websocketGateway({ access, sessions, log }: GatewayParts): Gateway {
  const server = createWebSocketServer({ maxPayload: MAX_FRAME_BYTES, handleProtocols: pickForUpgrade })

  async function admit(knock: Knock, secure: boolean): Promise<void> {
    if (sessions.draining) return knock.refuse(drainingRefusal)
    const principal = await access.admit(doorOf(knock.request, secure))
    if (isRefusal(principal)) return turnAway(knock, principal)
    knock.accept((webSocket, stream) => {
      const end = new LinkEnd(new ServerSocketWire(webSocket, stream, knock.protocol))
      listen(webSocket, end)
      end.attach(sessions.accept(end, principal))
    })
  }

  function answer(knock: Knock, secure: boolean): void {
    admit(knock, secure).catch((error: unknown) => {
      log.error({ err: error }, 'a WebSocket could not be admitted')
      knock.refuse(failedRefusal)
    })
  }

  return {
    handleRequest(request, response) {
      if (pathOf(request) !== paths.websocket) return false
      response.setHeader('upgrade', 'websocket')
      refuse(response, { status: 426, code: 'upgrade', message: strings.door.webSocketOnly })
      return true
    },
    handleUpgrade(request, socket, head, secure) {
      if (pathOf(request) !== paths.websocket) return false
      answer(upgradeKnock(server, request, socket, head), secure)
      return true
    },
    handleConnect(request, response) {
      if (pathOf(request) !== paths.websocket) return false
      answer(connectKnock(server, request, response), true)
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
      : end.close({ code: 'bad-frame', detail: strings.link.textFrame }),
  )
  // ws itself then closes with the protocol's own code, which the client reads as the same reason.
  webSocket.on('error', (error) => end.ended(reasonOf(error)))
  webSocket.on('close', (code, reason) => end.ended(readWebSocketClose(code, reason.toString())))
}

function reasonOf(error: Error & { code?: string }): CloseReason {
  if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    return { code: 'too-large', detail: strings.link.longFrame(MAX_FRAME_BYTES) }
  }
  return { code: error.code?.startsWith('WS_ERR_') ? 'bad-frame' : 'lost', detail: error.message }
}

/**
 * Writes frames itself, each in one buffer with its head. What ws says of its own accord (pong, close) it writes whole and at
 * once, so nothing comes between.
 */
class ServerSocketWire implements Wire {
  readonly info: LinkInfo
  readonly #webSocket: WebSocket
  readonly #stream: Duplex
  readonly #cork: LateCork

  constructor(webSocket: WebSocket, stream: Duplex, protocol: Knock['protocol']) {
    this.info = { transport: 'websocket', protocol, up: 'frames' }
    this.#webSocket = webSocket
    this.#stream = stream
    this.#cork = new LateCork(stream)
  }

  write(frame: Uint8Array): Promise<void> {
    if (this.#webSocket.readyState !== OPEN) return HANDED // it is closing, and says so in a moment
    this.#cork.gather(frame.length)
    const stream = this.#stream
    const message = binaryFrame(frame)
    if (stream.writableLength + message.length <= HIGH_WATER_BYTES) {
      stream.write(message)
      return HANDED
    }
    return new Promise((resolve) => stream.write(message, () => resolve()))
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (side === 'here') this.#webSocket.close(webSocketCloseCode(reason.code), writeWebSocketReason(reason))
  }
}
