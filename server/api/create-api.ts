/** The HTTP API under /api: documents, links, me. It takes web Requests; the listener adapts Node's. */
import { type Hook, OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { apiStrings } from '../../lib/strings/api.ts'
import { addDocumentRoutes } from './document-routes.ts'
import { Transfers } from '../files/transfers.ts'
import { MAX_BODY_BYTES } from '../listener-limits.ts'
import { answerApiError, ApiError, createErrorHandler } from './api-errors.ts'
import { addAdminRoutes } from './admin-routes.ts'
import { addAuthorRoutes } from './author-routes.ts'
import { addBacklinkRoutes } from './backlink-routes.ts'
import { addExportRoutes } from './export-routes.ts'
import { addFileCopyRoute } from './file-copy-route.ts'
import { addFileRoutes } from './file-routes.ts'
import { addFolderRoutes } from './folder-routes.ts'
import { addImportRoute } from './import-route.ts'
import { addLabRoutes } from './lab-routes.ts'
import { addSearchRoutes } from './search-routes.ts'
import { addShareLinkRoutes } from './share-link-routes.ts'
import { addPeopleRoutes } from './people-routes.ts'
import { addProfileRoutes } from './profile-routes.ts'
import type { Api, ApiEnv, ApiDependencies } from './api-routing.ts'
import { addProposalRoutes } from './proposal-routes.ts'
import { addStorageRoutes } from './storage-routes.ts'
import { addTicketRoutes } from './ticket-routes.ts'
import { addTrashRoutes } from './trash-routes.ts'
import { addUploadRoutes } from './upload-routes.ts'
import { addVersionRoutes } from './version-routes.ts'

export type { ApiBindings } from './api-routing.ts'

export function createApi(dependencies: ApiDependencies): Api {
  const api = new OpenAPIHono<ApiEnv>({ defaultHook: refuseBadInput })
  api.onError(createErrorHandler(dependencies.log, dependencies.counts.refusedRequests))
  api.notFound((context) =>
    answerApiError(context, new ApiError('not-found', apiStrings.request.nothingAt(context.req.path))),
  )
  api.use(async (context, next) => {
    context.header('Cache-Control', 'no-store')
    context.set('meter', dependencies.meter)
    await next()
  })
  api.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseLargeBody }))
  addProfileRoutes(api, dependencies)
  addDocumentRoutes(api, dependencies)
  addFolderRoutes(api, dependencies)
  addTrashRoutes(api, dependencies)
  addShareLinkRoutes(api, dependencies)
  addPeopleRoutes(api, dependencies)
  addAuthorRoutes(api, dependencies)
  const transfers = new Transfers(dependencies.access)
  addFileRoutes(api, dependencies, transfers)
  addUploadRoutes(api, dependencies, transfers)
  addFileCopyRoute(api, dependencies)
  addExportRoutes(api, dependencies, transfers)
  addImportRoute(api, dependencies)
  addSearchRoutes(api, dependencies)
  addBacklinkRoutes(api, dependencies)
  addStorageRoutes(api, dependencies)
  addTicketRoutes(api, dependencies)
  addVersionRoutes(api, dependencies)
  addProposalRoutes(api, dependencies)
  addLabRoutes(api, dependencies)
  addAdminRoutes(api, dependencies)
  api.doc31('/api/openapi.json', { openapi: '3.1.0', info: { title: 'Diptych', version: '1' } })
  refuseOtherMethods(api)
  return api
}

function refuseLargeBody(): never {
  throw new ApiError('too-large', apiStrings.request.bodyTooLarge(MAX_BODY_BYTES))
}

/** Answers with the input that was given and what is allowed. */
const refuseBadInput: Hook<unknown, ApiEnv, string, void> = (result) => {
  if (result.success) return
  // The validator passes the input in both cases; the types declare it for success alone.
  const { data } = result as { data?: unknown }
  const inputAt = (path: readonly PropertyKey[]) => JSON.stringify(valueAt(data, path))?.slice(0, 100)
  const { field, wholeBody, nothing, all } = apiStrings.input
  const fields = result.error.issues.map(({ path, message }) =>
    field(path.join('.') || wholeBody, message, inputAt(path) ?? nothing),
  )
  throw new ApiError('bad-request', all(fields))
}

const valueAt = (data: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    data,
  )

/** Runs after all routes, and refuses other methods on existing paths. */
function refuseOtherMethods(api: Api): void {
  const byPath = Map.groupBy(api.routes.filter(isEndpoint), ({ path }) => path)
  for (const [path, routes] of byPath) {
    const allowed = [...new Set(routes.map(({ method }) => method))].join(', ')
    api.all(path, (context) => {
      context.header('Allow', allowed)
      const message = apiStrings.request.otherMethod(context.req.method, allowed)
      return answerApiError(context, new ApiError('method-not-allowed', message))
    })
  }
}

const isEndpoint = ({ method }: { method: string }): boolean => method !== 'ALL'
