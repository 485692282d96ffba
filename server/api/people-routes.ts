import { z } from '@hono/zod-openapi'
import { apiStrings } from '../../lib/strings/api.ts'
import { apiUnits } from '../metering/prices.ts'
import { ApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  chargeWork,
  createAdmittedRoute,
  jsonResponse,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { cursorSchema, limit, next, personSchema, shareLinkRoleNames } from './api-schemas.ts'
import { readListPage } from './list-page.ts'
import type { PeopleCursor } from '../access/people-with-access.ts'

function readPeopleCursor(text: string): PeopleCursor | null {
  const [, joinedAt, id] = /^(\d{1,15})\.([\w:-]+)$/.exec(text) ?? []
  return id === undefined ? null : { joinedAt: Number(joinedAt), id }
}

const writePeopleCursor = ({ joinedAt, id }: PeopleCursor): string => `${joinedAt}.${id}`

const peopleWithAccessQuerySchema = z.object({
  limit,
  cursor: cursorSchema(readPeopleCursor).optional(),
})

const peopleWithAccessSchema = z.object({
  people: z.array(personSchema.extend({ role: z.enum(shareLinkRoleNames), joinedAt: z.iso.datetime() })),
  next,
})

const path = '/api/documents/{id}/access'
const params = z.object({ id: z.string() })

/** A person's removal writes a row for each link. */
const REMOVAL_ROWS = 200

export function addPeopleRoutes(api: Api, dependencies: ApiDependencies): void {
  addListRoute(api, dependencies)
  addRemoveRoute(api, dependencies)
}

function addListRoute(api: Api, { access }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path,
    summary: 'The people who have access by a link, who came last first. Needs the role owner.',
    request: { params, query: peopleWithAccessQuerySchema },
    responses: { 200: jsonResponse(peopleWithAccessSchema, 'Those not removed.') },
  })
  api.openapi(route, async (context) => {
    const { id: document } = context.req.valid('param')
    const { limit, cursor } = context.req.valid('query')
    await requireRole(access, context, document, 'share')
    const { shown, next } = await readListPage(
      limit,
      (rows) => access.listPeopleWithAccess(document, rows, cursor),
      writePeopleCursor,
    )
    chargeWork(context, apiUnits.rows(shown.length))
    const people = shown.map((person) => ({ ...person, joinedAt: new Date(person.joinedAt).toISOString() }))
    return context.json({ people, next }, 200)
  })
}

function addRemoveRoute(api: Api, { access, rooms }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'delete',
    path: `${path}/{person}`,
    summary:
      'Remove a person who came by a link. They come back only by a link that is made later. Needs the role owner.',
    request: { params: params.extend({ person: z.string() }) },
    responses: { 204: { description: 'Removed.' } },
  })
  api.openapi(route, async (context) => {
    const { id: document, person } = context.req.valid('param')
    await requireRole(access, context, document, 'share')
    takeWork(context, apiUnits.recheck(rooms.countMembers(document)) + apiUnits.rows(REMOVAL_ROWS))
    if (!(await access.removePerson(document, person, context.get('principal'))))
      throw new ApiError('not-found', apiStrings.person.missing)
    return context.body(null, 204)
  })
}
