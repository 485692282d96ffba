/** Writes a document in another format, for whoever may read it. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Kysely } from 'kysely'
import {
  exportFileName,
  exportFormats,
  type ExportFormat,
  formatTypes,
  holdsPictures,
  MISSING_PICTURES_HEADER,
} from '../../lib/export/export-formats.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import { exportStrings } from '../../lib/strings/export.ts'
import { findPrincipalNames } from '../access/principal-names.ts'
import { chunksOf, type OpenFile } from '../export/export-chunks.ts'
import type { ExportJob } from '../export/export-job.ts'
import { ExportRefused, Exports } from '../export/exports.ts'
import { zipDocuments, type ZippedDocument, zipEntries } from '../export/zip-documents.ts'
import { countPictures, type FileRow, findFile, findStorageKey, listFiles } from '../files/file-records.ts'
import type { FileStorage } from '../files/file-storage.ts'
import { namedDisposition } from '../files/serve-file.ts'
import type { Transfers } from '../files/transfers.ts'
import { apiUnits } from '../metering/prices.ts'
import { packUpdates } from '../store/batch.ts'
import type { Database } from '../store/schema.ts'
import { DownloadSeries } from '../versions/download-series.ts'
import { DownloadRefused } from '../versions/state-downloads.ts'
import { ApiError, notFoundError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  chargeWork,
  createAdmittedRoute,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { storedFileBytes, storedPartBytes } from './copy-document.ts'
import { cursorOf, type ListCursor, listDocuments } from './document-list.ts'
import { type DocumentTableRow, findDocument } from './document-rows.ts'

const params = z.object({ id: z.string() })

const query = z.object({
  format: z.enum(exportFormats),
  comments: z.enum(['true', 'false']).default('true').openapi({
    description: 'Whether HTML and DOCX have the comments. JSON always has them; Markdown and text never do.',
  }),
  language: z
    .string()
    .max(35)
    .refine((tag) => tag === '' || isLanguage(tag), apiStrings.export.badLanguage)
    .default('')
    .openapi({
      description: 'Of the text, in BCP 47. Dates are written as in this language.',
      example: 'en-GB',
    }),
})

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** A file that is opened in a browser by mistake may do nothing there. */
const FILE_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"

export function addExportRoutes(api: Api, dependencies: ApiDependencies, transfers: Transfers): void {
  const exports = new Exports()
  addDocumentRoute(api, dependencies, { transfers, exports })
  addAllDocumentsRoute(api, dependencies, { transfers, exports })
}

interface ExportLimits {
  readonly transfers: Transfers
  readonly exports: Exports
}

function addDocumentRoute(
  api: Api,
  dependencies: ApiDependencies,
  { transfers, exports }: ExportLimits,
): void {
  const { access, db } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/documents/{id}/export',
    summary: 'The document in another format, as a file. Needs any role.',
    request: { params, query },
    responses: { 200: { description: 'The file.' } },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { format, comments, language } = context.req.valid('query')
    await requireRole(access, context, id, 'read')
    const principal = context.get('principal')
    if (!transfers.hasRoomFor(principal)) throw new ApiError('too-many', apiStrings.file.tooManyTransfers, 5)
    const row = await findDocument(db, id)
    if (!row) throw notFoundError()
    if (context.req.method === 'HEAD') return answerHead(context, format, row.title)
    const { origin } = new URL(context.req.url)
    const wanted = { format, hasComments: hasComments(format, comments === 'true'), language, origin }
    takeWork(context, await exportUnits(db, id, wanted))
    const { entries, missingPictures, download } = await exports.write(
      principal.id,
      () => loadJob(dependencies, row, wanted),
      context.req.raw.signal,
    )
    try {
      await requireRole(access, context, id, 'read') // again, since it may have waited
      const end = transfers.begin({ document: id, principal, right: 'read', end: () => download.cut() })
      void download.whenEnded.then(end)
      const openFile = createFileOpener(context, dependencies, id)
      const write = () => Promise.resolve({ entries, close() {} })
      const chunks =
        format === 'zip'
          ? zipDocuments([await zippedDocument(db, row, { origin, openFile, write })], false)
          : format === 'docx'
            ? zipEntries(entries, row.updated_at, openFile)
            : chunksOf(entries[0]!.parts, openFile)
      setFileHeaders(context, format, row.title)
      if (holdsPictures(format)) context.header(MISSING_PICTURES_HEADER, String(missingPictures))
      return context.body(download.stream(chunks))
    } catch (error) {
      download.close()
      throw error
    }
  })
}

