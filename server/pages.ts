/** Pages by Next: who opens one without a session becomes a guest on the way. Knows guests; does not know documents. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { strings } from '../lib/strings/api.ts'
import { answerError, pathOf } from './http-answers.ts'
import { chooseEncoding, createCompressor, isWorthCompressing } from './compression.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway.ts'
import { accessRequestOf } from './gateways/http-refusals.ts'
import type { GuestIssuer } from './guest-issuer.ts'
import { createNonce } from './content-policy.ts'
import { copyStatusAndHeaders, createInnerServer, forwardRequest, innerHeadersOf } from './inner-server.ts'
import type { PageSource } from './next-pages.ts'
import type { PageHeadersFunction } from './security-headers.ts'

export interface PageServerOptions {
  readonly source: PageSource
  readonly issueGuest: GuestIssuer
  readonly log: Logger
  readonly headers: PageHeadersFunction
  /** Next's development tools POST to it and open a WebSocket. */
  readonly dev: boolean
}

export interface Pages {
  handleRequest(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void>
  /** True when it took the socket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): Promise<void>
}

export function createPages({ source, issueGuest, log, headers, dev }: PageServerOptions): Pages {
  const inner = createInnerServer((request, response) => {
    source.handle(request, response).catch((error: unknown) => {
      log.error({ error, path: pathOf(request) }, 'a page failed')
      answerError(response, 500, 'pages', strings.page.failed)
    })
  })

  return {
    close: () => source.close(),

    async handleRequest(request, response, secure) {
      if (!dev && request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response)
      const guest = isNavigation(request) ? await issueGuestOrNull(issueGuest, request, secure, log) : null
      const nonce = isFragment(request) ? null : createNonce()
      const ownHeaders = headers(pathOf(request), nonce)
      const forwardedHeaders = withNonce(innerHeadersOf(request, secure), ownHeaders, nonce)
      if (guest) forwardedHeaders.cookie = guest.cookie
      await forwardRequest(inner, request, response, {
        headers: forwardedHeaders,
        log,
        onAnswer: (innerResponse) => {
          copyStatusAndHeaders(innerResponse, response)
          setPageHeaders(response, ownHeaders, guest?.setCookies ?? [])
          return compressionOf(request, innerResponse, response)
        },
      })
    },

    handleUpgrade(request, socket, head) {
      return dev && pathOf(request)?.startsWith('/_next/') === true && source.upgrade(request, socket, head)
    },
  }
}

function refuseMethod(response: GatewayResponse): void {
  response.setHeader('allow', 'GET, HEAD')
  answerError(response, 405, 'method', strings.page.methods)
}

/** Opened as a page by a person: not one of Next's own fetches, not an asset, not a frame or fetch of another site. */
function isNavigation({ method, headers, url = '' }: GatewayRequest): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'document'
  // Behind a service worker every browser says that the page is for nothing in particular.
  const isByServiceWorker = destination === 'empty' && headers['sec-fetch-site'] === 'same-origin'
  return (
    method === 'GET' &&
    (headers.accept ?? '').includes('text/html') &&
    (destination === 'document' || isByServiceWorker) &&
    !isFragment({ headers }) &&
    !url.startsWith('/_next/')
  )
}

/** Next fetches what of a page has changed, and has it drawn by scripts that are there already. */
const isFragment = ({ headers }: Pick<GatewayRequest, 'headers'>): boolean => headers.rsc !== undefined

/**
 * Next takes the nonce for its own scripts from the policy, or else from the one that is only reported on; the layout takes it from
 * `x-nonce`. A client names none of them.
 */
function withNonce(
  {
    'content-security-policy': _,
    'content-security-policy-report-only': __,
    'x-nonce': ___,
    ...forwardedHeaders
  }: Record<string, string | string[]>,
  ownHeaders: Readonly<Record<string, string>>,
  nonce: string | null,
): Record<string, string | string[]> {
  if (nonce === null) return forwardedHeaders
  return {
    ...forwardedHeaders,
    'content-security-policy': ownHeaders['content-security-policy'] ?? '',
    'x-nonce': nonce,
  }
}

/** Null as well when access fails: the page itself then says that the server does. */
async function issueGuestOrNull(greet: GuestIssuer, request: GatewayRequest, secure: boolean, log: Logger) {
  try {
    return await greet(accessRequestOf(request, secure))
  } catch (error) {
    log.error({ error }, 'no guest could be made')
    return null
  }
}

function setPageHeaders(
  response: GatewayResponse,
  headers: Readonly<Record<string, string>>,
  setCookies: string[],
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // Next marks pages it made beforehand for caches shared by everybody (`s-maxage`): a page that greets is one person's.
  if (setCookies.length > 0 || String(response.getHeader('cache-control')).includes('s-maxage'))
    response.setHeader('cache-control', 'private, no-cache')
  if (setCookies.length > 0) response.setHeader('set-cookie', setCookies)
}

function compressionOf(request: GatewayRequest, innerResponse: IncomingMessage, response: GatewayResponse) {
  if (!isWorthCompressing(innerResponse.headers)) return []
  const vary = response.getHeader('vary')
  response.setHeader('vary', vary ? `${String(vary)}, Accept-Encoding` : 'Accept-Encoding')
  const encoding = chooseEncoding(String(request.headers['accept-encoding'] ?? ''))
  const hasBody = request.method !== 'HEAD' && innerResponse.statusCode !== 304
  if (!encoding || !hasBody) return []
  response.setHeader('content-encoding', encoding)
  response.removeHeader('content-length')
  const { etag } = innerResponse.headers
  // The bytes differ now; a weak tag promises only the same meaning.
  if (etag && !etag.startsWith('W/')) response.setHeader('etag', `W/${etag}`)
  return [createCompressor(encoding)]
}
