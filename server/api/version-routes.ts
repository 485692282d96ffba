import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createRoute, z } from '@hono/zod-openapi'
import { strings } from '../../lib/strings/api.ts'
import { acceptsEncoding } from '../compression.ts'
import type { Version } from '../versions/versions.ts'
import { ApiError } from './errors.ts'
import { admitted, answer, type Api, type ApiParts, failure, json, roleWith } from './routes.ts'
import { newVersion, version, versionChange, versionList } from './schemas.ts'

const path = '/api/documents/{id}/versions'
const params = z.object({ id: z.string() })
const versionParams = params.extend({ version: z.string() })

export function addVersionRoutes(api: Api, parts: ApiParts): void {
  addList(api, parts)
  addCreate(api, parts)
  addState(api, parts)
  addRename(api, parts)
  addRemove(api, parts)
}

function addList(api: Api, { access, versions }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path,
    summary: 'Earlier versions of a document.',
    middleware: admitted(access),
    request: { params },
    responses: { 200: answer(versionList, 'Those kept, newest first, without their text.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await roleWith(access, context, id, 'read')
    return context.json({ versions: (await versions.list(id)).map(toBody) }, 200)
  })
}

function addCreate(api: Api, { access, versions }: ApiParts): void {
  const route = createRoute({
    method: 'post',
    path,
    summary: 'Keep the text as it is now, best under a name. Needs the role editor or owner.',
    middleware: admitted(access),
    request: { params, body: { content: json(newVersion), required: true } },
    responses: { 201: answer(version, 'Made of all that was saved by then.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { name } = context.req.valid('json')
    await roleWith(access, context, id, 'write')
    return context.json(toBody(await versions.create(id, name, context.get('principal'))), 201)
  })
}

const binary = z.string().openapi({ type: 'string', format: 'binary' })

function addState(api: Api, { access, versions }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path: `${path}/{version}/state`,
    summary: 'The text of a version.',
    middleware: admitted(access),
    request: { params: versionParams },
    responses: {
      200: {
        content: { 'application/octet-stream': { schema: binary } },
        description: 'A Yjs update (V1) that holds the whole document as it was.',
      },
      ...failure,
    },
  })
  api.openapi(route, async (context) => {
    const { id, version: wanted } = context.req.valid('param')
    await roleWith(access, context, id, 'read')
    const state = await versions.state(id, wanted)
    if (!state) throw noSuchVersion()
    context.header('Content-Type', 'application/octet-stream')
    context.header('Vary', 'Accept-Encoding')
    if (!acceptsEncoding(context.req.header('accept-encoding') ?? '', 'gzip'))
      return context.body(await unzipped(state))
    context.header('Content-Encoding', 'gzip')
    return context.body(state)
  })
}

function addRename(api: Api, { access, versions }: ApiParts): void {
  const route = createRoute({
    method: 'patch',
    path: `${path}/{version}`,
    summary: 'Name a version, or take its name away. Needs the role editor or owner.',
    middleware: admitted(access),
    request: { params: versionParams, body: { content: json(versionChange), required: true } },
    responses: { 204: { description: 'Done.' }, ...failure },
  })
  api.openapi(route, async (context) => {
    const { id, version: wanted } = context.req.valid('param')
    const { name } = context.req.valid('json')
    await roleWith(access, context, id, 'write')
    if (!(await versions.rename(id, wanted, name, context.get('principal')))) throw noSuchVersion()
    return context.body(null, 204)
  })
}

function addRemove(api: Api, { access, versions, log }: ApiParts): void {
  const route = createRoute({
    method: 'delete',
    path: `${path}/{version}`,
    summary: 'Delete a version. Needs the role owner.',
    middleware: admitted(access),
    request: { params: versionParams },
    responses: { 204: { description: 'Deleted. The text as it is now stays as it is.' }, ...failure },
  })
  api.openapi(route, async (context) => {
    const { id, version: wanted } = context.req.valid('param')
    await roleWith(access, context, id, 'delete')
    if (!(await versions.remove(id, wanted))) throw noSuchVersion()
    log.info({ document: id, version: wanted, by: context.get('principal').id }, 'version deleted')
    return context.body(null, 204)
  })
}

const noSuchVersion = () => new ApiError('not-found', strings.version.missing)

/** By a thread of Node's pool. */
const unzipped = async (state: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await promisify(gunzip)(state))

const toBody = ({ id, name, createdAt, authors, bytes }: Version) => ({
  id,
  name,
  createdAt: new Date(createdAt).toISOString(),
  authors: [...authors],
  bytes,
})
