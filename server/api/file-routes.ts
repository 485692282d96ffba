/** Lists and sends the files of a document, by its rights. upload-routes.ts takes them. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { Readable } from 'node:stream'
import { apiStrings } from '../../lib/strings/api.ts'
import { namesStrings } from '../../lib/strings/names.ts'
import { findPrincipalNames } from '../access/principal-names.ts'
import {
  type FileAddress,
  type FileRow,
  findFile,
  findStorageKey,
  listFiles,
  listUploads,
  type UploadRow,
} from '../files/file-records.ts'
import { entityTagOf, fileHeaders, isKnown, readRange } from '../files/serve-file.ts'
import { type Transfers, TransferEnded } from '../files/transfers.ts'
import { apiUnits } from '../metering/prices.ts'
import { StoreError } from '../store/store.ts'
import { ApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  chargeWork,
  createAdmittedRoute,
  jsonResponse,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { fileListSchema } from './file-schemas.ts'
import { answerUploadState, hasTusVersion } from './upload-routes.ts'

const path = '/api/documents/{id}/files'
const params = z.object({ id: z.string() })
const fileParams = params.extend({ file: z.string() })

export function addFileRoutes(api: Api, dependencies: ApiDependencies, transfers: Transfers): void {
  addListRoute(api, dependencies)
  addReadRoute(api, dependencies, transfers)
}

function addListRoute(api: Api, { access, db }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path,
    summary: 'The files of a document, and those that are being uploaded. Needs any role.',
    request: { params },
    responses: { 200: jsonResponse(fileListSchema, 'The newest first.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await requireRole(access, context, id, 'read')
    const [files, uploads] = [await listFiles(db, id), await listUploads(db, id)]
    chargeWork(context, apiUnits.rows(files.length + uploads.length))
    const people = [...files, ...uploads].map((row) => row.uploaded_by)
    const names = await findPrincipalNames(db, [...new Set(people)])
    const personOf = (principal: string) => ({
      id: principal,
      name: names.get(principal) ?? namesStrings.somebody,
    })
    return context.json(
      {
        files: files.map((row) => ({ ...fileBody(row), uploadedBy: personOf(row.uploaded_by) })),
        uploads: uploads.map((row) => ({ ...uploadBody(row), uploadedBy: personOf(row.uploaded_by) })),
      },
      200,
    )
  })
}

const fileBody = ({ id, name, type, bytes, width, height, uploaded_at }: FileRow) => ({
  id,
  name,
  type,
  bytes,
  width,
  height,
  uploadedAt: new Date(uploaded_at).toISOString(),
})

const uploadBody = ({ id, name, bytes, received, created_at, expires_at }: UploadRow) => ({
  id,
  name,
  bytes,
  received,
  startedAt: new Date(created_at).toISOString(),
  expiresAt: new Date(expires_at).toISOString(),
})

function addReadRoute(api: Api, dependencies: ApiDependencies, transfers: Transfers): void {
  const { access, db } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: `${path}/{file}`,
    summary: 'A file, or a range of it; with `?download` always as one to keep. Needs any role.',
    request: { params: fileParams, query: z.object({ download: z.string().optional() }) },
    responses: { 200: { description: 'Its bytes.' } },
  })
  api.openapi(route, async (context) => {
    const { id: document, file: id } = context.req.valid('param')
    const address = { document, id }
    const isHead = context.req.method === 'HEAD'
    await requireRole(access, context, document, 'read')
    if (isHead && hasTusVersion(context)) return answerUploadState(context, dependencies, address)
    const file = await findFile(db, address)
    if (!file) throw new ApiError('not-found', await missingSentence(dependencies, address))
    const isDownload = context.req.valid('query').download !== undefined
    return sendFile(context, { ...dependencies, transfers }, { document, file, isDownload, isHead })
  })
}

async function missingSentence({ files }: ApiDependencies, address: FileAddress): Promise<string> {
  return (await files.uploads.find(address)) ? apiStrings.file.arriving : apiStrings.file.missing
}

interface RequestedFile {
  readonly document: string
  readonly file: FileRow
  readonly isDownload: boolean
  readonly isHead: boolean
}

async function sendFile(
  context: Context<ApiEnv>,
  {
    files,
    db,
    log,
    transfers,
  }: Pick<ApiDependencies, 'files' | 'db' | 'log'> & { readonly transfers: Transfers },
  { document, file, isDownload, isHead }: RequestedFile,
): Promise<Response> {
  const tag = entityTagOf(file)
  for (const [name, value] of Object.entries(fileHeaders(file, isDownload))) context.header(name, value)
  if (isKnown(context.req.header('if-none-match'), tag)) return context.body(null, 304)
  const ifRange = context.req.header('if-range')
  const asked = ifRange === undefined || ifRange === tag ? context.req.header('range') : undefined
  const range = readRange(asked, file.bytes)
  if (range === 'unsatisfiable') throw rangeError(context, file)
  const length = range ? range.end - range.start + 1 : file.bytes
  context.header('Content-Length', String(length))
  if (range) context.header('Content-Range', `bytes ${range.start}-${range.end}/${file.bytes}`)
  const status = range ? 206 : 200
  if (isHead) return context.body(null, status)
  takeWork(context, apiUnits.sentFile(length))
  const principal = context.get('principal')
  if (!transfers.hasRoomFor(principal)) throw new ApiError('too-many', apiStrings.file.tooManyTransfers, 5)
  const key = await findStorageKey(db, file.sha256)
  const stream = key === null ? null : await files.storage.open(key, range ?? undefined)
  if (!stream) {
    log.error({ document, file: file.id, key }, 'the bytes of a file are not in FILES_DIR or S3_BUCKET')
    throw new StoreError(`The bytes ${file.sha256} are not where they were stored`)
  }
  const end = transfers.begin({
    document,
    principal,
    right: 'read',
    end: () => stream.destroy(new TransferEnded()),
  })
  stream.once('close', end)
  return context.body(Readable.toWeb(stream) as ReadableStream, status)
}

/** The headers of the file do not belong to the refusal. */
function rangeError(context: Context<ApiEnv>, file: FileRow): ApiError {
  for (const name of Object.keys(fileHeaders(file, false))) context.header(name, undefined)
  context.header('Cache-Control', 'no-store')
  context.header('Content-Range', `bytes */${file.bytes}`)
  return new ApiError('range', apiStrings.file.badRange)
}
