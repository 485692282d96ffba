/**
 * Reads the credentials of a stock Yjs client, which cannot set headers: a cookie; a one-use ticket or, as a last resort, a share
 * link's token in the address; or the token as a subprotocol, which no proxy writes into its log. Knows requests; does not know
 * access.
 */
import type { GatewayRequest } from './gateway-request.ts'
import { queryOf } from './http-refusals.ts'

/** Offered besides the one with the token, and then picked, so that the answer does not repeat the token. */
const PLAIN_SUBPROTOCOL = 'diptych.yjs'
const TOKEN_SUBPROTOCOL_PREFIX = 'diptych.token.'

export interface StockCredentials {
  /** The token of a share link, '' for none. */
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

/** Always picks one, since a browser ends a connection whose answer names none of the subprotocols that it offered. */
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
