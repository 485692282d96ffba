/**
 * Tracks every connection of the listener, so that all can be ended. It knows sockets and
 * HTTP/2 sessions; it does not know what they carry.
 */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import { constants, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'
import { FORWARD_HEADER } from './nodes/forward-proof.ts'
import { IDLE_SESSION_TIMEOUT_MS, SESSION_WINDOW_BYTES } from './listener-limits.ts'

const MAX_STREAM_ID = 2 ** 31 - 1

export type ListenerServer = HttpServer | Http2SecureServer

export interface ConnectionTracker {
  /** Asks each client to make new connections for further requests. Those that come all the same are answered. */
  askToLeave(): void
  /** Asks each connection to end after the requests it has open. */
  endWhenIdle(): void
  destroyAll(): void
}

/** Node's own `closeIdleConnections` covers neither HTTP/1.1 on the TLS port nor upgraded sockets. */
export function trackConnections(servers: readonly ListenerServer[]): ConnectionTracker {
  const sessions = new Set<ServerHttp2Session>()
  /** How many requests each socket has open; requests over HTTP/2 are counted by their session. */
  const sockets = new Map<Socket, number>()
  let isLeaving = false
  let isEnding = false

  const addSocket = (socket: Socket): void => {
    sockets.set(socket, 0)
    socket.once('close', () => sockets.delete(socket))
    if (isEnding) socket.destroy()
  }
  const countOpenRequests = (socket: Socket, by: 1 | -1): void => {
    const open = (sockets.get(socket) ?? 0) + by
    if (!sockets.has(socket)) return
    sockets.set(socket, open)
    if (isEnding && open === 0) socket.destroySoon()
  }
  const countRequest = (request: GatewayRequest, response: GatewayResponse): void => {
    if (request.httpVersionMajor !== 1) return
    const { socket } = request as IncomingMessage
    // Nodes forward what belongs to links of this one, and could not connect anew.
    if (isLeaving && !request.headers[FORWARD_HEADER])
      (response as ServerResponse).setHeader('connection', 'close')
    countOpenRequests(socket, 1)
    response.once('close', () => countOpenRequests(socket, -1))
  }
  const addSession = (session: ServerHttp2Session): void => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    session.on('error', () => session.destroy())
    session.setLocalWindowSize(SESSION_WINDOW_BYTES)
    session.setTimeout(IDLE_SESSION_TIMEOUT_MS, () => session.close())
    if (isLeaving) announceShutdown(session)
    if (isEnding) session.close()
  }

  for (const server of servers) {
    const overTls = 'setSecureContext' in server
    server.on(overTls ? 'secureConnection' : 'connection', addSocket)
    server.on('request', countRequest)
    server.on('session', addSession)
  }

  return {
    askToLeave: () => {
      isLeaving = true
      for (const session of sessions) announceShutdown(session)
    },
    endWhenIdle: () => {
      isEnding = true
      for (const session of sessions) session.close()
      for (const [socket, open] of sockets) if (open === 0 && !isHttp2(socket)) socket.destroySoon()
    },
    destroyAll: () => {
      for (const session of sessions) session.destroy()
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}

/** Requests that are on their way meanwhile are served: the notice names the last of all streams (RFC 9113, 6.8). */
function announceShutdown(session: ServerHttp2Session): void {
  if (!session.closed && !session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, MAX_STREAM_ID)
}

const isHttp2 = (socket: Socket | TLSSocket): boolean =>
  'alpnProtocol' in socket && socket.alpnProtocol === 'h2'
