import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { notFound } from './errors.ts'
import { admitted, answer, type Api, type ApiEnv, type ApiParts, failure, guess } from './routes.ts'
import { trashList, trashQuery, writeTrashCursor } from './schemas.ts'
import { listTrash, purge, restore, type TrashedRow } from './trash.ts'

const path = '/api/trash/{id}'
const params = z.object({ id: z.string() })

const DAY_MS = 24 * 3_600_000

export function addTrashRoutes(api: Api, parts: ApiParts): void {
  addList(api, parts)
  addRestore(api, parts)
  addPurge(api, parts)
}

function addList(api: Api, { access, db, deletedKeptDays }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path: '/api/trash',
    summary: 'My documents that I deleted and can restore, the latest deleted first.',
    middleware: admitted(access),
    request: { query: trashQuery },
    responses: { 200: answer(trashList, 'Those in the trash.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { limit, cursor: after } = context.req.valid('query')
    // One more than is shown says whether there are more.
    const rows = await listTrash(db, context.get('principal'), { limit: limit + 1, after })
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)!
    const next = rows.length > limit ? writeTrashCursor({ deletedAt: last.deleted_at, id: last.id }) : null
    return context.json({ documents: shown.map((row) => toTrashed(row, deletedKeptDays)), next }, 200)
  })
}

function addRestore(api: Api, parts: ApiParts): void {
  const { access, log } = parts
  const route = createRoute({
    method: 'post',
    path: `${path}/restore`,
    summary: 'Restore a document of mine with its text, comments, versions, links and people.',
    middleware: admitted(access),
    request: { params },
    responses: { 204: { description: 'Restored: it is in the list, and its links work.' }, ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await changeOwn(parts, context, id, restore)
    log.info({ document: id, by: context.get('principal').id }, 'document restored from the trash')
    access.changed(id)
    return context.body(null, 204)
  })
}

function addPurge(api: Api, parts: ApiParts): void {
  const { access, log, versions } = parts
  const route = createRoute({
    method: 'delete',
    path,
    summary: 'Delete a document of mine that is in the trash for good.',
    middleware: admitted(access),
    request: { params },
    responses: {
      204: { description: 'Nobody can restore it. It leaves the disk with the next sweep.' },
      ...failure,
    },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await changeOwn(parts, context, id, purge)
    log.info({ document: id, by: context.get('principal').id }, 'document deleted for good')
    await versions.forget(id)
    return context.body(null, 204)
  })
}

/** Who does not own it, or where it is not in the trash, is not told whether there is such a document. */
async function changeOwn(
  { access, db }: ApiParts,
  context: Context<ApiEnv>,
  id: string,
  change: typeof restore,
): Promise<void> {
  const principal = context.get('principal')
  const done = await guess(access, context, principal, async () => (await change(db, principal, id)) || null)
  if (!done) throw notFound()
}

const toTrashed = ({ id, title, deleted_at }: TrashedRow, keptDays: number | null) => ({
  id,
  title,
  deletedAt: new Date(deleted_at).toISOString(),
  purgedAt: keptDays === null ? null : new Date(deleted_at + keptDays * DAY_MS).toISOString(),
})
