import { z } from '@hono/zod-openapi'
import { apiStrings } from '../../lib/strings/api.ts'
import { proposalRefusalsStrings } from '../../lib/strings/proposal-refusals.ts'
import { apiUnits } from '../metering/prices.ts'
import { ApiError, notFoundError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  chargeWork,
  createAdmittedRoute,
  jsonContent,
  jsonResponse,
  lookUpSecret,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { personSchema, roleNames, shareLinkRoleNames } from './api-schemas.ts'
import { findDocument } from './document-rows.ts'

const newShareLinkSchema = z.object({ role: z.enum(shareLinkRoleNames) })

const shareLinkChangeSchema = z.strictObject({ open: z.boolean() })

const createdShareLinkSchema = z
  .object({
    id: z.string(),
    role: z.enum(shareLinkRoleNames),
    token: z
      .string()
      .openapi({ description: 'The server keeps only its digest, and the secret it follows from.' }),
    url: z.string().openapi({ example: '/d/…#token=…' }),
  })
  .openapi('MadeLink')

const redeemedLinkSchema = z.object({
  url: z.string().nullable().openapi({ example: '/d/…#token=…' }),
})

const shareLinkListSchema = z.object({
  links: z.array(
    z.object({
      id: z.string(),
      role: z.enum(shareLinkRoleNames),
      createdAt: z.iso.datetime(),
      url: z.string().nullable().openapi({
        example: '/d/…#token=…',
        description:
          'Null for a link made while the server had another secret: it works, and cannot be shown.',
      }),
      open: z.boolean().openapi({ description: 'False if nobody new comes by it.' }),
      people: z.number().openapi({ description: 'How many have access by it.' }),
    }),
  ),
})

const redemptionSchema = z.object({ token: z.string() })

const heldRoleSchema = z.object({
  role: z.enum(roleNames),
  sharedBy: personSchema
    .nullable()
    .openapi({ description: 'Who made the link; null where nobody knows them any more.' }),
})

const path = '/api/documents/{id}/links'
const params = z.object({ id: z.string() })

/** A token after the # appears in no log of a server or a proxy. */
const shareUrlOf = (document: string, token: string): string => `/d/${document}#token=${token}`

export function addShareLinkRoutes(api: Api, dependencies: ApiDependencies): void {
  addCreateRoute(api, dependencies)
  addListRoute(api, dependencies)
  addChangeRoute(api, dependencies)
  addRevokeRoute(api, dependencies)
  addRedeemRoute(api, dependencies)
  addRedeemedLinkRoute(api, dependencies)
}

function addCreateRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'post',
    path,
    summary: 'Make a link that lets others in. Needs the role owner.',
    request: { params, body: { content: jsonContent(newShareLinkSchema), required: true } },
    responses: { 201: jsonResponse(createdShareLinkSchema, 'Made.') },
  })
  api.openapi(route, async (context) => {
    const { id: document } = context.req.valid('param')
    const { role } = context.req.valid('json')
    await requireRole(access, context, document, 'read')
    const row = await findDocument(db, document)
    if (row && row.original !== null) throw new ApiError('forbidden', proposalRefusalsStrings.shareOriginal)
    await requireRole(access, context, document, 'share')
    takeWork(context, apiUnits.recheck(0))
    const { id, token } = await access.createShareLink(document, role, context.get('principal'))
    return context.json({ id, role, token, url: shareUrlOf(document, token) }, 201)
  })
}

function addListRoute(api: Api, { access }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path,
    summary: 'The links that let others in. Needs the role owner.',
    request: { params },
    responses: {
      200: jsonResponse(shareLinkListSchema, 'Those not revoked, oldest first.'),
    },
  })
  api.openapi(route, async (context) => {
    const { id: document } = context.req.valid('param')
    await requireRole(access, context, document, 'share')
    const entries = await access.listShareLinks(document)
    chargeWork(context, apiUnits.rows(entries.length))
    const links = entries.map(({ id, role, createdAt, token, isOpen, people }) => ({
      id,
      role,
      open: isOpen,
      people,
      createdAt: new Date(createdAt).toISOString(),
      url: token === null ? null : shareUrlOf(document, token),
    }))
    return context.json({ links }, 200)
  })
}

function addChangeRoute(api: Api, { access, rooms }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'patch',
    path: `${path}/{link}`,
    summary:
      'Let nobody new in by a link, or let people in again. Who came by it stays. Needs the role owner.',
    request: {
      params: params.extend({ link: z.string() }),
      body: { content: jsonContent(shareLinkChangeSchema), required: true },
    },
    responses: { 204: { description: 'Changed.' } },
  })
  api.openapi(route, async (context) => {
    const { id: document, link } = context.req.valid('param')
    const { open } = context.req.valid('json')
    await requireRole(access, context, document, 'share')
    takeWork(context, apiUnits.recheck(rooms.countMembers(document)))
    if (!(await access.setShareLinkOpen(document, link, open, context.get('principal'))))
      throw new ApiError('not-found', apiStrings.link.missing)
    return context.body(null, 204)
  })
}

function addRevokeRoute(api: Api, { access, rooms }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'delete',
    path: `${path}/{link}`,
    summary: 'Revoke a link, and with it every right that came from it. Needs the role owner.',
    request: { params: params.extend({ link: z.string() }) },
    responses: { 204: { description: 'Revoked.' } },
  })
  api.openapi(route, async (context) => {
    const { id: document, link } = context.req.valid('param')
    await requireRole(access, context, document, 'share')
    takeWork(context, apiUnits.recheck(rooms.countMembers(document)))
    if (!(await access.revokeShareLink(document, link, context.get('principal')))) {
      throw new ApiError('not-found', apiStrings.link.missing)
    }
    return context.body(null, 204)
  })
}

function addRedeemRoute(api: Api, { access, rooms }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: '/api/documents/{id}/redeem',
    summary: 'Turn a link’s token into a lasting role, which ends when the link is revoked.',
    request: { params, body: { content: jsonContent(redemptionSchema), required: true } },
    responses: { 200: jsonResponse(heldRoleSchema, 'The role now held.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { token } = context.req.valid('json')
    const principal = context.get('principal')
    const role = await lookUpSecret(access, context, principal, () =>
      access.redeemShareLink(principal, id, token),
    )
    if (role === null) throw notFoundError()
    // Charged only now: whoever guesses is not to learn how many people are in a document.
    chargeWork(context, apiUnits.recheck(rooms.countMembers(id)))
    return context.json({ role, sharedBy: await access.findShareLinkCreator(token) }, 200)
  })
}

function addRedeemedLinkRoute(api: Api, { access }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/documents/{id}/redeemed-link',
    summary: 'The edit link by which the caller came, to pass on. Needs the role editor.',
    request: { params },
    responses: {
      200: jsonResponse(redeemedLinkSchema, 'The link, or null: none is valid, or it cannot be shown.'),
    },
  })
  api.openapi(route, async (context) => {
    const { id: document } = context.req.valid('param')
    await requireRole(access, context, document, 'write')
    chargeWork(context, apiUnits.rows(1))
    const token = await access.findRedeemedEditToken(document, context.get('principal'))
    return context.json({ url: token === null ? null : shareUrlOf(document, token) }, 200)
  })
}
