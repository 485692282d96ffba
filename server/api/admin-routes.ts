/** What /admin asks for. Without ADMIN_TOKEN the server has none of these routes. */
import { createRoute, z } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import { apiStrings } from '../../lib/strings/api.ts'
import { ApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  errorResponses,
  jsonContent,
  jsonResponse,
} from './api-routing.ts'

const sampleSchema = z.object({
  at: z.number(),
  sessions: z.record(z.string(), z.number()),
  messagesReceivedPerSecond: z.number(),
  messagesSentPerSecond: z.number(),
  bytesReceivedPerSecond: z.number(),
  bytesSentPerSecond: z.number(),
  acknowledgementP50Ms: z.number().nullable(),
  acknowledgementP99Ms: z.number().nullable(),
  loopDelayP50Ms: z.number(),
  loopDelayP99Ms: z.number(),
  storeErrors: z.number(),
  rooms: z.number(),
  queued: z.number(),
  residentBytes: z.number(),
  heapBytes: z.number(),
})

const figuresSchema = z.object({
  version: z.string(),
  uptimeSeconds: z.number(),
  store: z.string(),
  node: z.object({ name: z.string(), count: z.number() }).nullable(),
  space: z.object({
    usedBytes: z.number(),
    limitBytes: z.number().nullable(),
    personLimitBytes: z.number().nullable(),
    freeBytes: z.number().nullable(),
    reservedBytes: z.number().nullable(),
  }),
  samples: z.array(sampleSchema),
})

const MAX_TOKEN_LENGTH = 256

export function addAdminRoutes(api: Api, { access, admin }: ApiDependencies): void {
  if (!admin) return

  /** Browsers send an Origin with each POST and DELETE; a program may come without. */
  const refuseForeignOrigin = createMiddleware<ApiEnv>(async ({ env: { accessRequest } }, next) => {
    if (accessRequest.headers.origin !== undefined && !access.isOriginAllowed(accessRequest))
      throw new ApiError('origin', apiStrings.admin.origin)
    await next()
  })
  const requireAdmin = createMiddleware<ApiEnv>(async ({ env }, next) => {
    if (!admin.access.isSignedIn(env.accessRequest)) throw new ApiError('sign-in', apiStrings.admin.signIn)
    await next()
  })

  const signInRoute = createRoute({
    method: 'post',
    path: '/api/admin/session',
    summary: 'Signs in to /admin with ADMIN_TOKEN.',
    middleware: refuseForeignOrigin,
    request: {
      body: { content: jsonContent(z.object({ token: z.string().max(MAX_TOKEN_LENGTH) })), required: true },
    },
    responses: { 204: { description: 'Signed in, by a cookie.' }, ...errorResponses },
  })
  api.openapi(signInRoute, (context) => {
    const answer = admin.access.signIn(context.env.accessRequest, context.req.valid('json').token)
    if (answer === null) throw new ApiError('forbidden', apiStrings.admin.wrongToken)
    if (typeof answer === 'object')
      throw new ApiError('too-many', apiStrings.admin.tooManyTries(answer.retryAfterS), answer.retryAfterS)
    context.header('Set-Cookie', answer)
    return context.body(null, 204)
  })

  const signOutRoute = createRoute({
    method: 'delete',
    path: '/api/admin/session',
    summary: 'Signs out of /admin.',
    middleware: refuseForeignOrigin,
    responses: { 204: { description: 'Signed out.' }, ...errorResponses },
  })
  api.openapi(signOutRoute, (context) => {
    context.header('Set-Cookie', admin.access.signOut(context.env.accessRequest))
    return context.body(null, 204)
  })

  const figuresRoute = createRoute({
    method: 'get',
    path: '/api/admin/figures',
    summary: 'Figures of this server over the last quarter of an hour.',
    middleware: requireAdmin,
    responses: { 200: jsonResponse(figuresSchema, 'The oldest sample first.'), ...errorResponses },
  })
  api.openapi(figuresRoute, (context) => {
    const { samples, ...facts } = admin.readFigures()
    return context.json({ ...facts, samples: samples.map((sample) => ({ ...sample })) }, 200)
  })
}
