import { createRoute, z } from '@hono/zod-openapi'
import { strings } from '../../lib/strings/api.ts'
import { ApiError, notFound } from './errors.ts'
import { admitted, answer, type Api, type ApiParts, failure, guess, json, roleWith } from './routes.ts'
import { heldRole, linkList, madeLink, newLink, redemption } from './schemas.ts'

const path = '/api/documents/{id}/links'
const params = z.object({ id: z.string() })

/** Behind the # a token is in no log of a server or a proxy. */
const addressOf = (document: string, token: string): string => `/d/${document}#token=${token}`

export function addLinkRoutes(api: Api, parts: ApiParts): void {
  addMake(api, parts)
  addList(api, parts)
  addRevoke(api, parts)
  addRedeem(api, parts)
}

function addMake(api: Api, { access }: ApiParts): void {
  const route = createRoute({
    method: 'post',
    path,
    summary: 'Make a link that lets others in. Needs the role owner.',
    middleware: admitted(access),
    request: { params, body: { content: json(newLink), required: true } },
    responses: { 201: answer(madeLink, 'Made.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id: document } = context.req.valid('param')
    const { role } = context.req.valid('json')
    await roleWith(access, context, document, 'share')
    const { id, token } = await access.createLink(document, role, context.get('principal'))
    return context.json({ id, role, token, url: addressOf(document, token) }, 201)
  })
}

function addList(api: Api, { access }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path,
    summary: 'The links that let others in. Needs the role owner.',
    middleware: admitted(access),
    request: { params },
    responses: { 200: answer(linkList, 'Those not revoked, oldest first.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id: document } = context.req.valid('param')
    await roleWith(access, context, document, 'share')
    const links = (await access.links(document)).map(({ id, role, createdAt, token }) => ({
      id,
      role,
      createdAt: new Date(createdAt).toISOString(),
      url: token === null ? null : addressOf(document, token),
    }))
    return context.json({ links }, 200)
  })
}

function addRevoke(api: Api, { access }: ApiParts): void {
  const route = createRoute({
    method: 'delete',
    path: `${path}/{link}`,
    summary: 'Revoke a link, and with it every right that came from it. Needs the role owner.',
    middleware: admitted(access),
    request: { params: params.extend({ link: z.string() }) },
    responses: { 204: { description: 'Revoked.' }, ...failure },
  })
  api.openapi(route, async (context) => {
    const { id: document, link } = context.req.valid('param')
    await roleWith(access, context, document, 'share')
    if (!(await access.revokeLink(document, link, context.get('principal')))) {
      throw new ApiError('not-found', strings.link.missing)
    }
    return context.body(null, 204)
  })
}

function addRedeem(api: Api, { access }: ApiParts): void {
  const route = createRoute({
    method: 'post',
    path: '/api/documents/{id}/redeem',
    summary: 'Turn a link’s token into a lasting role, which ends when the link is revoked.',
    middleware: admitted(access),
    request: { params, body: { content: json(redemption), required: true } },
    responses: { 200: answer(heldRole, 'The role now held.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { token } = context.req.valid('json')
    const principal = context.get('principal')
    const role = await guess(access, context, principal, () => access.redeem(principal, id, token))
    if (role === null) throw notFound()
    return context.json({ role, sharedBy: await access.sharer(token) }, 200)
  })
}
