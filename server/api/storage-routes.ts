/** Says how much space a person's documents take. */
import { createRoute } from '@hono/zod-openapi'
import {
  requireAdmission,
  jsonResponse,
  type Api,
  type ApiDependencies,
  errorResponses,
} from './api-routing.ts'
import { storageSchema } from './api-schemas.ts'

export function addStorageRoutes(api: Api, { access, storage }: ApiDependencies): void {
  const route = createRoute({
    method: 'get',
    path: '/api/storage',
    summary: 'How much space my documents take, with their versions and those in the trash.',
    middleware: requireAdmission(access),
    responses: { 200: jsonResponse(storageSchema, 'In bytes.'), ...errorResponses },
  })
  api.openapi(route, async (context) => context.json(await storage.usageOf(context.get('principal').id), 200))
}
