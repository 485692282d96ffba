/**
 * Takes files by the protocol tus 1.0 (https://tus.io/protocols/resumable-upload): core, creation, checksum, termination, expiration. The
 * address of a file is that of its upload before, so that whoever knows the id can always ask how far it is.
 */
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { createFileId, cleanFileName, fileIdOf } from '../../lib/files/file-reference.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import { type FileAddress, findFile } from '../files/file-records.ts'
import type { Transfers } from '../files/transfers.ts'
import { type Checksum, checksumAlgorithms, UploadRefused } from '../files/uploads.ts'
import { apiUnits } from '../metering/prices.ts'
import { ApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  createAdmittedRoute,
  errorResponses,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { requireFileSize, storeFiles } from './store-files.ts'

const TUS_VERSION = '1.0.0'

const path = '/api/documents/{id}/files'
const params = z.object({ id: z.string() })
const fileParams = params.extend({ file: z.string() })

export function addUploadRoutes(api: Api, dependencies: ApiDependencies, transfers: Transfers): void {
  addOptionsRoute(api, dependencies)
  addCreateRoute(api, dependencies)
  addAppendRoute(api, dependencies, transfers)
  addEndRoute(api, dependencies)
}

export const hasTusVersion = (context: Context<ApiEnv>): boolean =>
  context.req.header('tus-resumable') !== undefined

/** Answers for all documents alike, to anybody. */
function addOptionsRoute(api: Api, { fileLimits }: ApiDependencies): void {
  const route = createRoute({
    method: 'options',
    path,
    summary: 'What of tus this server speaks.',
    request: { params },
    responses: { 204: { description: 'Versions, extensions, the largest file.' }, ...errorResponses },
  })
  api.openapi(route, (context) => {
    context.header('Tus-Resumable', TUS_VERSION)
    context.header('Tus-Version', TUS_VERSION)
    context.header('Tus-Extension', 'creation,checksum,termination,expiration')
    context.header('Tus-Checksum-Algorithm', checksumAlgorithms.join(','))
    if (fileLimits.fileBytes !== null) context.header('Tus-Max-Size', String(fileLimits.fileBytes))
    return context.body(null, 204)
  })
}

function addCreateRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, files, log } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'post',
    path,
    summary: 'Begin to upload a file. Needs the role editor or owner.',
    request: { params },
    responses: { 201: { description: 'Begun: Location is where its bytes go.' } },
  })
  api.openapi(route, async (context) => {
    const { id: document } = context.req.valid('param')
    requireVersion(context)
    await requireRole(access, context, document, 'write')
    const bytes = readNumber(context.req.header('upload-length'), apiStrings.file.noLength)
    requireFileSize(dependencies, bytes)
    const metadata = readMetadata(context.req.header('upload-metadata'))
    const id = readFileId(metadata.get('id'))
    takeWork(context, apiUnits.uploadedFile(0))
    const principal = context.get('principal')
    const name = cleanFileName(metadata.get('filename') ?? '')
    const begun = await storeFiles(dependencies, { document, bytes, files: 1, by: principal.id }, () =>
      files.uploads.begin({ document, id, bytes, name, uploadedBy: principal.id }),
    )
    if (begun) log.info({ document, file: id, bytes, by: principal.id }, 'upload begun')
    const found = begun ?? (await findOwnUpload(dependencies, { document, id }, principal.id))
    // Whoever did not hear the answer asks again.
    if (found?.bytes !== bytes) throw new ApiError('conflict', apiStrings.file.taken)
    addUploadHeaders(context, found)
    context.header('Location', `/api/documents/${document}/files/${id}`)
    return context.body(null, 201)
  })
}

function addAppendRoute(api: Api, { access, db, files, log }: ApiDependencies, transfers: Transfers): void {
  const route = createAdmittedRoute(access, {
    method: 'patch',
    path: `${path}/{file}`,
    summary: 'Send a piece of a file that one has begun to upload. Needs the role editor or owner.',
    request: { params: fileParams },
    responses: { 204: { description: 'Written: Upload-Offset says up to where.' } },
  })
  api.openapi(route, async (context) => {
    const { id: document, file: id } = context.req.valid('param')
    const address = { document, id }
    const { body } = context.env
    requireVersion(context)
    await requireRole(access, context, document, 'write')
    if (context.req.header('content-type') !== 'application/offset+octet-stream' || !body)
      throw new ApiError('unsupported-type', apiStrings.file.otherType)
    const offset = readNumber(context.req.header('upload-offset'), apiStrings.file.noOffset)
    const checksum = readChecksum(context.req.header('upload-checksum'))
    const principal = context.get('principal')
    const begun = await findOwnUpload({ db, files }, address, principal.id)
    if (!begun) throw new UploadRefused('missing')
    if (offset !== begun.received) throw new UploadRefused('offset')
    const length = Number(context.req.header('content-length') ?? begun.bytes - offset)
    if (offset + length > begun.bytes) throw new UploadRefused('too long')
    takeWork(context, apiUnits.uploadedFile(length))
    if (!transfers.hasRoomFor(principal)) throw new ApiError('too-many', apiStrings.file.tooManyTransfers, 5)
    const end = transfers.begin({
      document,
      principal,
      right: 'write',
      end: () => body.destroy(new UploadRefused('cut')),
    })
    const upload = await files.uploads.append(address, { offset, body, checksum }).finally(end)
    if (upload.received === upload.bytes)
      log.info({ document, file: id, bytes: upload.bytes, by: principal.id }, 'file uploaded')
    addUploadHeaders(context, upload)
    return context.body(null, 204)
  })
}

