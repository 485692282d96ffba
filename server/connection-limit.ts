/**
 * Connections by the address of their other end (A6): how many are open, and how many come a second. One too many is cut without a
 * word, because a word would cost the TLS handshake that is to be saved. Proxies on the list are not counted.
 */
import type { Socket } from 'node:net'
import type { Clock } from '../lib/session/clock.ts'
import { realClock } from '../lib/session/clock.ts'
import { createAddressOf, createProxyCheck } from './access/peer-address.ts'
import type { Config } from './config.ts'
import { RateLimits } from './rate-limit.ts'

type Settings = Pick<Config, 'trustedProxies' | 'limitConnections' | 'limitOpenConnections'>

/** Cuts the socket, or counts it until it closes. */
export type LimitConnection = (socket: Socket) => void

/**
 * So many times the rate of links. A door that refuses a link says when to come again, and a connection that is cut cannot, so
 * connections are cut only from clients that do not heed that answer.
 */
const BEFORE_CUT = 2

export function limitConnections(
  { trustedProxies, limitConnections: rate, limitOpenConnections: most }: Settings,
  clock: Pick<Clock, 'now'> = realClock,
): LimitConnection {
  const isProxy = createProxyCheck(trustedProxies)
  const addressOf = createAddressOf([])
  const doubled = rate && { atOnce: rate.atOnce * BEFORE_CUT, perSecond: rate.perSecond * BEFORE_CUT }
  const arrivals = new RateLimits(doubled, clock)
  const open = new Map<string, number>()

  return (socket) => {
    const { remoteAddress: peer = '' } = socket
    if (isProxy(peer)) return
    const address = addressOf({ peer, headers: {} })
    const others = open.get(address) ?? 0
    if ((most !== null && others >= most) || arrivals.take(address) > 0) return void socket.destroy()
    open.set(address, others + 1)
    socket.once('close', () => {
      const left = open.get(address)! - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  }
}
