/** What people call themselves, and how they are shown: to themselves, and to those who read what they wrote. */
import { createRoute, z } from '@hono/zod-openapi'
import { strings } from '../../lib/strings/api.ts'
import { isRefusal } from '../access/access.ts'
import { writersOf } from '../access/people.ts'
import { ApiError } from './errors.ts'
import { admitted, answer, type Api, type ApiParts, failure, json, refused, roleWith } from './routes.ts'
import { profile, profileChange, writerList } from './schemas.ts'

export function addProfileRoutes(api: Api, parts: ApiParts): void {
  addMe(api, parts)
  addChange(api, parts)
  addWriters(api, parts)
}

/** Who came by a link's token alone has nothing to choose, and is not asked. */
const nobody = { colour: null, asked: true }

function addMe(api: Api, { access }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path: '/api/me',
    summary: 'Who I am here.',
    middleware: admitted(access),
    responses: { 200: answer(profile, 'Me.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const principal = context.get('principal')
    const { id, name } = principal
    return context.json({ id, name, ...((await access.profiles.of(principal)) ?? nobody) }, 200)
  })
}

function addChange(api: Api, { access, log }: ApiParts): void {
  const route = createRoute({
    method: 'patch',
    path: '/api/me',
    summary:
      'Choose my name or my colour, or say that I was asked. Everybody sees it at once. Needs a session cookie.',
    middleware: admitted(access),
    request: { body: { content: json(profileChange), required: true } },
    responses: { 200: answer(profile, 'Me from now on.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const principal = context.get('principal')
    const { name, colour } = context.req.valid('json')
    const change = { ...(name !== undefined && { name }), ...(colour !== undefined && { colour }) }
    const changed = await access.profiles.change(principal, change)
    if (changed === null) throw new ApiError('forbidden', strings.caller.sessionOnly)
    if (isRefusal(changed)) throw refused(changed)
    log.info({ principal: principal.id, fields: Object.keys(change) }, 'profile changed')
    return context.json({ id: principal.id, ...changed }, 200)
  })
}

function addWriters(api: Api, { access, db }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path: '/api/documents/{id}/people',
    summary: 'Who wrote in the document or its comments, as they are called now. Needs the right to read it.',
    middleware: admitted(access),
    request: { params: z.object({ id: z.string() }) },
    responses: { 200: answer(writerList, 'In no order.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await roleWith(access, context, id, 'read')
    return context.json({ people: await writersOf(db, id) }, 200)
  })
}
