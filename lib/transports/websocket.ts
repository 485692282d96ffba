/** WebSocket: frames both ways as binary messages. In a browser its cookies come along; elsewhere a token is a header. */
import type { CloseReason } from '../protocol/close.ts'
import {
  readRefusal,
  readWebSocketClose,
  subprotocols,
  webSocketCloseCode,
  writeWebSocketReason,
} from '../protocol/http.ts'
import { transportsStrings } from '../strings/transports.ts'
import { SENT, HIGH_WATER_BYTES, LinkEnd, type LinkDriver } from './link.ts'
import type { WebSocketLike } from './net/net.ts'
import { bearerHeaders, abortedOpening, openingError } from './opening.ts'
import type { Link, LinkInfo, Sink, LinkTarget, NetworkTransport } from './transport.ts'
import { TransportError } from './transport.ts'

declare module './transport.ts' {
  interface NetworkTransports {
    websocket: true
  }
}

const linkPath = '/sync/websocket'
/** The buffer is polled: the platform has no event for an emptied buffer. */
const DRAIN_POLL_MS = 10
const OPEN = 1

export const websocket: NetworkTransport = {
  id: 'websocket',
  label: 'WebSocket',
  explanation: 'One connection, both ways. Quickest, but some networks block it.',
  capabilities: { fullDuplex: true, downFactor: 1 },
  isShareable: false,
  mayStreamBody: false,
  downstream: 'stream',
  linkPath,
  async open(target, sink, signal) {
    if (signal.aborted) throw abortedOpening(signal)
    try {
      return await openSocket(target, sink, signal)
    } catch (error) {
      throw openingError(error, signal)
    }
  },
}

function openSocket(target: LinkTarget, sink: Sink, signal: AbortSignal): Promise<Link> {
  return new Promise((resolve, reject) => {
    const url = target.origin.replace(/^http/, 'ws') + linkPath
    const socket = target.net.webSocket(url, bearerHeaders(target), Object.values(subprotocols))
    socket.binaryType = 'arraybuffer'
    const fail = (error: TransportError): void => {
      signal.removeEventListener('abort', onAbort)
      removeHandlers(socket)
      socket.close()
      reject(error)
    }
    const onAbort = (): void => fail(abortedOpening(signal))
    signal.addEventListener('abort', onAbort)
    socket.onerror = (event: { message?: string }) => fail(refusalError(event.message))
    socket.onclose = (event: CloseEventLike) =>
      fail(new TransportError(readWebSocketClose(event.code, event.reason)))
    socket.onopen = () => {
      signal.removeEventListener('abort', onAbort)
      resolve(createLink(socket, sink))
    }
  })
}

interface CloseEventLike {
  readonly code: number
  readonly reason: string
}

/** Node provides the status ("Unexpected server response: 403"); browsers provide nothing. */
function refusalError(message = ''): TransportError {
  const status = /response: (\d{3})/.exec(message)?.[1]
  if (status) return new TransportError(readRefusal(Number(status), '', null))
  return new TransportError({ code: 'refused', ...(message && { detail: message }) })
}

function createLink(socket: WebSocketLike, sink: Sink): Link {
  const link = new LinkEnd(new WebSocketLinkDriver(socket))
  socket.onmessage = ({ data }: { data: ArrayBuffer | string }) =>
    typeof data === 'string'
      ? link.close({ code: 'bad-frame', detail: transportsStrings.details.textFrame })
      : link.receive(new Uint8Array(data))
  socket.onerror = () => {}
  socket.onclose = (event: CloseEventLike) => link.onEnded(readWebSocketClose(event.code, event.reason))
  link.attach(sink)
  return link
}

class WebSocketLinkDriver implements LinkDriver {
  readonly info: LinkInfo
  readonly #socket: WebSocketLike
  #drain: Promise<void> | undefined

  constructor(socket: WebSocketLike) {
    this.#socket = socket
    const protocol = socket.protocol === subprotocols.h2 ? 'h2' : 'http/1.1'
    this.info = { transport: 'websocket', protocol, up: 'frames' }
  }

  write(frame: Uint8Array): Promise<void> {
    this.#socket.send(frame)
    return this.#isFull() ? (this.#drain ??= this.#waitForDrain()) : SENT
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    removeHandlers(this.#socket)
    if (side === 'here') this.#socket.close(webSocketCloseCode(reason.code), writeWebSocketReason(reason))
  }

  #isFull(): boolean {
    return this.#socket.readyState === OPEN && this.#socket.bufferedAmount > HIGH_WATER_BYTES
  }

  async #waitForDrain(): Promise<void> {
    while (this.#isFull()) await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS))
    this.#drain = undefined
  }
}

/** `onerror` stays set: without it, Node's socket throws errors that happen after its end. */
function removeHandlers(socket: WebSocketLike): void {
  socket.onopen = socket.onmessage = socket.onclose = null
  socket.onerror = () => {}
}
