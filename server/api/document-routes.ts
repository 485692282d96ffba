import { createRoute, z } from '@hono/zod-openapi'
import { isDocumentId, newDocumentId } from '../../lib/protocol/ids.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import { type BuiltInTemplateName, builtInTemplateNames } from '../../lib/protocol/built-in-templates.ts'
import type { ReadText } from '../../lib/import/read-markdown.ts'
import { namesStrings } from '../../lib/strings/names.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { isAccessRefusal } from '../access/access.ts'
import { findPrincipalNames } from '../access/principal-names.ts'
import type { Principal, Role } from '../access/principal.ts'
import { apiUnits, PRICES } from '../metering/prices.ts'
import { SearchUnavailable } from '../search/lasting-search-index.ts'
import { readBuiltInTemplate } from './built-in-templates.ts'
import { copyDocument, storedFileBytes, storedTextBytes } from './copy-document.ts'
import {
  cursorOf,
  listDocuments,
  listFilters,
  listSorts,
  placedFilters,
  readCursor,
  searchDocuments,
  writeCursor,
} from './document-list.ts'
import {
  deleteDocumentRow,
  type DocumentTableRow,
  findDocument,
  insertDocument,
  MAX_TITLE_LENGTH,
  setProposers,
} from './document-rows.ts'
import { loadProposalFields } from '../proposals/proposal-fields.ts'
import { ApiError, notFoundError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  apiErrorOfRefusal,
  chargeWork,
  createAdmittedRoute,
  errorResponses,
  jsonContent,
  jsonResponse,
  requireRole,
  takeWork,
} from './api-routing.ts'
import {
  cursorSchema,
  documentSchema,
  folderIdSchema,
  limit,
  next,
  placementFields,
  preview,
  title,
} from './api-schemas.ts'
import { readListPage } from './list-page.ts'
import { findPlacement, placementOf } from './placements.ts'
import { writeBlocks } from './write-blocks.ts'
import { writeTitle } from '../store/write-title.ts'
import { moveToTrash } from './trash.ts'
import { proposalStates } from '../proposals/proposal-rows.ts'

const proposersNames = ['editors', 'viewers'] as const

const placedDocumentSchema = documentSchema.extend(placementFields).openapi('PlacedDocument')

/** What the API says of one document beside what its lists say. */
const wholeDocumentSchema = placedDocumentSchema
  .extend({
    proposals: z
      .enum(proposersNames)
      .openapi({ description: 'Who may propose changes: who may edit it, or all who may read it.' }),
    mayPropose: z.boolean(),
    openProposals: z.int().openapi({ description: 'How many wait for a decision.' }),
    proposal: z
      .object({
        original: z.string(),
        originalTitle: z.string(),
        title: z.string().openapi({ description: 'The proposal’s own.' }),
        state: z.enum(proposalStates),
        base: z.string().openapi({ description: 'The version of this document that it began with.' }),
        isAuthor: z.boolean().openapi({ description: 'Whether it is one’s own.' }),
        mayDecide: z.boolean(),
      })
      .nullable()
      .openapi({ description: 'Null unless this is a proposal to change another document.' }),
  })
  .openapi('WholeDocument')

const MAX_IDS = 50

const idsSchema = z
  .string()
  .max(MAX_IDS * 23)
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= MAX_IDS && ids.every(isDocumentId), {
    error: apiStrings.input.unknownIds(MAX_IDS),
  })
  .openapi({
    type: 'string',
    maxLength: MAX_IDS * 23,
    description: `Only those of these documents, at most ${MAX_IDS}, with commas between.`,
  })

const listQuerySchema = z
  .object({
    query: z.string().max(MAX_TITLE_LENGTH).optional(),
    ids: idsSchema.optional(),
    filter: z.enum([...listFilters, ...placedFilters]).default('all'),
    folder: folderIdSchema.optional().openapi({ description: 'Only those in this folder of mine.' }),
    sort: z.enum(listSorts).default('edited').openapi({
      description:
        'By the last edit or the creation, the latest first; by title, from A to Z; or those I opened, the latest first.',
    }),
    limit,
    cursor: cursorSchema(readCursor).optional(),
  })
  .refine(({ cursor, sort }) => cursor === undefined || cursor.sort === sort, {
    path: ['cursor'],
    error: apiStrings.input.otherSort,
  })

const documentListSchema = z.object({
  documents: z.array(placedDocumentSchema.extend({ preview })),
  next,
})

const newDocumentSchema = z.object({
  title: title.optional(),
  template: z
    .enum(builtInTemplateNames)
    .optional()
    .openapi({ description: 'What it begins with; without one it is empty.' }),
})

