/** The HTTP API under /api: documents, links, me. Speaks web Requests; the listener adapts Node's. */
import { type Hook, OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { strings } from '../../lib/strings/api.ts'
import { addDocumentRoutes } from './document-routes.ts'
import { MAX_BODY_BYTES } from '../listener-limits.ts'
import { answerError, ApiError, errorHandler } from './errors.ts'
import { addLabRoutes } from './lab-routes.ts'
import { addLinkRoutes } from './link-routes.ts'
import { addProfileRoutes } from './profile-routes.ts'
import type { Api, ApiEnv, ApiParts } from './routes.ts'
import { addTicketRoutes } from './ticket-routes.ts'
import { addTrashRoutes } from './trash-routes.ts'
import { addVersionRoutes } from './version-routes.ts'

export type { ApiBindings } from './routes.ts'

export function createApi(parts: ApiParts): Api {
  const api = new OpenAPIHono<ApiEnv>({ defaultHook: refuseBadInput })
  api.onError(errorHandler(parts.log))
  api.notFound((context) =>
    answerError(context, new ApiError('not-found', strings.request.nothingAt(context.req.path))),
  )
  api.use(async (context, next) => {
    context.header('Cache-Control', 'no-store')
    await next()
  })
  api.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseBigBody }))
  addProfileRoutes(api, parts)
  addDocumentRoutes(api, parts)
  addTrashRoutes(api, parts)
  addLinkRoutes(api, parts)
  addTicketRoutes(api, parts)
  addVersionRoutes(api, parts)
  addLabRoutes(api, parts)
  api.doc31('/api/openapi.json', { openapi: '3.1.0', info: { title: 'Diptych', version: '1' } })
  refuseOtherMethods(api)
  return api
}

function refuseBigBody(): never {
  throw new ApiError('too-large', strings.request.bodyTooLarge(MAX_BODY_BYTES))
}

/** Says what was given and what is allowed. */
const refuseBadInput: Hook<unknown, ApiEnv, string, void> = (result) => {
  if (result.success) return
  // The validator hands the input over in both cases; the types tell it of success alone.
  const { data } = result as { data?: unknown }
  const given = (path: readonly PropertyKey[]) => JSON.stringify(valueAt(data, path))?.slice(0, 100)
  const { field, wholeBody, nothing, all } = strings.input
  const fields = result.error.issues.map(({ path, message }) =>
    field(path.join('.') || wholeBody, message, given(path) ?? nothing),
  )
  throw new ApiError('bad-request', all(fields))
}

const valueAt = (data: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    data,
  )

/** Behind all routes: a path that is there, asked by a method that is not. */
function refuseOtherMethods(api: Api): void {
  const byPath = Map.groupBy(api.routes.filter(isEndpoint), ({ path }) => path)
  for (const [path, routes] of byPath) {
    const allowed = [...new Set(routes.map(({ method }) => method))].join(', ')
    api.all(path, (context) => {
      context.header('Allow', allowed)
      const message = strings.request.otherMethod(context.req.method, allowed)
      return answerError(context, new ApiError('method-not-allowed', message))
    })
  }
}

const isEndpoint = ({ method }: { method: string }): boolean => method !== 'ALL'
