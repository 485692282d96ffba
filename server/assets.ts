/** Files made by the build, served as they stand: what `scripts/build.ts` put into `.next/assets`, compressed beforehand. */
import { existsSync } from 'node:fs'
import sirv from 'sirv'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway.ts'
import { sameOriginHeaders } from './security-headers.ts'

/** True when it answered. */
export type AssetHandler = (request: GatewayRequest, response: GatewayResponse) => boolean

/** Their names carry a hash of their content. */
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
    // Ranges of a compressed file are ranges of other bytes; nothing here is large enough to want them.
    delete request.headers.range
    closeFileOnClose(response)
    let isFound = true
    // sirv is typed for HTTP/1.1, and uses of both only what Node's HTTP/2 compatibility offers as well.
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

/** sirv pipes a file and forgets it: where the client goes away in the middle it would stay open. */
function closeFileOnClose(response: GatewayResponse): void {
  response.once('pipe', (file: NodeJS.ReadableStream & { destroy(): void }) => {
    response.once('close', () => file.destroy())
  })
}
