/** Builds the error answers: `{ error: { code, message } }` with the matching status. */
import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { apiStrings } from '../../lib/strings/api.ts'
import { importStrings } from '../../lib/strings/import.ts'
import { searchStrings } from '../../lib/strings/search.ts'
import { TooManyShareLinks } from '../access/share-links.ts'
import { ImportRefused } from '../../lib/import/imported-document.ts'
import { ExportRefused } from '../export/exports.ts'
import { TooManyImports } from '../import/imports.ts'
import { LabBusy } from '../lab/lab.ts'
import { UploadRefused } from '../files/uploads.ts'
import { incrementCount } from '../metrics/server-counts.ts'
import { NotAccepted, TooManyProposals } from '../proposals/proposal-rows.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import { TooManySearches } from '../search/search.ts'
import { NoSpace } from '../storage/storage-quota.ts'
import { REOPEN_MS, SearchUnavailable } from '../search/lasting-search-index.ts'
import { StoreError } from '../store/store.ts'
import { DownloadRefused } from '../versions/state-downloads.ts'
import { TooManyVersions } from '../versions/create-versions.ts'
import { OrderRefused } from './order-refused.ts'

const statusOfCode = {
  'bad-request': 400,
  'sign-in': 401,
  origin: 403,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  full: 409,
  conflict: 409,
  precondition: 412,
  'too-large': 413,
  'unsupported-type': 415,
  range: 416,
  // What was sent has a type that is known, and cannot be read.
  unreadable: 422,
  'too-many': 429,
  // Of the protocol tus: what arrived is not what was sent.
  checksum: 460 as ContentfulStatusCode,
  internal: 500,
  'no-space': 507,
  unavailable: 503,
} as const satisfies Record<string, ContentfulStatusCode>

export type ApiErrorCode = keyof typeof statusOfCode

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** When to retry, where that is known. */
  readonly retryAfterS: number | undefined

  constructor(code: ApiErrorCode, message: string, retryAfterS?: number) {
    super(message)
    this.code = code
    this.retryAfterS = retryAfterS
  }
}

/** Is the one answer for a missing document, a deleted one, somebody else's, and something that is no id at all. */
export const notFoundError = () => new ApiError('not-found', apiStrings.document.missing)

export function answerApiError(context: Context, { code, message, retryAfterS }: ApiError): Response {
  if (retryAfterS !== undefined) context.header('Retry-After', String(retryAfterS))
  return context.json({ error: { code, message } }, statusOfCode[code])
}

/** @param refused Counts the refusals by their code. */
export const createErrorHandler =
  (log: Logger, refused: Map<string, number>): ErrorHandler =>
  (error, context) => {
    const apiError = asApiError(error)
    incrementCount(refused, apiError?.code ?? 'internal')
    if (apiError) return answerApiError(context, apiError)
    log.error({ err: error, method: context.req.method, path: context.req.path }, 'request failed')
    return answerApiError(context, new ApiError('internal', apiStrings.server.failed))
  }

/** Null for what nobody has foreseen. */
export function asApiError(error: Error): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException) return apiErrorOfHttp(error)
  if (error instanceof RoomRefusal) return apiErrorOfRoom(error)
  if (error instanceof LabBusy) return new ApiError('too-many', error.message)
  if (error instanceof TooManyShareLinks) return new ApiError('full', error.message)
  if (error instanceof UploadRefused) return apiErrorOfUpload(error)
  if (error instanceof NoSpace) return new ApiError('no-space', error.message)
  if (error instanceof NotAccepted) return new ApiError('conflict', error.message)
  if (error instanceof TooManyProposals) return new ApiError('full', error.message)
  if (error instanceof TooManyVersions) return new ApiError('full', error.message)
  if (error instanceof ExportRefused) return new ApiError('too-large', apiStrings.export.tooLarge)
  if (error instanceof ImportRefused) return new ApiError('unreadable', error.message)
  if (error instanceof TooManyImports) return new ApiError('too-many', importStrings.refused.tooMany, 5)
  if (error instanceof DownloadRefused)
    return new ApiError('too-many', apiStrings.version.manyDownloads, error.retryAfterS)
  if (error instanceof OrderRefused) return new ApiError(error.code, error.message)
  if (error instanceof TooManySearches) return new ApiError('too-many', error.message, 1)
  if (error instanceof SearchUnavailable)
    return new ApiError('unavailable', searchStrings.unavailable, REOPEN_MS / 1000)
  return error instanceof StoreError ? unavailable() : null
}

function apiErrorOfHttp({ status, message }: HTTPException): ApiError | null {
  if (status === 415) return new ApiError('unsupported-type', apiStrings.input.notJson)
  return status === 400 ? new ApiError('bad-request', apiStrings.input.badBody(message)) : null
}

function apiErrorOfRoom({ reason }: RoomRefusal): ApiError | null {
  if (reason.code === 'forbidden' || reason.code === 'bad-document') return notFoundError()
  return reason.code === 'overloaded' ? unavailable() : null
}

function apiErrorOfUpload({ problem }: UploadRefused): ApiError {
  const { file } = apiStrings
  switch (problem) {
    case 'missing':
      return new ApiError('not-found', file.missing)
    case 'offset':
      return new ApiError('conflict', file.otherOffset)
    case 'too long':
      return new ApiError('too-large', file.tooManyBytes)
    case 'checksum':
      return new ApiError('checksum', file.otherChecksum)
    case 'replaced':
    case 'cut':
      return new ApiError('conflict', file.cut)
  }
}

const unavailable = () => new ApiError('unavailable', apiStrings.server.storeDown)
