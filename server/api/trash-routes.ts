import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { notFoundError } from './api-errors.ts'
import {
  type Api,
  type ApiDependencies,
  type ApiEnv,
  createAdmittedRoute,
  jsonResponse,
  lookUpSecret,
} from './api-routing.ts'
import { cursorSchema, limit, next } from './api-schemas.ts'
import { readListPage } from './list-page.ts'
import {
  findTrashed,
  listTrash,
  purgeFromTrash,
  restoreFromTrash,
  type TrashCursor,
  type TrashedRow,
} from './trash.ts'

const trashedDocumentSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    deletedAt: z.iso.datetime(),
    purgedAt: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When it is deleted for good; null where that is never done by itself.' }),
  })
  .openapi('TrashedDocument')

function readTrashCursor(text: string): TrashCursor | null {
  const [, deletedAt, id] = /^(\d{1,15})\.([\w-]+)$/.exec(text) ?? []
  return id === undefined ? null : { deletedAt: Number(deletedAt), id }
}

const writeTrashCursor = ({ deletedAt, id }: TrashCursor): string => `${deletedAt}.${id}`

const trashQuerySchema = z.object({ limit, cursor: cursorSchema(readTrashCursor).optional() })

const trashListSchema = z.object({ documents: z.array(trashedDocumentSchema), next })

const path = '/api/trash/{id}'
const params = z.object({ id: z.string() })

const DAY_MS = 24 * 3_600_000

export function addTrashRoutes(api: Api, dependencies: ApiDependencies): void {
  addListRoute(api, dependencies)
  addGetRoute(api, dependencies)
  addRestoreRoute(api, dependencies)
  addPurgeRoute(api, dependencies)
}

function addListRoute(api: Api, { access, db, deletedKeptDays }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path: '/api/trash',
    summary: 'My documents that I deleted and can restore, the latest deleted first.',
    request: { query: trashQuerySchema },
    responses: { 200: jsonResponse(trashListSchema, 'Those in the trash.') },
  })
  api.openapi(route, async (context) => {
    const { limit, cursor: after } = context.req.valid('query')
    const { shown, next } = await readListPage(
      limit,
      (rows) => listTrash(db, context.get('principal'), { limit: rows, after }),
      ({ deleted_at: deletedAt, id }) => writeTrashCursor({ deletedAt, id }),
    )
    return context.json({ documents: shown.map((row) => trashedBody(row, deletedKeptDays)), next }, 200)
  })
}

function addGetRoute(api: Api, { access, db, deletedKeptDays }: ApiDependencies): void {
  const route = createAdmittedRoute(access, {
    method: 'get',
    path,
    summary: 'A document of mine that is in the trash.',
    request: { params },
    responses: { 200: jsonResponse(trashedDocumentSchema, 'It can be restored.') },
  })
  api.openapi(route, async (context) => {
    const row = await findTrashed(db, context.get('principal'), context.req.valid('param').id)
    // Nobody else's id is looked up, so nothing can be guessed here.
    if (!row) throw notFoundError()
    return context.json(trashedBody(row, deletedKeptDays), 200)
  })
}

function addRestoreRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, log } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: `${path}/restore`,
    summary: 'Restore a document of mine with its text, comments, versions, links and people.',
    request: { params },
    responses: {
      204: { description: 'Restored: it is in the list, and its links work.' },
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await changeOwnTrashed(dependencies, context, id, restoreFromTrash)
    log.info({ document: id, by: context.get('principal').id }, 'document restored from the trash')
    access.notifyChanged(id)
    return context.body(null, 204)
  })
}

function addPurgeRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, log, versions } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'delete',
    path,
    summary: 'Delete a document of mine that is in the trash for good.',
    request: { params },
    responses: {
      204: { description: 'Nobody can restore it. It leaves the disk with the next sweep.' },
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await changeOwnTrashed(dependencies, context, id, purgeFromTrash)
    log.info({ document: id, by: context.get('principal').id }, 'document deleted for good')
    await versions.forgetDocument(id)
    return context.body(null, 204)
  })
}

/** Changes a document in the owner's trash. Another caller does not learn whether the document exists. */
async function changeOwnTrashed(
  { access, db }: ApiDependencies,
  context: Context<ApiEnv>,
  id: string,
  change: typeof restoreFromTrash,
): Promise<void> {
  const principal = context.get('principal')
  const isChanged = await lookUpSecret(
    access,
    context,
    principal,
    async () => (await change(db, principal, id)) || null,
  )
  if (!isChanged) throw notFoundError()
}

const trashedBody = ({ id, title, deleted_at }: TrashedRow, keptDays: number | null) => ({
  id,
  title,
  deletedAt: new Date(deleted_at).toISOString(),
  purgedAt: keptDays === null ? null : new Date(deleted_at + keptDays * DAY_MS).toISOString(),
})
