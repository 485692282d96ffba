/**
 * How a stock Yjs client says who it is, which can set no header of its own: by cookie; by a one-use ticket or, for want of better,
 * a link's token in the address; or by the token as a subprotocol, which no proxy writes into its log. Knows requests; does not
 * know access.
 */
import type { GatewayRequest } from './gateway.ts'
import { queryOf } from './http-refusals.ts'

/** Offered beside the one that carries the token, and picked then: so the answer does not repeat the token. */
const PLAIN_SUBPROTOCOL = 'diptych.yjs'
const TOKEN_SUBPROTOCOL_PREFIX = 'diptych.token.'

export interface StockCredentials {
  /** A link's token, '' for none. */
  readonly token: string
  readonly ticket: string | null
}

export function stockCredentialsOf(request: GatewayRequest): StockCredentials {
  const query = queryOf(request)
  const tokenProtocol = offeredSubprotocols(request).find((protocol) =>
    protocol.startsWith(TOKEN_SUBPROTOCOL_PREFIX),
  )
  const token = tokenProtocol?.slice(TOKEN_SUBPROTOCOL_PREFIX.length) ?? query.get('token') ?? ''
  return { token, ticket: query.get('ticket') }
}

/** A browser ends a connection whose answer names none of what it offered. */
export function pickStockSubprotocol(offered: ReadonlySet<string>): string | false {
  if (offered.has(PLAIN_SUBPROTOCOL)) return PLAIN_SUBPROTOCOL
  const [first] = offered
  return first ?? false
}

export const offeredSubprotocols = ({ headers }: GatewayRequest): string[] =>
  String(headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')
