import { createRoute, z } from '@hono/zod-openapi'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { strings } from '../../lib/strings/api.ts'
import { strings as nameStrings } from '../../lib/strings/names.ts'
import { strings as serverRefusals } from '../../lib/strings/server-refusals.ts'
import { isRefusal } from '../access/access.ts'
import { namesOf } from '../access/people.ts'
import type { Principal, Role } from '../access/principal.ts'
import { copyDocument, storedBytes } from './copy-document.ts'
import { cursorOf, listDocuments, searchDocuments, writeCursor } from './document-list.ts'
import { type DocumentRow, findDocument, forgetDocument, insertDocument } from './documents.ts'
import { ApiError, notFound } from './errors.ts'
import { admitted, answer, type Api, type ApiParts, failure, json, refused, roleWith } from './routes.ts'
import { document, documentChange, documentList, listQuery, newDocument } from './schemas.ts'
import { writeBlocks } from './rich-text.ts'
import { writeTitle } from './title.ts'
import { moveToTrash } from './trash.ts'

const path = '/api/documents/{id}'
const params = z.object({ id: z.string() })

export function addDocumentRoutes(api: Api, parts: ApiParts): void {
  addCreate(api, parts)
  addList(api, parts)
  addGet(api, parts)
  addRename(api, parts)
  addDelete(api, parts)
  addCopy(api, parts)
}

function addCreate(api: Api, parts: ApiParts): void {
  const route = createRoute({
    method: 'post',
    path: '/api/documents',
    summary: 'Make a document. Without a session cookie, this makes a guest as well.',
    request: { body: { content: json(newDocument) } },
    responses: { 201: answer(document, 'Made.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { title = '' } = context.req.valid('json')
    const who = await parts.access.admitOrGreet(context.env.door)
    if (isRefusal(who)) throw refused(who)
    const refusal = parts.access.arrivals.newDocument(context.env.door, who.principal)
    if (refusal) throw refused(refusal)
    const row = await createDocument(parts, who.principal, title)
    for (const cookie of who.setCookies) context.header('Set-Cookie', cookie, { append: true })
    return context.json(await toDocument(parts.db, row, 'owner'), 201)
  })
}

async function createDocument(
  { db, rooms }: ApiParts,
  owner: Principal,
  title: string,
): Promise<DocumentRow> {
  const row = await insertDocument(db, newDocumentId(), owner, title)
  try {
    await rooms.edit(row.id, 'body', owner, (doc) => {
      writeTitle(doc, title)
      // Windows that begin at the same moment then write into one line, instead of making one each.
      writeBlocks(doc.getXmlFragment('default'), [{ kind: 'paragraph', text: [] }])
    })
  } catch (error) {
    await forgetDocument(db, row.id)
    throw error
  }
  return row
}

function addList(api: Api, { access, db, welcome }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path: '/api/documents',
    summary: 'My documents and those I was let into by a link, but none that is in the trash.',
    middleware: admitted(access),
    request: { query: listQuery },
    responses: { 200: answer(documentList, 'Those whose title contains `query`, in any case.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const principal = context.get('principal')
    const { query = '', filter, sort, limit, cursor: after } = context.req.valid('query')
    await welcome.greetOnce(principal)
    // One more than is shown says whether there are more.
    const page = { filter, sort, limit: limit + 1, after }
    const rows = await (query === ''
      ? listDocuments(db, principal, page)
      : searchDocuments(db, principal, query, page))
    const shown = rows.slice(0, limit)
    const next = rows.length > limit ? writeCursor(cursorOf(shown.at(-1)!, sort)) : null
    const names = await namesOf(db, [...new Set(shown.map(({ owner }) => owner))])
    return context.json({ documents: shown.map((row) => withOwner(names, row, row.role)), next }, 200)
  })
}

function addGet(api: Api, { access, db }: ApiParts): void {
  const route = createRoute({
    method: 'get',
    path,
    summary: 'One document.',
    middleware: admitted(access),
    request: { params },
    responses: { 200: answer(document, 'The document, without its text.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const role = await roleWith(access, context, id, 'read')
    const row = await findDocument(db, id)
    if (!row) throw notFound()
    return context.json(await toDocument(db, row, role), 200)
  })
}

function addRename(api: Api, { access, db, rooms }: ApiParts): void {
  const route = createRoute({
    method: 'patch',
    path,
    summary: 'Rename a document. Needs the role editor or owner.',
    middleware: admitted(access),
    request: { params, body: { content: json(documentChange), required: true } },
    responses: { 200: answer(document, 'Renamed: committed, and seen in every window.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const { title } = context.req.valid('json')
    const role = await roleWith(access, context, id, 'write')
    await rooms.edit(id, 'body', context.get('principal'), (doc) => writeTitle(doc, title))
    const row = await findDocument(db, id)
    if (!row) throw notFound()
    return context.json({ ...(await toDocument(db, row, role)), title }, 200)
  })
}

function addDelete(api: Api, { access, db, rooms, log }: ApiParts): void {
  const route = createRoute({
    method: 'delete',
    path,
    summary:
      'Move a document to the trash: nobody can open it. Needs the role owner, who alone can restore it.',
    middleware: admitted(access),
    request: { params },
    responses: { 204: { description: 'In the trash.' }, ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    await roleWith(access, context, id, 'delete')
    await moveToTrash(db, id)
    log.info({ document: id, by: context.get('principal').id }, 'document moved to the trash')
    access.changed(id)
    rooms.evict(id, { code: 'forbidden', detail: serverRefusals.room.deleted })
    return context.body(null, 204)
  })
}

function addCopy(api: Api, parts: ApiParts): void {
  const { access, db, log } = parts
  const route = createRoute({
    method: 'post',
    path: `${path}/copies`,
    summary: 'Make a document of my own with the same text, without comments and versions. Needs any role.',
    middleware: admitted(access),
    request: { params },
    responses: { 201: answer(document, 'Made.'), ...failure },
  })
  api.openapi(route, async (context) => {
    const { id } = context.req.valid('param')
    const principal = context.get('principal')
    await roleWith(access, context, id, 'read')
    if (principal.token !== undefined) throw new ApiError('forbidden', strings.document.noneByToken)
    const source = await findDocument(db, id)
    if (!source) throw notFound()
    const refusal = access.arrivals.newDocument(context.env.door, principal, await storedBytes(db, id))
    if (refusal) throw refused(refusal)
    const row = await copyDocument(parts, source, principal)
    log.info({ document: id, copy: row.id, by: principal.id }, 'document copied')
    return context.json(await toDocument(db, row, 'owner'), 201)
  })
}

const toDocument = async (db: ApiParts['db'], row: DocumentRow, role: Role) =>
  withOwner(await namesOf(db, [row.owner]), row, role)

const withOwner = (
  names: ReadonlyMap<string, string>,
  { id, title, owner, created_at, updated_at }: DocumentRow,
  role: Role,
) => ({
  id,
  title,
  role,
  owner: { id: owner, name: names.get(owner) ?? nameStrings.somebody },
  createdAt: new Date(created_at).toISOString(),
  updatedAt: new Date(updated_at).toISOString(),
})
