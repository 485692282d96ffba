/** Writes a document in another format, for whoever may read it. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  exportFileName,
  pageFormats,
  type ExportFormat,
  formatTypes,
} from '../../lib/export/export-formats.ts'
import { strings } from '../../lib/strings/api.ts'
import { findPrincipalNames } from '../access/principal-names.ts'
import { chunksOf, type OpenFile } from '../export/export-chunks.ts'
import type { ExportJob } from '../export/export-job.ts'
import { Exports } from '../export/exports.ts'
import { findFile, findStorageKey, listFiles } from '../files/file-records.ts'
import { namedDisposition } from '../files/serve-file.ts'
import type { Transfers } from '../files/transfers.ts'
import { apiUnits } from '../metering/prices.ts'
import { packUpdates } from '../store/batch.ts'
import { ApiError, notFoundError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  errorResponses,
  requireAdmission,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { storedTextBytes } from './copy-document.ts'
import { type DocumentTableRow, findDocument } from './document-rows.ts'

const params = z.object({ id: z.string() })

const query = z.object({
  format: z.enum(pageFormats),
  comments: z.enum(['true', 'false']).default('true').openapi({
    description: 'Whether HTML and DOCX have the comments. JSON always has them; Markdown and text never do.',
  }),
  language: z
    .string()
    .max(35)
    .refine((tag) => tag === '' || isLanguage(tag), strings.export.badLanguage)
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
  const { access, db } = dependencies
  const exports = new Exports()
  const route = createRoute({
    method: 'get',
    path: '/api/documents/{id}/export',
    summary: 'The document in another format, as a file. Needs any role.',
    middleware: requireAdmission(access),
    request: { params, query },
    responses: { 200: { description: 'The file.' }, ...errorResponses },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { format, comments, language } = context.req.valid('query')
    await requireRole(access, context, id, 'read')
    const principal = context.get('principal')
    if (!transfers.hasRoomFor(principal)) throw new ApiError('too-many', strings.file.tooManyTransfers, 5)
    takeWork(context, apiUnits.exported(await storedTextBytes(db, id)))
    const row = await findDocument(db, id)
    if (!row) throw notFoundError()
    const { origin } = new URL(context.req.url)
    const wanted = { format, hasComments: format === 'json' || comments === 'true', language, origin }
    const { entries, download } = await exports.write(
      principal.id,
      () => loadJob(dependencies, row, wanted),
      context.req.raw.signal,
    )
    try {
      await requireRole(access, context, id, 'read') // again, since it may have waited
    } catch (error) {
      download.close()
      throw error
    }
    const end = transfers.begin({ document: id, principal, right: 'read', end: () => download.cut() })
    void download.whenEnded.then(end)
    context.header('Content-Type', formatTypes[format].mediaType)
    context.header('Content-Disposition', namedDisposition('attachment', exportFileName(row.title, format)))
    context.header('Content-Security-Policy', FILE_POLICY)
    return context.body(download.stream(chunksOf(entries[0]!.parts, createFileOpener(dependencies, id))))
  })
}

interface WantedExport {
  readonly format: ExportFormat
  readonly hasComments: boolean
  readonly language: string
  readonly origin: string
}

async function loadJob(
  { db, store }: ApiDependencies,
  { id, owner }: DocumentTableRow,
  { format, hasComments, language, origin }: WantedExport,
): Promise<ExportJob> {
  const body = await store.load(id, 'body')
  const comments = hasComments ? await store.load(id, 'comments') : null
  const [files, names] = [await listFiles(db, id), await findPrincipalNames(db, [owner])]
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

const createFileOpener =
  ({ db, files }: ApiDependencies, document: string): OpenFile =>
  async (id) => {
    const file = await findFile(db, { document, id })
    const key = file ? await findStorageKey(db, file.sha256) : null
    return key === null ? null : files.storage.open(key)
  }
