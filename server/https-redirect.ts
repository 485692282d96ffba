/**
 * Plain http serves this computer alone; all others go to https. This module knows addresses
 * and the Host header; it does not know paths.
 */
import { isIP } from 'node:net'
import { hostUrlOf } from './http-answers.ts'
import { isLoopbackName } from './loopback-name.ts'
import type { GatewayRequest } from './gateways/gateway-request.ts'

/**
 * Both the peer and the name it used must be this computer's: the client chooses the name, and the peer may be a proxy, or a
 * browser that was given a name pointing at 127.0.0.1.
 */
export const isFromThisComputer = (request: GatewayRequest): boolean =>
  isLoopbackAddress(request.socket.remoteAddress ?? '') && isLoopbackName(hostUrlOf(request)?.hostname ?? '')

/** Returns the address of the same page over https, or null when the Host header names no host. */
export function httpsLocationOf(
  request: GatewayRequest,
  { httpsPort, publicUrl }: { httpsPort: number; publicUrl: string | null },
): string | null {
  if (publicUrl?.startsWith('https:')) return publicUrl + request.url
  const host = hostUrlOf(request)
  return host && new URL(`https://${host.hostname}:${httpsPort}`).origin + request.url
}

/** An IPv4 peer of a socket that listens on :: appears as ::ffff:127.0.0.1. */
const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || (isIP(address) !== 0 && /^(::ffff:)?127\./.test(address))
