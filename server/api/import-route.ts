/** Makes documents of a file that another program, or this one, has written. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { Readable } from 'node:stream'
import { apiStrings } from '../../lib/strings/api.ts'
import { commonStrings } from '../../lib/strings/common.ts'
import { sizeText } from '../../lib/strings/storage.ts'
import { importStrings } from '../../lib/strings/import.ts'
import { ImportRefused } from '../../lib/import/imported-document.ts'
import type { Principal } from '../access/principal.ts'
import { IMPORT_PATH } from '../files/file-path.ts'
import type { ReadDocument } from '../import/import-job.ts'
import { Imports, ImportTooLarge } from '../import/imports.ts'
import { apiUnits } from '../metering/prices.ts'
import { ApiError, asApiError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  apiErrorOfRefusal,
  chargeWork,
  createAdmittedRoute,
  jsonResponse,
  takeWork,
} from './api-routing.ts'
import { documentSchema } from './api-schemas.ts'
import { createFromState } from './create-from-state.ts'
import { loadDocumentBody } from './document-routes.ts'
import type { DocumentTableRow } from './document-rows.ts'
import { requireRoom } from './store-files.ts'

const query = z.object({
  name: z
    .string()
    .min(1)
    .max(1_000)
    .openapi({ description: 'Of the file, with its ending.', example: 'notes.md' }),
})

const importedSchema = documentSchema
  .extend({
    losses: z.array(z.string()).openapi({ description: 'What could not be imported, a sentence each.' }),
    others: z.array(documentSchema).openapi({ description: 'More documents, where the file holds several.' }),
  })
  .openapi('Imported')

export function addImportRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db, fileLimits, files, log } = dependencies
  const imports = new Imports(files.importsFolder)
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: IMPORT_PATH,
    summary:
      'Make a document of a file, which is the body: Markdown, plain text, CSV, or JSON of the export.',
    request: { query },
    responses: { 201: jsonResponse(importedSchema, 'Made.') },
  })
  api.openapi(route, async (context) => {
    const { name } = context.req.valid('query')
    const principal = context.get('principal')
    const { body = Readable.from([]) } = context.env
    if (principal.token !== undefined) throw new ApiError('forbidden', apiStrings.document.noneByToken)
    const limitBytes = fileLimits.importBytes
    const announced = Number(context.req.header('content-length') ?? 0)
    if (announced > limitBytes) throw tooLarge(limitBytes)
    takeWork(context, apiUnits.imported(announced))
    const { rows, losses } = await imports
      .receive({ principal: principal.id, body, limitBytes }, async (path, bytes) => {
        chargeWork(context, apiUnits.imported(Math.max(0, bytes - announced)))
        const source = { name, type: typeOf(context.req.header('content-type')) }
        const read = await imports.read(principal.id, path, source, (units) => chargeWork(context, units))
        // Documents in memory count as files on their way do.
        const stored = await storeDocuments(dependencies, context, read.documents)
        return { rows: stored.rows, losses: [...stored.losses, ...read.losses] }
      })
      .catch((error: unknown) => {
        throw error instanceof ImportTooLarge ? tooLarge(limitBytes) : error
      })
    log.info({ documents: rows.map(({ id }) => id), by: principal.id }, 'file imported')
    const [first, ...others] = await Promise.all(rows.map((row) => loadDocumentBody(db, row, 'owner')))
    return context.json({ ...first!, losses, others }, 201)
  })
}

const tooLarge = (limitBytes: number): ApiError =>
  new ApiError('too-large', importStrings.refused.tooLarge(sizeText(limitBytes)))

/** Without parameters such as its encoding, which the bytes themselves say. */
const typeOf = (header = ''): string => header.split(';', 1)[0]!.trim().toLowerCase()

const filesBytes = ({ files }: ReadDocument): number =>
  files.reduce((sum, { bytes }) => sum + bytes.length, 0)

const storedBytes = (document: ReadDocument): number =>
  document.text.state.length + (document.comments?.length ?? 0) + filesBytes(document)

/** What refuses one refuses no other, and is named; it is thrown where none is stored. */
async function storeDocuments(
  dependencies: ApiDependencies,
  context: Context<ApiEnv>,
  documents: readonly ReadDocument[],
): Promise<{ rows: DocumentTableRow[]; losses: string[] }> {
  const rows: DocumentTableRow[] = []
  const titles = new Map<string, string[]>()
  let first: unknown
  for (const document of documents)
    try {
      rows.push(await admitDocument(dependencies, context, document))
    } catch (error) {
      first ??= error
      const sentence = sentenceOf(error, dependencies.log)
      titles.set(sentence, [...(titles.get(sentence) ?? []), document.title || commonStrings.untitled])
    }
  if (rows.length === 0) throw first
  const losses = [...titles].map(([reason, names]) => importStrings.notStored(names, reason))
  return { rows, losses }
}

async function admitDocument(
  dependencies: ApiDependencies,
  context: Context<ApiEnv>,
  document: ReadDocument,
): Promise<DocumentTableRow> {
  const principal = context.get('principal')
  // Whoever has gone away has cancelled it.
  if (context.req.raw.signal.aborted) throw new ImportRefused(importStrings.refused.cut)
  chargeWork(context, apiUnits.copy(document.text.state.length))
  const { rateLimits } = dependencies.access
  const refusal = rateLimits.takeNewDocument(context.env.accessRequest, principal, storedBytes(document))
  if (refusal) throw apiErrorOfRefusal(refusal)
  return storeDocument(dependencies, principal, document)
}

function sentenceOf(error: unknown, log: ApiDependencies['log']): string {
  const known = error instanceof Error ? asApiError(error) : null
  if (known) return known.message
  log.error({ err: error }, 'a document of an import was not stored')
  return apiStrings.server.failed
}

/** Nothing is left of one that cannot be stored whole. */
function storeDocument(
  dependencies: ApiDependencies,
  owner: Principal,
  document: ReadDocument,
): Promise<DocumentTableRow> {
  const { files } = document
  return dependencies.storage.store(owner.id, storedBytes(document), async () => {
    if (files.length > 0) {
      const wanted = { document: '', files: files.length, bytes: filesBytes(document), by: owner.id }
      await requireRoom(dependencies, wanted)
    }
    const complete = (id: string) => storeFiles(dependencies, id, owner, document)
    return createFromState(dependencies, { ...document, owner, complete })
  })
}

async function storeFiles(
  { files: { uploads } }: ApiDependencies,
  document: string,
  { id: uploadedBy }: Principal,
  { files }: ReadDocument,
): Promise<void> {
  for (const { id, name, bytes } of files) {
    await uploads.begin({ document, id, bytes: bytes.length, name, uploadedBy })
    if (bytes.length > 0)
      await uploads.append(
        { document, id },
        { offset: 0, body: Readable.from([Buffer.from(bytes)]), checksum: null },
      )
  }
}