/** JSON loses nothing, and a zip has JSON. */
const hasComments = (format: ExportFormat, areWanted: boolean): boolean =>
  areWanted || format === 'json' || format === 'zip'

function setFileHeaders(context: Context<ApiEnv>, format: ExportFormat, title: string): void {
  context.header('Content-Type', formatTypes[format].mediaType)
  context.header('Content-Disposition', namedDisposition('attachment', exportFileName(title, format)))
  context.header('Content-Security-Policy', FILE_POLICY)
}

/** Hono runs a GET for a HEAD and drops its body without a cancel, so whatever is opened for the body would stay open. */
function answerHead(context: Context<ApiEnv>, format: ExportFormat, title: string): Response {
  setFileHeaders(context, format, title)
  return context.body(null)
}

function addAllDocumentsRoute(api: Api, dependencies: ApiDependencies, limits: ExportLimits): void {
  const { access } = dependencies
  const running = new Set<string>()
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/export',
    summary: 'All documents that I own, with their files, as a zip with a folder for each.',
    request: { query: query.pick({ language: true }) },
    responses: { 200: { description: 'The zip. It is made as it is read.' } },
  })
  api.openapi(route, (context) => {
    const { language } = context.req.valid('query')
    const principal = context.get('principal')
    const { id, token } = principal
    if (token !== undefined) throw new ApiError('forbidden', apiStrings.document.noneByToken)
    if (running.has(id)) throw new ApiError('too-many', apiStrings.export.oneAtATime, 5)
    const title = exportStrings.allDocuments(new Date().toISOString().slice(0, 10))
    if (context.req.method === 'HEAD') return answerHead(context, 'zip', title)
    if (!limits.transfers.hasRoomFor(principal))
      throw new ApiError('too-many', apiStrings.file.tooManyTransfers, 5)
    running.add(id)
    const { origin } = new URL(context.req.url)
    const wanted = { format: 'zip', hasComments: true, language, origin } as const
    setFileHeaders(context, 'zip', title)
    const series = new DownloadSeries()
    const write = (row: DocumentTableRow) =>
      writeOwn(context, dependencies, { ...limits, series, row, wanted })
    const chunks = zipDocuments(ownDocuments(context, dependencies, { origin, write }), true)
    return context.body(series.stream(chunks, () => running.delete(id)))
  })
}

const DOCUMENTS_A_PAGE = 50

interface OwnDocuments {
  readonly origin: string
  readonly write: (row: DocumentTableRow) => ReturnType<ZippedDocument['write']>
}

/** Each is paid for when it is its turn: whoever has many waits for the meter, and is not refused in the middle. */
async function* ownDocuments(
  context: Context<ApiEnv>,
  dependencies: ApiDependencies,
  { origin, write }: OwnDocuments,
): AsyncGenerator<ZippedDocument, void> {
  const { db } = dependencies
  const principal = context.get('principal')
  let after: ListCursor | undefined
  do {
    const page = { filter: 'owned', sort: 'created', limit: DOCUMENTS_A_PAGE, after } as const
    const rows = await listDocuments(db, principal, page)
    for (const row of rows) {
      const units = await exportUnits(db, row.id, { format: 'zip', hasComments: true })
      await context.get('meter').spend(principal, units, 'api', { window: 'export' })
      const openFile = createFileOpener(context, dependencies, row.id)
      yield await zippedDocument(db, row, { origin, openFile, write: () => write(row) })
    }
    const last = rows.at(-1)
    after = last && rows.length === DOCUMENTS_A_PAGE ? cursorOf(last, 'created') : undefined
  } while (after)
}

interface OwnExport extends ExportLimits {
  readonly series: DownloadSeries
  readonly row: DocumentTableRow
  readonly wanted: WantedExport
}

