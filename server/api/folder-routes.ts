/** A person's own order of the documents that they may read. Whoever comes by a link's token alone has none. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { MAX_FOLDER_NAME, MAX_FOLDERS } from '../../lib/protocol/folder-tree.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import type { Principal } from '../access/principal.ts'
import { apiUnits } from '../metering/prices.ts'
import { ApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  chargeWork,
  createAdmittedRoute,
  jsonContent,
  jsonResponse,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { folderIdSchema, placementFields } from './api-schemas.ts'
import { changeFolder, createFolder, deleteFolder, listFolders, restoreFolder } from './folders.ts'
import { changePlacement } from './placements.ts'

const placementSchema = z.object(placementFields).openapi('Placement')

const placementChangeSchema = z.strictObject({
  folder: folderIdSchema.nullable().optional(),
  favourite: z.boolean().optional(),
  template: z.boolean().optional(),
  opened: z.literal(true).optional().openapi({ description: 'Notes that I opened it now.' }),
})

const folderNameSchema = z
  .string()
  .max(1_000)
  .transform((text) =>
    text
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed(),
  )
  .refine((name) => name !== '' && name.length <= MAX_FOLDER_NAME, {
    error: apiStrings.input.folderName(MAX_FOLDER_NAME),
  })
  .openapi({ type: 'string', minLength: 1, maxLength: MAX_FOLDER_NAME, example: 'Projects' })

const parent = folderIdSchema.nullable().openapi({ description: 'Null for one that is in no other.' })

const folderSchema = z.object({ id: z.string(), parent, name: z.string() }).openapi('Folder')

const folderListSchema = z.object({ folders: z.array(folderSchema) })

const newFolderSchema = z.strictObject({ name: folderNameSchema, parent: parent.optional() })

const folderChangeSchema = z.strictObject({
  name: folderNameSchema.optional(),
  parent: parent.optional(),
})

const path = '/api/folders/{id}'
const params = z.object({ id: z.string() })

export function addFolderRoutes(api: Api, dependencies: ApiDependencies): void {
  addListRoute(api, dependencies)
  addCreateRoute(api, dependencies)
  addChangeRoute(api, dependencies)
  addDeleteRoute(api, dependencies)
  addRestoreRoute(api, dependencies)
  addPlaceRoute(api, dependencies)
}

function requirePerson(context: Context<ApiEnv>): Principal {
  const principal = context.get('principal')
  if (principal.token !== undefined) throw new ApiError('forbidden', apiStrings.caller.sessionOnly)
  return principal
}

/** Each change reads all folders. */
function requireChange(context: Context<ApiEnv>): Principal {
  const principal = requirePerson(context)
  takeWork(context, apiUnits.folderChange(MAX_FOLDERS))
  return principal
}

function addListRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/folders',
    summary: 'My folders. Nobody else sees them, and they give nobody a right.',
    responses: { 200: jsonResponse(folderListSchema, 'All of them, in no order.') },
  })
  api.openapi(route, async (context) => {
    const folders = await listFolders(db, requirePerson(context))
    chargeWork(context, apiUnits.rows(folders.length))
    return context.json({ folders }, 200)
  })
}

function addCreateRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: '/api/folders',
    summary: 'Make a folder of my own.',
    request: { body: { content: jsonContent(newFolderSchema), required: true } },
    responses: { 201: jsonResponse(folderSchema, 'Made.') },
  })
  api.openapi(route, async (context) => {
    const folder = await createFolder(db, requireChange(context), context.req.valid('json'))
    return context.json(folder, 201)
  })
}

function addChangeRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'patch',
    path,
    summary: 'Rename a folder of mine, or move it with all that is in it.',
    request: { params, body: { content: jsonContent(folderChangeSchema), required: true } },
    responses: { 200: jsonResponse(folderSchema, 'As it is now.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const folder = await changeFolder(db, requireChange(context), id, context.req.valid('json'))
    return context.json(folder, 200)
  })
}

function addDeleteRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'delete',
    path,
    summary: 'Delete a folder of mine. What is in it goes one level up; no document is deleted.',
    request: { params },
    responses: {
      204: { description: 'Deleted. It can be restored until I delete another one.' },
    },
  })
  api.openapi(route, async (context) => {
    const moved = await deleteFolder(db, requireChange(context), context.req.valid('param').id, Date.now())
    chargeWork(context, apiUnits.rows(moved))
    return context.body(null, 204)
  })
}

function addRestoreRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: `${path}/restore`,
    summary: 'Restore the folder that I deleted last, with what was in it and has not been moved since.',
    request: { params },
    responses: { 200: jsonResponse(folderSchema, 'Where it was.') },
  })
  api.openapi(route, async (context) => {
    const id = context.req.valid('param').id
    const { folder, moved } = await restoreFolder(db, requireChange(context), id)
    chargeWork(context, apiUnits.rows(moved))
    return context.json(folder, 200)
  })
}

function addPlaceRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'patch',
    path: '/api/documents/{id}/placement',
    summary:
      'Put a document that I may read into a folder of mine, among my favourites or among my templates.',
    request: { params, body: { content: jsonContent(placementChangeSchema), required: true } },
    responses: {
      200: jsonResponse(placementSchema, 'Where it is for me. Nobody else sees it.'),
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const principal = requirePerson(context)
    takeWork(context, apiUnits.placement)
    await requireRole(access, context, id, 'read')
    const change = context.req.valid('json')
    return context.json(await changePlacement(db, principal, id, change, Date.now()), 200)
  })
}