function addEndRoute(api: Api, { access, db, files }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'delete',
    path: `${path}/{file}`,
    summary: 'End an upload that one has begun, and forget what has arrived.',
    request: { params: fileParams },
    responses: { 204: { description: 'Ended.' } },
  })
  api.openapi(route, async (context) => {
    const { id: document, file: id } = context.req.valid('param')
    const address = { document, id }
    requireVersion(context)
    await requireRole(access, context, document, 'write')
    if (await findFile(db, address)) throw new ApiError('conflict', apiStrings.file.finished)
    if (!(await findOwnUpload({ db, files }, address, context.get('principal').id)))
      throw new UploadRefused('missing')
    await files.uploads.end(address)
    context.header('Tus-Resumable', TUS_VERSION)
    return context.body(null, 204)
  })
}

/** How far an upload is, also once it is whole: the answer to its last piece may have been lost. */
export async function answerUploadState(
  context: Context<ApiEnv>,
  dependencies: ApiDependencies,
  address: FileAddress,
): Promise<Response> {
  requireVersion(context)
  const upload = await findOwnUpload(dependencies, address, context.get('principal').id)
  if (!upload) throw new UploadRefused('missing')
  addUploadHeaders(context, upload)
  context.header('Upload-Length', String(upload.bytes))
  return context.body(null, 200)
}

interface UploadState {
  readonly bytes: number
  readonly received: number
  /** Null once it is whole. */
  readonly expires_at: number | null
}

/** Nobody goes on with what another person sends. */
async function findOwnUpload(
  { db, files }: Pick<ApiDependencies, 'db' | 'files'>,
  address: FileAddress,
  person: string,
): Promise<UploadState | null> {
  const upload = await files.uploads.find(address)
  if (upload) return upload.uploaded_by === person ? upload : null
  const file = await findFile(db, address)
  return file?.uploaded_by === person ? { bytes: file.bytes, received: file.bytes, expires_at: null } : null
}

function addUploadHeaders(context: Context<ApiEnv>, { received, expires_at }: UploadState): void {
  context.header('Tus-Resumable', TUS_VERSION)
  context.header('Upload-Offset', String(received))
  if (expires_at !== null) context.header('Upload-Expires', new Date(expires_at).toUTCString())
}

function requireVersion(context: Context<ApiEnv>): void {
  if (context.req.header('tus-resumable') === TUS_VERSION) return
  context.header('Tus-Version', TUS_VERSION)
  throw new ApiError('precondition', apiStrings.file.otherVersion)
}

function readNumber(header: string | undefined, problem: string): number {
  if (header === undefined || !/^\d{1,15}$/.test(header)) throw new ApiError('bad-request', problem)
  return Number(header)
}

/** Names, each with a Base64 value or none, separated by commas. */
function readMetadata(header = ''): ReadonlyMap<string, string> {
  const entries = header === '' ? [] : header.split(',').map((entry) => entry.trim().split(' '))
  return new Map(
    entries.map(([name = '', value = '', ...others]) => {
      if (name === '' || others.length > 0 || !/^[\w+/]*={0,2}$/.test(value))
        throw new ApiError('bad-request', apiStrings.file.badMetadata)
      return [name, Buffer.from(value, 'base64').toString()]
    }),
  )
}

function readFileId(id: string | undefined): string {
  if (id === undefined) return createFileId()
  if (fileIdOf({ file: id }) === '') throw new ApiError('bad-request', apiStrings.file.badId)
  return id
}

function readChecksum(header: string | undefined): Checksum | null {
  if (header === undefined) return null
  const [name, digest = ''] = header.split(' ')
  const algorithm = checksumAlgorithms.find((one) => one === name)
  if (!algorithm || !/^[\w+/]+={0,2}$/.test(digest))
    throw new ApiError('bad-request', apiStrings.file.badChecksum(checksumAlgorithms.join(', ')))
  return { algorithm, digest: Buffer.from(digest, 'base64') }
}
