/**
 * Limits the connections of each remote address (A6): how many are open, and how many are opened a second. A connection over the
 * limit is cut without an answer, because an answer would cost the TLS handshake that the limit saves. Trusted proxies are not
 * counted.
 */
import type { Socket } from 'node:net'
import type { Clock } from '../lib/session/clock.ts'
import { realClock } from '../lib/session/clock.ts'
import { createClientAddressOf, createProxyCheck } from './access/client-address.ts'
import type { Config } from './config.ts'
import { RateLimits } from './rate-limit.ts'

type ConnectionLimitSettings = Pick<Config, 'trustedProxies' | 'limitConnections' | 'limitOpenConnections'>

/** Stops counting the socket. */
const exemptions = new WeakMap<Socket, () => void>()

/** Takes a connection out of the limits: another node has proven that it forwards requests on it, many at once. */
export const exemptConnection = (socket: Socket): void => exemptions.get(socket)?.()

/** Cuts the socket, or counts it until it closes. */
export type ConnectionLimiter = (socket: Socket) => void

/**
 * Connections may come at this multiple of the rate of links. A gateway that refuses a link says when to retry, and a connection
 * that is cut cannot, so connections are cut only from clients that ignore that answer.
 */
const RATE_FACTOR = 2

export function createConnectionLimiter(
  { trustedProxies, limitConnections: linkRate, limitOpenConnections: maxOpen }: ConnectionLimitSettings,
  clock: Pick<Clock, 'now'> = realClock,
): ConnectionLimiter {
  const isProxy = createProxyCheck(trustedProxies)
  const addressOf = createClientAddressOf([])
  const connectionRate = linkRate && {
    atOnce: linkRate.atOnce * RATE_FACTOR,
    perSecond: linkRate.perSecond * RATE_FACTOR,
  }
  const rateLimits = new RateLimits(connectionRate, clock)
  const openCounts = new Map<string, number>()

  return (socket) => {
    const { remoteAddress: peer = '' } = socket
    if (isProxy(peer)) return
    const address = addressOf({ peer, headers: {} })
    const openConnections = openCounts.get(address) ?? 0
    if ((maxOpen !== null && openConnections >= maxOpen) || rateLimits.take(address) > 0)
      return void socket.destroy()
    openCounts.set(address, openConnections + 1)
    const stopCounting = (): void => {
      if (!exemptions.delete(socket)) return
      const remaining = openCounts.get(address)! - 1
      if (remaining === 0) openCounts.delete(address)
      else openCounts.set(address, remaining)
    }
    exemptions.set(socket, () => {
      stopCounting()
      rateLimits.refund(address)
    })
    socket.once('close', stopCounting)
  }
}
