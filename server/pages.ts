/** Serves Next's pages, and makes a guest of whoever opens one without a session. It knows guests; it does not know documents. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { apiStrings } from '../lib/strings/api.ts'
import { plainPageStrings } from '../lib/strings/plain-page.ts'
import type { AccessRequest, GuestIssuer } from './access/access.ts'
import { answerError, pathOf } from './http-answers.ts'
import { isFragment, isNavigation } from './navigation.ts'
import { answerPlainPage } from './plain-page.ts'
import { chooseEncoding, createCompressor, isWorthCompressing } from './compression.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'
import { accessRequestOf } from './gateways/http-refusals.ts'
import { createNonce } from './content-policy.ts'
import { copyStatusAndHeaders, createInnerServer, forwardRequest, innerHeadersOf } from './inner-server.ts'
import type { PageSource } from './next-pages.ts'
import type { PageHeadersFunction } from './security-headers.ts'

export interface PageServerOptions {
  readonly source: PageSource
  readonly issueGuest: GuestIssuer
  /** Charges a page. Returns 0, or how many milliseconds its caller has to wait. */
  takePage(request: AccessRequest): Promise<number>
  readonly log: Logger
  readonly headers: PageHeadersFunction
  /** True in development, where Next's tools send POST requests and open a WebSocket. */
  readonly dev: boolean
}

export interface Pages {
  handleRequest(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void>
  /** Returns true when it took the socket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): Promise<void>
}

export function createPages({ source, issueGuest, takePage, log, headers, dev }: PageServerOptions): Pages {
  const inner = createInnerServer((request, response) => {
    source.handle(request, response).catch((error: unknown) => {
      log.error({ error, path: pathOf(request) }, 'a page failed')
      answerError(response, 500, 'pages', apiStrings.page.failed)
    })
  })

  return {
    close: () => source.close(),

    async handleRequest(request, response, secure) {
      if (!dev && request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response)
      // Next's tools ask for hundreds of files.
      const waitMs = dev ? 0 : await takePage(accessRequestOf(request, secure))
      if (waitMs > 0) return refuseForNow(response, waitMs)
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
  answerError(response, 405, 'method', apiStrings.page.methods)
}

function refuseForNow(response: GatewayResponse, waitMs: number): void {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  const { tooManyPages: title, tryAgain } = plainPageStrings
  answerPlainPage(response, { status: 429, title, sentence: tryAgain(retryAfterS), retryAfterS })
}

/**
 * Next takes the nonce for its own scripts from the policy, or else from the report-only policy; the layout takes it from
 * `x-nonce`. All three headers of a client are dropped.
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

/** Returns null also when access fails: the page itself then shows the server's fault. */
async function issueGuestOrNull(
  issueGuest: GuestIssuer,
  request: GatewayRequest,
  secure: boolean,
  log: Logger,
) {
  try {
    return await issueGuest(accessRequestOf(request, secure))
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
  // Next marks pages that it built beforehand for shared caches (`s-maxage`), but a page that issues a guest belongs to one person.
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
