/** GET /new creates a document and redirects to it. Since this GET changes something, only a person's own navigation may do it. */
import type { Logger } from 'pino'
import { apiStrings } from '../lib/strings/api.ts'
import { plainPageStrings } from '../lib/strings/plain-page.ts'
import { answerError, hostOf, redirect } from './http-answers.ts'
import type { FetchApp } from './fetch-adapter.ts'
import type { GuestIssuer } from './access/access.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'
import { accessRequestOf } from './gateways/http-refusals.ts'
import { answerPlainPage } from './plain-page.ts'

export interface NewDocumentOptions {
  readonly issueGuest: GuestIssuer
  readonly api: FetchApp
  readonly log: Logger
}

export async function handleNewDocument(
  options: NewDocumentOptions,
  request: GatewayRequest,
  response: GatewayResponse,
  secure: boolean,
): Promise<void> {
  if (request.method !== 'GET') return answerError(response, 405, 'method', apiStrings.newDocument.method)
  if (isCrossSite(request)) return redirect(response, 303, '/')
  if (!isPageNavigation(request))
    return answerError(response, 400, 'navigate', apiStrings.newDocument.openAsPage)
  try {
    await createDocument(options, request, response, secure)
  } catch (error) {
    options.log.error({ error }, 'no document could be made')
    answerPlainPage(response, {
      status: 503,
      title: plainPageStrings.notMade,
      sentence: apiStrings.newDocument.failed,
    })
  }
}

async function createDocument(
  { issueGuest, api }: NewDocumentOptions,
  request: GatewayRequest,
  response: GatewayResponse,
  secure: boolean,
) {
  const accessRequest = accessRequestOf(request, secure)
  const guest = await issueGuest(accessRequest)
  const origin = `${secure ? 'https' : 'http'}://${hostOf(request)}`
  const cookie = guest?.cookie ?? request.headers.cookie ?? ''
  const headers = { origin, host: hostOf(request), cookie, 'content-type': 'application/json' }
  const created = await api(new Request(`${origin}/api/documents`, { method: 'POST', headers, body: '{}' }), {
    ...accessRequest,
    method: 'POST',
    // The client's own headers are needed where they say its address.
    headers: { ...request.headers, ...headers },
  })
  if (created.status === 429 || created.status === 507) return forwardRefusal(created, response)
  if (created.status !== 201)
    throw new Error(`POST /api/documents answered ${created.status}: ${await created.text()}`)
  const { id } = (await created.json()) as { id: string }
  if (guest) response.setHeader('set-cookie', guest.setCookies)
  redirect(response, 303, `/d/${id}`)
}

async function forwardRefusal(refusal: Response, response: GatewayResponse): Promise<void> {
  const { error } = (await refusal.json()) as { error: { message: string } }
  const retryAfter = refusal.headers.get('retry-after')
  answerPlainPage(response, {
    status: refusal.status,
    title: plainPageStrings.notMade,
    sentence: error.message,
    retryAfterS: retryAfter === null ? undefined : Number(retryAfter),
  })
}

/**
 * Without this check a link or image on another page would create documents in this person's
 * name. Old browsers and programs send no such header.
 */
const isCrossSite = ({ headers }: GatewayRequest): boolean =>
  !['none', 'same-origin', undefined].includes(headers['sec-fetch-site'])

/**
 * A prefetch by the browser or by Next's router does not mean that the person wants a document, and has nothing to show. Firefox
 * says "same-origin" for a page that a service worker fetches.
 */
const isPageNavigation = ({ headers }: GatewayRequest): boolean =>
  ['navigate', 'same-origin'].includes(headers['sec-fetch-mode'] ?? 'navigate') &&
  headers['sec-purpose'] === undefined &&
  headers.rsc === undefined