/** Null where one document cannot be written, or belongs to the person no more: the others are not lost with it. */
async function writeOwn(
  context: Context<ApiEnv>,
  dependencies: ApiDependencies,
  { transfers, exports, series, row, wanted }: OwnExport,
): ReturnType<ZippedDocument['write']> {
  const { access, log } = dependencies
  const [principal, { signal }] = [context.get('principal'), context.req.raw]
  const isOwner = async () => (await access.roleOf(principal, row.id)) === 'owner'
  try {
    if (!(await isOwner())) return null
    const { entries, download } = await exports.write(
      principal.id,
      () => loadJob(dependencies, row, wanted),
      signal,
    )
    // It is asked again, since the export may have waited.
    if (!(await isOwner().catch(() => false))) {
      download.close()
      return null
    }
    const transfer = { document: row.id, principal, right: 'delete', end: () => download.cut() } as const
    void download.whenEnded.then(transfers.begin(transfer))
    series.begin(download)
    return { entries, close: () => download.close() }
  } catch (error) {
    if (signal.aborted) throw error
    if (!(error instanceof ExportRefused || error instanceof DownloadRefused))
      log.error({ err: error, document: row.id }, 'document left out of an export')
    return null
  }
}

const zippedDocument = async (
  db: Kysely<Database>,
  { id, title, updated_at: modifiedAt }: DocumentTableRow,
  { origin, ...rest }: Pick<ZippedDocument, 'openFile' | 'write'> & { readonly origin: string },
): Promise<ZippedDocument> => ({
  title,
  address: `${origin}/d/${id}`,
  modifiedAt,
  bytes: await storedFileBytes(db, id),
  ...rest,
})

interface WantedExport {
  readonly format: ExportFormat
  readonly hasComments: boolean
  readonly language: string
  readonly origin: string
}

async function exportUnits(
  db: Kysely<Database>,
  document: string,
  { format, hasComments: hasThreads }: Pick<WantedExport, 'format' | 'hasComments'>,
): Promise<number> {
  const bytes = await storedPartBytes(db, document, hasThreads ? ['body', 'comments'] : ['body'])
  const pictures = holdsPictures(format) ? await countPictures(db, document) : 0
  return apiUnits.exported(bytes, format === 'docx') + apiUnits.lookedForFiles(pictures)
}

async function loadJob(
  { db, store, files: { storage } }: ApiDependencies,
  { id, owner }: DocumentTableRow,
  { format, hasComments, language, origin }: WantedExport,
): Promise<ExportJob> {
  const body = await store.load(id, 'body')
  const comments = hasComments ? await store.load(id, 'comments') : null
  const [rows, names] = [await listFiles(db, id), await findPrincipalNames(db, [owner])]
  // A picture without bytes would stand there as nothing: a sentence does, for what is not among the files.
  const files = holdsPictures(format) ? await filesWithBytes(db, storage, rows) : rows
  return {
    format,
    body: packUpdates(body.updates),
    comments: comments && packUpdates(comments.updates),
    context: {
      document: id,
      origin,
      language,
      author: names.get(owner) ?? '',
      files: files.map(({ id: file, name, type, bytes }) => ({ id: file, name, type, bytes })),
    },
  }
}

/** So many are asked for at once. */
const FILES_AT_ONCE = 16

async function filesWithBytes(
  db: Kysely<Database>,
  storage: FileStorage,
  rows: readonly FileRow[],
): Promise<FileRow[]> {
  const present: FileRow[] = []
  for (let at = 0; at < rows.length; at += FILES_AT_ONCE) {
    const some = rows.slice(at, at + FILES_AT_ONCE)
    const hasBytes = await Promise.all(
      some.map(async ({ type, sha256 }) => {
        if (!type.startsWith('image/')) return true
        const key = await findStorageKey(db, sha256)
        return key !== null && (await storage.has(key))
      }),
    )
    present.push(...some.filter((_file, index) => hasBytes[index]))
  }
  return present
}

/** A file is paid for when it is sent. */
const createFileOpener =
  (context: Context<ApiEnv>, { db, files }: ApiDependencies, document: string): OpenFile =>
  async (id) => {
    const file = await findFile(db, { document, id })
    const key = file ? await findStorageKey(db, file.sha256) : null
    if (!file || key === null) return null
    chargeWork(context, apiUnits.sentFile(file.bytes))
    return files.storage.open(key)
  }
