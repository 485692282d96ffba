/** A request and its response, of either HTTP version: Node's objects for both have all that the server uses. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

export type GatewayRequest = IncomingMessage | Http2ServerRequest
export type GatewayResponse = ServerResponse | Http2ServerResponse
