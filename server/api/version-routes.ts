import { z } from '@hono/zod-openapi'
import { apiStrings } from '../../lib/strings/api.ts'
import { acceptsEncoding } from '../compression.ts'
import { StateDownloads } from '../versions/state-downloads.ts'
import { apiUnits } from '../metering/prices.ts'
import type { DocumentVersion } from '../versions/create-versions.ts'
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
import { personSchema } from './api-schemas.ts'

/** The limit in characters. */
const MAX_VERSION_NAME_LENGTH = 100

const versionNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_VERSION_NAME_LENGTH)
  .transform((text) => text.toWellFormed())
  .openapi({ type: 'string', minLength: 1, maxLength: MAX_VERSION_NAME_LENGTH, example: 'Before the review' })

const versionSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable().openapi({ description: 'Without one it is thinned out in time.' }),
    createdAt: z.iso.datetime(),
    authors: z.array(personSchema).openapi({ description: 'Who wrote since the version before.' }),
    bytes: z.int().openapi({ description: 'As stored, compressed.' }),
  })
  .openapi('Version')

const versionListSchema = z.object({
  versions: z.array(versionSchema),
  hasRoom: z.boolean().openapi({
    description:
      'Whether there is space for automatic versions. Otherwise none are kept until somebody makes room.',
  }),
})

const newVersionSchema = z.object({ name: versionNameSchema.nullable().default(null) })

const versionChangeSchema = z.object({ name: versionNameSchema.nullable() })

const path = '/api/documents/{id}/versions'
const params = z.object({ id: z.string() })
const versionParams = params.extend({ version: z.string() })

export function addVersionRoutes(api: Api, dependencies: ApiDependencies): void {
  addListRoute(api, dependencies)
  addCreateRoute(api, dependencies)
  addStateRoute(api, dependencies)
  addRenameRoute(api, dependencies)
  addRemoveRoute(api, dependencies)
}

function addListRoute(api: Api, { access, versions, storage }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path,
    summary: 'Earlier versions of a document.',
    request: { params },
    responses: {
      200: jsonResponse(versionListSchema, 'Those kept, newest first, without their text.'),
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await requireRole(access, context, id, 'read')
    const list = await versions.list(id)
    chargeWork(context, apiUnits.rows(list.length))
    const hasRoom = await storage.hasRoomForVersion(id, false)
    return context.json({ versions: list.map(versionBody), hasRoom }, 200)
  })
}

function addCreateRoute(api: Api, { access, versions }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'post',
    path,
    summary: 'Keep the text as it is now, best under a name. Needs the role editor or owner.',
    request: { params, body: { content: jsonContent(newVersionSchema), required: true } },
    responses: { 201: jsonResponse(versionSchema, 'Made of all that was saved by then.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { name } = context.req.valid('json')
    await requireRole(access, context, id, 'write')
    const version = await versions.create(id, name, context.get('principal'))
    chargeWork(context, apiUnits.storedText(version.bytes))
    return context.json(versionBody(version), 201)
  })
}

const binary = z.string().openapi({ type: 'string', format: 'binary' })

function addStateRoute(api: Api, { access, versions }: ApiDependencies): void {
  const downloads = new StateDownloads()
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: `${path}/{version}/state`,
    summary: 'The text of a version.',
    request: { params: versionParams },
    responses: {
      200: {
        content: { 'application/octet-stream': { schema: binary } },
        description: 'A Yjs update (V1) that holds the whole document as it was.',
      },
    },
  })
  api.openapi(route, async (context) => {
    const { id, version: versionId } = context.req.valid('param')
    await requireRole(access, context, id, 'read')
    const bytes = await versions.stateBytes(id, versionId)
    if (bytes === null) throw versionNotFound()
    context.header('Vary', 'Accept-Encoding')
    if (context.req.method === 'HEAD') {
      // Hono would drop the body without a cancel, and the download would stay open.
      context.header('Content-Type', 'application/octet-stream')
      return context.body(null)
    }
    takeWork(context, apiUnits.storedText(bytes))
    const download = await downloads.admit(context.get('principal').id, bytes, context.req.raw.signal)
    try {
      await requireRole(access, context, id, 'read') // again, since it may have waited
      const state = await versions.state(id, versionId)
      if (!state) throw versionNotFound()
      const acceptsGzip = acceptsEncoding(context.req.header('accept-encoding') ?? '', 'gzip')
      context.header('Content-Type', 'application/octet-stream')
      if (acceptsGzip) context.header('Content-Encoding', 'gzip')
      return context.body(download.send(state, !acceptsGzip))
    } catch (error) {
      download.close()
      throw error
    }
  })
}

function addRenameRoute(api: Api, { access, versions }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'patch',
    path: `${path}/{version}`,
    summary: 'Name a version, or take its name away. Needs the role editor or owner.',
    request: { params: versionParams, body: { content: jsonContent(versionChangeSchema), required: true } },
    responses: { 204: { description: 'Done.' } },
  })
  api.openapi(route, async (context) => {
    const { id, version: versionId } = context.req.valid('param')
    const { name } = context.req.valid('json')
    await requireRole(access, context, id, 'write')
    if (!(await versions.rename(id, versionId, name, context.get('principal')))) throw versionNotFound()
    return context.body(null, 204)
  })
}

function addRemoveRoute(api: Api, { access, versions, log }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'delete',
    path: `${path}/{version}`,
    summary: 'Delete a version. Needs the role owner.',
    request: { params: versionParams },
    responses: { 204: { description: 'Deleted. The text as it is now stays as it is.' } },
  })
  api.openapi(route, async (context) => {
    const { id, version: versionId } = context.req.valid('param')
    await requireRole(access, context, id, 'delete')
    if (!(await versions.remove(id, versionId))) throw versionNotFound()
    log.info({ document: id, version: versionId, by: context.get('principal').id }, 'version deleted')
    return context.body(null, 204)
  })
}

const versionNotFound = () => new ApiError('not-found', apiStrings.version.missing)

const versionBody = ({ id, name, createdAt, authors, bytes }: DocumentVersion) => ({
  id,
  name,
  createdAt: new Date(createdAt).toISOString(),
  authors: [...authors],
  bytes,
})
