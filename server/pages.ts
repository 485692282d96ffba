/** Pages by Next: who opens one without a session becomes a guest on the way. Knows guests; does not know documents. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { strings } from '../lib/strings/api.ts'
import { answerError, pathOf } from './answer.ts'
import { chooseEncoding, compressor, worthCompressing } from './compression.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway.ts'
import { doorOf } from './gateways/refusals.ts'
import type { Greet } from './greeter.ts'
import { newNonce } from './content-policy.ts'
import { copyHead, createInnerServer, forward, innerHeaders } from './inner-server.ts'
import type { PageSource } from './next-pages.ts'
import type { PageHeaders } from './security-headers.ts'

export interface PagesParts {
  readonly source: PageSource
  readonly greet: Greet
  readonly log: Logger
  readonly headers: PageHeaders
  /** Next's development tools POST to it and open a WebSocket. */
  readonly dev: boolean
}

export interface Pages {
  handleRequest(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void>
  /** True when it took the socket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): Promise<void>
}

export function createPages({ source, greet, log, headers, dev }: PagesParts): Pages {
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
      const guest = isNavigation(request) ? await welcome(greet, request, secure, log) : null
      const nonce = isFragment(request) ? null : newNonce()
      const own = headers(pathOf(request), nonce)
      const onward = withNonce(innerHeaders(request, secure), own, nonce)
      if (guest) onward.cookie = guest.cookie
      await forward(inner, request, response, {
        headers: onward,
        log,
        answer: (answered) => {
          copyHead(answered, response)
          setPageHeaders(response, own, guest?.setCookies ?? [])
          return compress(request, answered, response)
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
  const isByWorker = destination === 'empty' && headers['sec-fetch-site'] === 'same-origin'
  return (
    method === 'GET' &&
    (headers.accept ?? '').includes('text/html') &&
    (destination === 'document' || isByWorker) &&
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
    ...onward
  }: Record<string, string | string[]>,
  own: Readonly<Record<string, string>>,
  nonce: string | null,
): Record<string, string | string[]> {
  if (nonce === null) return onward
  return { ...onward, 'content-security-policy': own['content-security-policy'] ?? '', 'x-nonce': nonce }
}

/** Null as well when access fails: the page itself then says that the server does. */
async function welcome(greet: Greet, request: GatewayRequest, secure: boolean, log: Logger) {
  try {
    return await greet(doorOf(request, secure))
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

function compress(request: GatewayRequest, answered: IncomingMessage, response: GatewayResponse) {
  if (!worthCompressing(answered.headers)) return []
  const vary = response.getHeader('vary')
  response.setHeader('vary', vary ? `${String(vary)}, Accept-Encoding` : 'Accept-Encoding')
  const encoding = chooseEncoding(String(request.headers['accept-encoding'] ?? ''))
  const hasBody = request.method !== 'HEAD' && answered.statusCode !== 304
  if (!encoding || !hasBody) return []
  response.setHeader('content-encoding', encoding)
  response.removeHeader('content-length')
  const { etag } = answered.headers
  // The bytes differ now; a weak tag promises only the same meaning.
  if (etag && !etag.startsWith('W/')) response.setHeader('etag', `W/${etag}`)
  return [compressor(encoding)]
}
