/** Signs in another device of the same person. The ticket appears in bodies alone, and no answer says why a ticket is invalid. */
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { apiStrings } from '../../lib/strings/api.ts'
import { strangerAt } from '../metering/meter.ts'
import { PRICES } from '../metering/prices.ts'
import { ApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  createAdmittedRoute,
  errorResponses,
  jsonContent,
  jsonResponse,
  lookUpSecret,
  takeWork,
} from './api-routing.ts'
import { personSchema } from './api-schemas.ts'

const ticket = z.string().min(1).max(100)

const createdTicketSchema = z
  .object({
    ticket: ticket.openapi({ description: 'Shown once: the server keeps only its digest.' }),
    expiresInMs: z.number().int(),
    addresses: z.array(z.url()).openapi({
      description:
        'Where another device may find this server, the best first; none where the address that was asked is known to do.',
    }),
  })
  .openapi('DeviceTicket')

const presentedTicketSchema = z.object({ ticket })

export function addTicketRoutes(api: Api, dependencies: ApiDependencies): void {
  addCreateRoute(api, dependencies)
  addLookRoute(api, dependencies)
  addRedeemRoute(api, dependencies)
}

function addCreateRoute(api: Api, { access, networkAddressesFor }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: '/api/me/tickets',
    summary:
      'Make a ticket that signs in one more device as me. Good once, for a minute. Needs a session cookie.',
    responses: { 201: jsonResponse(createdTicketSchema, 'Made.') },
  })
  api.openapi(route, async (context) => {
    const issued = await access.deviceTickets.issue(context.get('principal'), context.env.accessRequest)
    if (issued === null) throw new ApiError('forbidden', apiStrings.caller.sessionOnly)
    if (issued === 'too-many') throw tooManyTickets(context)
    const { origin } = new URL(context.req.url)
    const { ticket, lifetimeMs: expiresInMs } = issued
    return context.json({ ticket, expiresInMs, addresses: [...networkAddressesFor(origin)] }, 201)
  })
}

function addLookRoute(api: Api, { access }: ApiDependencies): void {
  const route = createRoute({
    method: 'post',
    path: '/api/tickets/look',
    summary: 'Whom a ticket would sign in. It stays good.',
    request: { body: { content: jsonContent(presentedTicketSchema), required: true } },
    responses: { 200: jsonResponse(personSchema, 'Who they are.'), ...errorResponses },
  })
  api.openapi(route, async (context) => {
    checkOrigin(access, context)
    takeTicketWork(access, context)
    const { ticket } = context.req.valid('json')
    const findOwner = () => access.deviceTickets.findTicketOwner(ticket, context.env.accessRequest)
    const person = await lookUpSecret(access, context, undefined, findOwner)
    if (!person) throw ticketNotFound()
    return context.json(person, 200)
  })
}

function addRedeemRoute(api: Api, { access }: ApiDependencies): void {
  const route = createRoute({
    method: 'post',
    path: '/api/tickets/redeem',
    summary: 'Sign in by a ticket: answered with a session cookie in place of the one that came.',
    request: { body: { content: jsonContent(presentedTicketSchema), required: true } },
    responses: { 200: jsonResponse(personSchema, 'Who I am from now on.'), ...errorResponses },
  })
  api.openapi(route, async (context) => {
    checkOrigin(access, context)
    takeTicketWork(access, context)
    const { ticket } = context.req.valid('json')
    const redeem = () => access.deviceTickets.redeem(ticket, context.env.accessRequest)
    const guest = await lookUpSecret(access, context, undefined, redeem)
    if (!guest) throw ticketNotFound()
    for (const cookie of guest.setCookies) context.header('Set-Cookie', cookie, { append: true })
    const { id, name } = guest.principal
    return context.json({ id, name }, 200)
  })
}

/** Requires A1: the ticket identifies the person, but only the Origin proves that the request comes from a page of this server. */
function checkOrigin({ isOriginAllowed }: ApiDependencies['access'], { env }: Context<ApiEnv>): void {
  if (env.accessRequest.headers.origin === undefined || !isOriginAllowed(env.accessRequest))
    throw new ApiError('origin', apiStrings.ticket.otherPage)
}

/** Whoever presents a ticket is a stranger until it is looked up. */
function takeTicketWork({ rateLimits }: ApiDependencies['access'], context: Context<ApiEnv>): void {
  const stranger = strangerAt(rateLimits.addressOf(context.env.accessRequest))
  takeWork(context, PRICES.request + 3 * PRICES.statement, stranger)
}

const ticketNotFound = () => new ApiError('not-found', apiStrings.ticket.missing)

function tooManyTickets(context: Context<ApiEnv>): ApiError {
  context.header('Retry-After', '60')
  return new ApiError('too-many', apiStrings.tooFast.tickets)
}
