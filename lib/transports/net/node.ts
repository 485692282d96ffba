/** The platform of Node: `ws`, the `eventsource` package, and fetch over HTTP/2 or HTTP/1.1 (node-fetch.ts). */
import { EventSource } from 'eventsource'
import { WebSocket } from 'ws'
import { MAX_FRAME_BYTES } from '../../protocol/limits.ts'
import type { NetworkPlatform, NetworkPlatformOptions } from './net.ts'
import { NodeFetch } from './node-fetch.ts'
import { Http2WebSocket, type WebSocketRequest } from './node-web-socket.ts'

/** How long a closed WebSocket waits for the other side's answer before it is cut. */
const CLOSE_TIMEOUT_MS = 2_000

export function createNet(options: NetworkPlatformOptions = {}): NetworkPlatform {
  const tls = { ca: options.ca, rejectUnauthorized: !options.insecure }
  const http = new NodeFetch(tls)
  const sockets = new Set<WebSocket | Http2WebSocket>()
  const limits = { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES, closeTimeout: CLOSE_TIMEOUT_MS }
  const overHttp2 = (url: string, wanted: Omit<WebSocketRequest, 'path'>): Http2WebSocket => {
    const address = new URL(url.replace(/^ws/, 'http'))
    const path = address.pathname + address.search
    return new Http2WebSocket(http.session(address), { ...wanted, path }, limits)
  }
  return {
    bringsCookies: false,
    webSocket(url, headers, protocols) {
      if (options.webSocketOverHttp2 && url.startsWith('wss:')) {
        const socket = overHttp2(url, { headers, protocols })
        sockets.add(socket)
        return socket
      }
      const socket = new WebSocket(url, [...protocols], { ...tls, ...limits, headers })
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    fetch: (url, init) => http.fetch(url, init),
    eventSource: (url, headers) =>
      new EventSource(url, {
        fetch: (address, init) =>
          http.fetch(String(address), {
            method: 'GET',
            headers: { ...init.headers, ...headers },
            signal: init.signal as AbortSignal,
          }),
      }),
    canStreamBody: () => true,
    protocolOf: (url) => http.protocolOf(url),
    visible: () => true,
    roundTripMs: (origin) => http.roundTripMs(origin),
    dispose() {
      // A closing socket must still send its last frame.
      for (const socket of sockets) if (socket.readyState <= WebSocket.OPEN) socket.terminate()
      http.dispose()
    },
  }
}
