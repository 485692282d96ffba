/**
 * What ws can do and its types do not say. Both ends need it for a WebSocket within HTTP/2, whose stream is open without the handshake of
 * HTTP/1.1.
 */
import type { Duplex } from 'node:stream'
import type { ClientOptions, ServerOptions, WebSocket } from 'ws'

/** In place of an address, for a WebSocket that connects to nothing by itself. */
export const UNADDRESSED = null as unknown as string

interface WebSocketInternals {
  _isServer: boolean
  setSocket(socket: Duplex, head: Buffer, options: ClientOptions | ServerOptions): void
}

/** Opens an unaddressed WebSocket over a stream. Only a client masks its frames, as it must. */
export function openOverStream(
  webSocket: WebSocket,
  end: 'client' | 'server',
  stream: Duplex,
  options: ClientOptions | ServerOptions,
): void {
  const internals = webSocket as unknown as WebSocketInternals
  internals._isServer = end === 'server'
  internals.setSocket(stream, Buffer.alloc(0), options)
}
