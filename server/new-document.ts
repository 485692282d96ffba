/** GET /new makes a document and goes to it. A GET that changes something: so only a person's own navigation may. */
import type { Logger } from 'pino'
import { strings } from '../lib/strings/api.ts'
import { answerError, hostOf, redirect } from './answer.ts'
import type { FetchApp } from './fetch-adapter.ts'
import type { Greet } from './greeter.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway.ts'
import { doorOf, refuse } from './gateways/refusals.ts'

export interface NewDocumentParts {
  readonly greet: Greet
  readonly api: FetchApp
  readonly log: Logger
}

export async function handleNew(
  parts: NewDocumentParts,
  request: GatewayRequest,
  response: GatewayResponse,
  secure: boolean,
): Promise<void> {
  if (request.method !== 'GET') return answerError(response, 405, 'method', strings.newDocument.method)
  if (isForeign(request)) return redirect(response, 303, '/')
  if (!isOpened(request)) return answerError(response, 400, 'navigate', strings.newDocument.openAsPage)
  try {
    await make(parts, request, response, secure)
  } catch (error) {
    parts.log.error({ error }, 'no document could be made')
    answerError(response, 503, 'store', strings.newDocument.failed)
  }
}

async function make(
  { greet, api }: NewDocumentParts,
  request: GatewayRequest,
  response: GatewayResponse,
  secure: boolean,
) {
  const door = doorOf(request, secure)
  const guest = await greet(door)
  const origin = `${secure ? 'https' : 'http'}://${hostOf(request)}`
  const cookie = guest?.cookie ?? request.headers.cookie ?? ''
  const headers = { origin, host: hostOf(request), cookie, 'content-type': 'application/json' }
  const made = await api(new Request(`${origin}/api/documents`, { method: 'POST', headers, body: '{}' }), {
    ...door,
    method: 'POST',
    // Of the client's own headers it needs those that say where it is.
    headers: { ...request.headers, ...headers },
  })
  if (made.status === 429) return forwardRefusal(made, response)
  if (made.status !== 201)
    throw new Error(`POST /api/documents answered ${made.status}: ${await made.text()}`)
  const { id } = (await made.json()) as { id: string }
  if (guest) response.setHeader('set-cookie', guest.setCookies)
  redirect(response, 303, `/d/${id}`)
}

async function forwardRefusal(refused: Response, response: GatewayResponse): Promise<void> {
  const { error } = (await refused.json()) as { error: { code: string; message: string } }
  const retryAfterS = Number(refused.headers.get('retry-after'))
  refuse(response, { status: refused.status, ...error, retryAfterS })
}

/** A link or image on another page would otherwise make documents in this person's name. Absent in old browsers and in programs. */
const isForeign = ({ headers }: GatewayRequest): boolean =>
  !['none', 'same-origin', undefined].includes(headers['sec-fetch-site'])

/**
 * A prefetch, by the browser or by Next's router, is no wish for a document; it answers nothing that could be shown. Firefox says
 * "same-origin" of a page that a service worker fetches.
 */
const isOpened = ({ headers }: GatewayRequest): boolean =>
  ['navigate', 'same-origin'].includes(headers['sec-fetch-mode'] ?? 'navigate') &&
  headers['sec-purpose'] === undefined &&
  headers.rsc === undefined
