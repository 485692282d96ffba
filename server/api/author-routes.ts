/** Who wrote what: the authors of Yjs client ids, under which all letters of a document stand. */
import { z } from '@hono/zod-openapi'
import { findClientAuthors } from '../access/client-authors.ts'
import { apiUnits } from '../metering/prices.ts'
import {
  type Api,
  type ApiDependencies,
  chargeWork,
  createAdmittedRoute,
  jsonResponse,
  requireRole,
} from './api-routing.ts'
import { MAX_ASKED_CLIENTS, personSchema } from './api-schemas.ts'
import { apiStrings } from '../../lib/strings/api.ts'

const clientsSchema = z
  .string()
  .max(MAX_ASKED_CLIENTS * 17)
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= MAX_ASKED_CLIENTS && ids.every((id) => /^\d{1,16}$/.test(id)), {
    error: apiStrings.input.unknownClients(MAX_ASKED_CLIENTS),
  })
  .transform((ids) => ids.map(Number))
  .openapi({
    type: 'string',
    maxLength: MAX_ASKED_CLIENTS * 17,
    description: `Yjs client ids, at most ${MAX_ASKED_CLIENTS}, with commas between.`,
  })

const authorQuerySchema = z.object({ clients: clientsSchema })

const authorListSchema = z.object({
  authors: z.array(
    z.object({
      client: z.number(),
      author: personSchema.openapi({
        description: "Of the id 'server' is what the server wrote: a copy, an import.",
      }),
      since: z.iso
        .datetime()
        .nullable()
        .openapi({ description: 'When the id was used first; null where nobody knows.' }),
    }),
  ),
})

export function addAuthorRoutes(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/documents/{id}/authors',
    summary: 'Who wrote under these Yjs client ids, and since when. Needs the right to read the document.',
    request: { params: z.object({ id: z.string() }), query: authorQuerySchema },
    responses: {
      200: jsonResponse(authorListSchema, 'Those that the document knows, in no order.'),
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { clients } = context.req.valid('query')
    await requireRole(access, context, id, 'read')
    chargeWork(context, apiUnits.rows(clients.length))
    const authors = (await findClientAuthors(db, id, clients)).map(({ since, ...author }) => ({
      ...author,
      since: since === null ? null : new Date(since).toISOString(),
    }))
    return context.json({ authors }, 200)
  })
}
