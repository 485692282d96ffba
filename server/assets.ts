/** Serves the files that `scripts/build.ts` put into `.next/assets`, compressed beforehand. */
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import sirv from 'sirv'
import { abortResponse, endUnread } from './http-answers.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'
import { sameOriginHeaders } from './security-headers.ts'

/** Returns true when it answered. */
export type AssetHandler = (request: GatewayRequest, response: GatewayResponse) => boolean

/** The names of these files carry a hash of their content. */
const immutablePath = /^\/_next\/static\//

const YEAR_S = 365 * 24 * 60 * 60

export const serveNoAssets: AssetHandler = () => false

/** Reads the list of files once: they do not change while the server runs. */
export function createAssetHandler(folder: string): AssetHandler {
  if (!existsSync(folder)) return serveNoAssets
  const serve = sirv(folder, { etag: true, brotli: true, extensions: [], setHeaders })
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (/\.(br|gz)$/.test(request.url ?? '')) return false
    // A range of a compressed file is a range of other bytes, and no asset is large enough to need one.
    delete request.headers.range
    closeFileOnClose(response)
    let isFound = true
    // sirv is typed for HTTP/1.1, and uses only what Node's HTTP/2 objects offer as well.
    serve(
      request as Parameters<typeof serve>[0],
      response as Parameters<typeof serve>[1],
      () => void (isFound = false),
    )
    return isFound
  }
}

function setHeaders(response: { setHeader(name: string, value: string): unknown }, path: string): void {
  const cached = immutablePath.test(path)
    ? `public, max-age=${YEAR_S}, immutable`
    : 'public, max-age=0, must-revalidate'
  response.setHeader('cache-control', cached)
  response.setHeader('x-content-type-options', 'nosniff')
  for (const [name, value] of Object.entries(sameOriginHeaders)) response.setHeader(name, value)
}

/**
 * Closes the file with the response: sirv pipes it and forgets it, so it would stay open when the client goes away in the middle. A file
 * that cannot be read, because a build has replaced it since the start, ends its response, which would otherwise end the server.
 */
function closeFileOnClose(response: GatewayResponse): void {
  response.once('pipe', (file: Readable) => {
    endUnread(response)
    response.once('close', () => file.destroy())
    file.once('error', () => abortResponse(response))
  })
}
