/** Serves people's names and colours: to themselves, and to those who read what they wrote. */
import { z } from '@hono/zod-openapi'
import { apiStrings } from '../../lib/strings/api.ts'
import { findDocumentReaders, findDocumentWriters } from '../access/principal-names.ts'
import { apiUnits } from '../metering/prices.ts'
import { ApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  chargeWork,
  createAdmittedRoute,
  jsonContent,
  jsonResponse,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { findDocument } from './document-rows.ts'
import { colour, personSchema } from './api-schemas.ts'
import { MAX_DISPLAY_NAME, nameProblem, tidyName } from '../../lib/protocol/display-name.ts'

const displayNameSchema = z
  .string()
  .max(1_000)
  .transform((text, context) => {
    const name = tidyName(text)
    const problem = nameProblem(name)
    if (problem === null) return name
    context.addIssue(problem.replace(/\.$/, ''))
    return z.NEVER
  })
  .openapi({ type: 'string', minLength: 1, maxLength: MAX_DISPLAY_NAME, example: 'Ada Wren' })

const profileSchema = personSchema
  .extend({
    colour: colour.nullable().openapi({ description: 'Null until one was chosen.' }),
    asked: z.boolean().openapi({ description: 'Whether this person was asked for their name.' }),
    isNearlyFull: z.boolean().optional().openapi({
      description: 'Whether they are told how much space their documents take (`/api/storage`).',
    }),
  })
  .openapi('Profile')

/** A change without any known field only records that the person was asked. */
const profileChangeSchema = z.strictObject({
  name: displayNameSchema.optional(),
  colour: colour.optional(),
})

const personListSchema = z.object({
  people: z.array(personSchema.extend({ colour: colour.nullable() })),
})

export function addProfileRoutes(api: Api, dependencies: ApiDependencies): void {
  addGetRoute(api, dependencies)
  addChangeRoute(api, dependencies)
  addWritersRoute(api, dependencies)
  addReadersRoute(api, dependencies)
}

/** A share link's principal has no profile to choose, and is not asked for a name. */
const linkProfileFields = { colour: null, asked: true }

function addGetRoute(api: Api, { access, storage }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/me',
    summary: 'Who I am here.',
    responses: { 200: jsonResponse(profileSchema, 'Me.') },
  })
  api.openapi(route, async (context) => {
    const principal = context.get('principal')
    const { id, name } = principal
    const profile = (await access.profiles.findProfile(principal)) ?? linkProfileFields
    const { isNearlyFull } = await storage.usageOf(id)
    return context.json({ id, name, ...profile, isNearlyFull }, 200)
  })
}

function addChangeRoute(api: Api, { access, log }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'patch',
    path: '/api/me',
    summary:
      'Choose my name or my colour, or say that I was asked. Everybody sees it at once. Needs a session cookie.',
    request: { body: { content: jsonContent(profileChangeSchema), required: true } },
    responses: { 200: jsonResponse(profileSchema, 'Me from now on.') },
  })
  api.openapi(route, async (context) => {
    const principal = context.get('principal')
    const { name, colour } = context.req.valid('json')
    const change = { ...(name !== undefined && { name }), ...(colour !== undefined && { colour }) }
    if (Object.keys(change).length > 0) takeWork(context, apiUnits.profile)
    const changedProfile = await access.profiles.changeProfile(principal, change)
    if (changedProfile === null) throw new ApiError('forbidden', apiStrings.caller.sessionOnly)
    const fields = Object.keys(change)
    // Whoever was asked for a name and chose nothing changed nothing that others see.
    if (fields.length > 0) log.info({ principal: principal.id, fields }, 'profile changed')
    return context.json({ id: principal.id, ...changedProfile }, 200)
  })
}

function addWritersRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/documents/{id}/people',
    summary: 'Who wrote in the document or its comments, as they are called now. Needs the right to read it.',
    request: { params: z.object({ id: z.string() }) },
    responses: { 200: jsonResponse(personListSchema, 'In no order.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await requireRole(access, context, id, 'read')
    const people = await findDocumentWriters(db, id)
    chargeWork(context, apiUnits.rows(people.length))
    return context.json({ people }, 200)
  })
}

function addReadersRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/documents/{id}/readers',
    summary:
      'Who may open the document: its owner, and whoever came by a link that is still valid. Needs the right to write in it.',
    request: { params: z.object({ id: z.string() }) },
    responses: { 200: jsonResponse(personListSchema, 'In no order.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await requireRole(access, context, id, 'write')
    const row = await findDocument(db, id)
    const people = await findDocumentReaders(db, row?.original ?? id)
    chargeWork(context, apiUnits.rows(people.length))
    return context.json({ people }, 200)
  })
}
