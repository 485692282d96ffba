/** Says how much space a person's documents take. */
import { type Api, type ApiDependencies, createAdmittedRoute, jsonResponse } from './api-routing.ts'
import { z } from '@hono/zod-openapi'

const storageSchema = z
  .object({
    usedBytes: z.number(),
    limitBytes: z.number().nullable().openapi({ description: 'Null for no limit.' }),
    serverHasRoom: z.boolean().openapi({ description: 'Whether the server itself has room.' }),
    isNearlyFull: z.boolean(),
  })
  .openapi('Storage')

export function addStorageRoutes(api: Api, { access, storage }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/storage',
    summary: 'How much space my documents take, with their versions and those in the trash.',
    responses: { 200: jsonResponse(storageSchema, 'In bytes.') },
  })
  api.openapi(route, async (context) => context.json(await storage.usageOf(context.get('principal').id), 200))
}