const copySchema = z.object({
  title: title.optional().openapi({ description: 'By default “Copy of …”.' }),
})

const documentChangeSchema = z
  .object({ title: title.optional(), proposals: z.enum(proposersNames).optional() })
  .refine(({ title: newTitle, proposals }) => newTitle !== undefined || proposals !== undefined, {
    error: apiStrings.input.noChange,
  })

const path = '/api/documents/{id}'
const params = z.object({ id: z.string() })

/** One with a title, or of a template. */
const NEW_DOCUMENT_BYTES = 4_000

export function addDocumentRoutes(api: Api, dependencies: ApiDependencies): void {
  addCreateRoute(api, dependencies)
  addListRoute(api, dependencies)
  addGetRoute(api, dependencies)
  addChangeRoute(api, dependencies)
  addDeleteRoute(api, dependencies)
  addCopyRoute(api, dependencies)
}

function addCreateRoute(api: Api, dependencies: ApiDependencies): void {
  const route = createRoute({
    method: 'post',
    path: '/api/documents',
    summary: 'Make a document. Without a session cookie, this makes a guest as well.',
    request: { body: { content: jsonContent(newDocumentSchema) } },
    responses: { 201: jsonResponse(documentSchema, 'Made.'), ...errorResponses },
  })
  api.openapi(route, async (context) => {
    const { title, template } = context.req.valid('json')
    const admission = await dependencies.access.admitOrCreateGuest(context.env.accessRequest)
    if (isAccessRefusal(admission)) throw apiErrorOfRefusal(admission)
    takeWork(context, PRICES.request + apiUnits.serverEdit, admission.principal)
    const refusal = dependencies.access.rateLimits.takeNewDocument(
      context.env.accessRequest,
      admission.principal,
    )
    if (refusal) throw apiErrorOfRefusal(refusal)
    const row = await dependencies.storage.store(admission.principal.id, NEW_DOCUMENT_BYTES, () =>
      createDocument(dependencies, admission.principal, textOfNew(title, template)),
    )
    for (const cookie of admission.setCookies) context.header('Set-Cookie', cookie, { append: true })
    return context.json(await loadDocumentBody(dependencies.db, row, 'owner'), 201)
  })
}

/** With a first paragraph, windows that start at the same moment write into one line instead of each creating one. */
const emptyText: ReadText = { title: '', blocks: [{ type: 'paragraph' }] }

function textOfNew(title: string | undefined, template: BuiltInTemplateName | undefined): ReadText {
  const text = template ? readBuiltInTemplate(template) : emptyText
  return { ...text, title: title ?? text.title }
}

async function createDocument(
  { db, rooms }: ApiDependencies,
  owner: Principal,
  { title, blocks }: ReadText,
): Promise<DocumentTableRow> {
  const row = await insertDocument(db, newDocumentId(), owner, title)
  try {
    await rooms.edit(row.id, 'body', owner, (doc) => {
      writeTitle(doc, title)
      writeBlocks(doc.getXmlFragment('default'), blocks)
    })
  } catch (error) {
    await deleteDocumentRow(db, row.id)
    throw error
  }
  return row
}

function addListRoute(api: Api, { access, db, log, search, welcome }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/documents',
    summary: 'My documents and those I was let into by a link, but none that is in the trash.',
    request: { query: listQuerySchema },
    responses: {
      200: jsonResponse(documentListSchema, 'Those whose title contains `query`, in any case.'),
    },
  })
  api.openapi(route, async (context) => {
    const principal = context.get('principal')
    const { query = '', limit, cursor: after, ...chosen } = context.req.valid('query')
    await welcome.ensureWelcomeDocument(principal)
    const readRows = (rows: number) => {
      const page = { ...chosen, limit: rows, after }
      return query === ''
        ? listDocuments(db, principal, page)
        : searchDocuments(db, principal, query, page, (read) => chargeWork(context, apiUnits.rows(read)))
    }
    const { shown, next } = await readListPage(limit, readRows, (last) =>
      writeCursor(cursorOf(last, chosen.sort)),
    )
    chargeWork(context, apiUnits.rows(shown.length))
    const names = await findPrincipalNames(db, [...new Set(shown.map(({ owner }) => owner))])
    const previews = await search.previewsOf(shown.map(({ id }) => id)).catch((err: unknown) => {
      if (!(err instanceof SearchUnavailable)) log.error({ err }, 'a list is shown without previews')
      return new Map<string, string>()
    })
    const documents = shown.map((row) => ({
      ...toDocumentBody(names, row, row.role),
      ...placementOf(row),
      preview: previews.get(row.id) ?? '',
    }))
    return context.json({ documents, next }, 200)
  })
}

function addGetRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'get',
    path,
    summary: 'One document.',
    request: { params },
    responses: {
      200: jsonResponse(wholeDocumentSchema, 'The document, without its text.'),
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const role = await requireRole(access, context, id, 'read')
    const row = await findDocument(db, id)
    if (!row) throw notFoundError()
    return context.json(await loadWholeBody(dependencies, row, role, context.get('principal')), 200)
  })
}

function addChangeRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db, rooms } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'patch',
    path,
    summary:
      'Rename a document, which needs the role editor or owner, or say who may propose changes to it, which needs the role owner.',
    request: { params, body: { content: jsonContent(documentChangeSchema), required: true } },
    responses: {
      200: jsonResponse(wholeDocumentSchema, 'Changed: committed, and seen in every window.'),
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { title, proposals } = context.req.valid('json')
    const principal = context.get('principal')
    const role = await requireRole(access, context, id, proposals === undefined ? 'write' : 'share')
    takeWork(context, apiUnits.serverEdit)
    if (proposals !== undefined) takeWork(context, apiUnits.recheck(rooms.countMembers(id)))
    if (title !== undefined) await rooms.edit(id, 'body', principal, (doc) => writeTitle(doc, title))
    if (proposals !== undefined) {
      await setProposers(db, id, proposals)
      access.notifyChanged(id)
    }
    const row = await findDocument(db, id)
    if (!row) throw notFoundError()
    const body = await loadWholeBody(dependencies, row, role, principal)
    return context.json({ ...body, title: title ?? body.title }, 200)
  })
}

function addDeleteRoute(api: Api, { access, db, rooms, log }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'delete',
    path,
    summary:
      'Move a document to the trash: nobody can open it. Needs the role owner, who alone can restore it.',
    request: { params },
    responses: { 204: { description: 'In the trash.' } },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await requireRole(access, context, id, 'delete')
    await moveToTrash(db, id)
    log.info({ document: id, by: context.get('principal').id }, 'document moved to the trash')
    access.notifyChanged(id)
    rooms.evict(id, { code: 'forbidden', detail: serverRefusalsStrings.room.deleted })
    return context.body(null, 204)
  })
}

function addCopyRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db, storage, log } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: `${path}/copies`,
    summary:
      'Make a document of my own with the same text and files, without comments and versions. Needs any role.',
    request: { params, body: { content: jsonContent(copySchema) } },
    responses: { 201: jsonResponse(documentSchema, 'Made.') },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const principal = context.get('principal')
    await requireRole(access, context, id, 'read')
    if (principal.token !== undefined) throw new ApiError('forbidden', apiStrings.document.noneByToken)
    const source = await findDocument(db, id)
    if (!source) throw notFoundError()
    const bytes = await storedTextBytes(db, id)
    takeWork(context, apiUnits.copy(bytes))
    const refusal = access.rateLimits.takeNewDocument(context.env.accessRequest, principal, bytes)
    if (refusal) throw apiErrorOfRefusal(refusal)
    const allBytes = bytes + (await storedFileBytes(db, id))
    const { title } = context.req.valid('json')
    const copy = () => copyDocument(dependencies, source, principal, title)
    const row = await storage.store(principal.id, allBytes, copy)
    log.info({ document: id, copy: row.id, by: principal.id }, 'document copied')
    return context.json(await loadDocumentBody(db, row, 'owner'), 201)
  })
}

export const loadDocumentBody = async (db: ApiDependencies['db'], row: DocumentTableRow, role: Role) =>
  toDocumentBody(await findPrincipalNames(db, [row.owner]), row, role)

async function loadWholeBody(
  { access, db }: ApiDependencies,
  row: DocumentTableRow,
  role: Role,
  principal: Principal,
) {
  const roleIn = (document: string) => access.roleOf(principal, document)
  const [body, placement, fields] = await Promise.all([
    loadDocumentBody(db, row, role),
    findPlacement(db, principal, row.id),
    loadProposalFields(db, row, principal, roleIn),
  ])
  return { ...body, ...placement, ...fields }
}

const toDocumentBody = (
  names: ReadonlyMap<string, string>,
  { id, title, owner, created_at, updated_at }: DocumentTableRow,
  role: Role,
) => ({
  id,
  title,
  role,
  owner: { id: owner, name: names.get(owner) ?? namesStrings.somebody },
  createdAt: new Date(created_at).toISOString(),
  updatedAt: new Date(updated_at).toISOString(),
})
