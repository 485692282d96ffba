/** The gateway of WebSocket. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { CloseReason } from '../../lib/protocol/close.ts'
import {
  readWebSocketClose,
  subprotocols,
  webSocketCloseCode,
  writeWebSocketReason,
} from '../../lib/protocol/http.ts'
import { MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { SENT, HIGH_WATER_BYTES, LinkEnd, type LinkDriver } from '../../lib/transports/link.ts'
import type { Link, LinkInfo, Sink } from '../../lib/transports/transport.ts'
import { websocket } from '../../lib/transports/websocket.ts'
import type { Principal } from '../access/principal.ts'
import { AfterFirstWriteCork } from './write-cork.ts'
import type { Gateway, GatewayDependencies } from './gateway.ts'
import { encodeBinaryFrame } from './web-socket-frame.ts'
import { WebSocketReader } from './web-socket-reader.ts'
import { type AcceptedWebSocket, WebSocketEndpoint } from './upgrade-request.ts'

const OPEN = 1

export function createWebSocketGateway({ sessions }: Pick<GatewayDependencies, 'sessions'>): Gateway {
  const endpoint = new WebSocketEndpoint({
    maxPayload: MAX_FRAME_BYTES,
    pickSubprotocol: (offered, protocol) => offered.has(subprotocols[protocol]) && subprotocols[protocol],
  })

  const open = (socket: AcceptedWebSocket, caller: Principal): void =>
    createWebSocketLink(socket, caller, (link) => sessions.accept(link, caller))

  return {
    webSockets: [{ path: websocket.linkPath, endpoint, open }],
    close() {
      for (const webSocket of endpoint.webSockets) webSocket.terminate()
    },
  }
}

/** Makes an accepted WebSocket the server's end of a link. */
export function createWebSocketLink(
  socket: AcceptedWebSocket,
  principal: Principal,
  accept: (link: Link) => Sink,
): void {
  const end = new LinkEnd(new ServerWebSocketLinkDriver(socket))
  listenToSocket(socket.webSocket, principal, end)
  end.attach(accept(end))
}

function listenToSocket(webSocket: WebSocket, { id }: Principal, end: LinkEnd): void {
  // ws itself then closes with the code of the protocol, which the client reads as the same reason.
  webSocket.on('error', (error) => end.onEnded(closeReasonOf(error)))
  new WebSocketReader(webSocket, id).start({
    onMessage: (data, isBinary) =>
      isBinary
        ? end.receive(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
        : end.close({ code: 'bad-frame', detail: serverRefusalsStrings.link.textFrame }),
    onClosed: (code, reason) => end.onEnded(readWebSocketClose(code, reason.toString())),
  })
}

function closeReasonOf(error: Error & { code?: string }): CloseReason {
  if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    return { code: 'too-large', detail: serverRefusalsStrings.link.longFrame(MAX_FRAME_BYTES) }
  }
  return { code: error.code?.startsWith('WS_ERR_') ? 'bad-frame' : 'lost', detail: error.message }
}

/**
 * Writes frames to the stream, each in one buffer with its header. The frames that ws sends by itself (pong, close) are written whole
 * and at once, so the two never mix.
 */
class ServerWebSocketLinkDriver implements LinkDriver {
  readonly info: LinkInfo
  readonly #webSocket: WebSocket
  readonly #stream: Duplex
  readonly #cork: AfterFirstWriteCork

  constructor({ webSocket, stream, protocol }: AcceptedWebSocket) {
    this.info = { transport: 'websocket', protocol, up: 'frames' }
    this.#webSocket = webSocket
    this.#stream = stream
    this.#cork = new AfterFirstWriteCork(stream)
  }

  write(frame: Uint8Array): Promise<void> {
    if (this.#webSocket.readyState !== OPEN) return SENT // it is closing, and its close event follows
    this.#cork.beforeWrite(frame.length)
    const stream = this.#stream
    const message = encodeBinaryFrame(frame)
    if (stream.writableLength + message.length <= HIGH_WATER_BYTES) {
      stream.write(message)
      return SENT
    }
    return new Promise((resolve) => stream.write(message, () => resolve()))
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (side === 'here') this.#webSocket.close(webSocketCloseCode(reason.code), writeWebSocketReason(reason))
  }
}
