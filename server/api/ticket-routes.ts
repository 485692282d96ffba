/** Signing in another device of the same person. The ticket is shown in bodies alone, and no answer says why one is not good. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { strings } from '../../lib/strings/api.ts'
import { ApiError } from './errors.ts'
import { admitted, answer, type Api, type ApiEnv, type ApiParts, failure, guess, json } from './routes.ts'
import { madeTicket, me, shownTicket } from './schemas.ts'

export function addTicketRoutes(api: Api, parts: ApiParts): void {
  addMake(api, parts)
  addLook(api, parts)
  addRedeem(api, parts)
}

function addMake(api: Api, { access, addressesElsewhere }: ApiParts): void {
  const route = createRoute({
    method: 'post',
    path: '/api/me/tickets',
    summary:
      'Make a ticket that signs in one more device as me. Good once, for a minute. Needs a session cookie.',
    middleware: admitted(access),
    responses: { 201: answer(madeTicket, 'Made.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const issued = await access.deviceTickets.issue(context.get('principal'), context.env.door)
    if (issued === null) throw new ApiError('forbidden', strings.caller.sessionOnly)
    if (issued === 'too-many') throw tooMany(context)
    const { origin } = new URL(context.req.url)
    const { ticket, lifeMs: expiresInMs } = issued
    return context.json({ ticket, expiresInMs, addresses: [...addressesElsewhere(origin)] }, 201)
  })
}

function addLook(api: Api, { access }: ApiParts): void {
  const route = createRoute({
    method: 'post',
    path: '/api/tickets/look',
    summary: 'Whom a ticket would sign in. It stays good.',
    request: { body: { content: json(shownTicket), required: true } },
    responses: { 200: answer(me, 'Who they are.'), ...failure },
  })
  api.openapi(route, async (context) => {
    checkOrigin(access, context)
    const { ticket } = context.req.valid('json')
    const look = () => access.deviceTickets.look(ticket, context.env.door)
    const person = await guess(access, context, undefined, look)
    if (!person) throw noTicket()
    return context.json(person, 200)
  })
}

function addRedeem(api: Api, { access }: ApiParts): void {
  const route = createRoute({
    method: 'post',
    path: '/api/tickets/redeem',
    summary: 'Sign in by a ticket: answered with a session cookie in place of the one that came.',
    request: { body: { content: json(shownTicket), required: true } },
    responses: { 200: answer(me, 'Who I am from now on.'), ...failure },
  })
  api.openapi(route, async (context) => {
    checkOrigin(access, context)
    const { ticket } = context.req.valid('json')
    const redeem = () => access.deviceTickets.redeem(ticket, context.env.door)
    const guest = await guess(access, context, undefined, redeem)
    if (!guest) throw noTicket()
    for (const cookie of guest.setCookies) context.header('Set-Cookie', cookie, { append: true })
    const { id, name } = guest.principal
    return context.json({ id, name }, 200)
  })
}

/** A1. The ticket says who; that the request comes from a page of ours, only its Origin does. */
function checkOrigin({ originAllowed }: ApiParts['access'], { env }: Context<ApiEnv>): void {
  if (env.door.headers.origin === undefined || !originAllowed(env.door))
    throw new ApiError('origin', strings.ticket.otherPage)
}

const noTicket = () => new ApiError('not-found', strings.ticket.missing)

function tooMany(context: Context<ApiEnv>): ApiError {
  context.header('Retry-After', '60')
  return new ApiError('too-many', strings.tooFast.tickets)
}
