/** Which documents lead to one. They are found in the index of the search, a second or so after they were written. */
import { z } from '@hono/zod-openapi'
import { namesStrings } from '../../lib/strings/names.ts'
import { findPrincipalNames } from '../access/principal-names.ts'
import { apiUnits } from '../metering/prices.ts'
import {
  type Api,
  type ApiDependencies,
  createAdmittedRoute,
  jsonResponse,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { documentSchema, limit, MAX_FOUND, next, offset, preview } from './api-schemas.ts'

const backlinksQuerySchema = z.object({ limit, cursor: offset })

const backlinksSchema = z.object({
  documents: z.array(
    documentSchema.pick({ id: true, title: true, owner: true, updatedAt: true }).extend({ preview }),
  ),
  next,
})

const params = z.object({ id: z.string() })

export function addBacklinkRoutes(api: Api, { access, db, search }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/documents/{id}/backlinks',
    summary: 'The documents whose links, link cards or mentions lead to this one, of those I may read.',
    request: { params, query: backlinksQuerySchema },
    responses: { 200: jsonResponse(backlinksSchema, 'Those edited last first.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { limit, cursor: offset } = context.req.valid('query')
    await requireRole(access, context, id, 'read')
    takeWork(context, apiUnits.backlinks(limit))
    const rows = await search.findLinking(context.get('principal'), id, { offset, limit: limit + 1 })
    const shown = rows.slice(0, limit)
    const names = await findPrincipalNames(db, [...new Set(shown.map(({ owner }) => owner))])
    const documents = shown.map(({ document, title, owner, updatedAt, preview }) => ({
      id: document,
      title,
      owner: { id: owner, name: names.get(owner) ?? namesStrings.somebody },
      updatedAt: new Date(updatedAt).toISOString(),
      preview,
    }))
    const end = offset + limit
    const next = rows.length > limit && end < MAX_FOUND ? String(end) : null
    return context.json({ documents, next }, 200)
  })
}
