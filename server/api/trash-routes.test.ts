import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { type ApiFixture, type ApiCallOptions, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture
const call = (method: string, path: string, options?: ApiCallOptions) => fixture.call(method, path, options)

beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

interface TrashEntry {
  readonly id: string
  readonly title: string
}

const listEntries = async (cookie: string, path: string): Promise<TrashEntry[]> =>
  (await call('GET', path, { cookie })).json['documents'] as unknown as TrashEntry[]

const titles = async (cookie: string, path: string) =>
  (await listEntries(cookie, path)).map(({ title }) => title)

async function createDocument(cookie: string, title: string): Promise<string> {
  return (await call('POST', '/api/documents', { cookie, body: { title } })).json['id']!
}

const moveToTrash = (cookie: string, document: string) =>
  call('DELETE', `/api/documents/${document}`, { cookie })
const restoreDocument = (cookie: string, document: string) =>
  call('POST', `/api/trash/${document}/restore`, { cookie })
const getTrashed = (cookie: string, document: string) => call('GET', `/api/trash/${document}`, { cookie })
const purgeDocument = (cookie: string, document: string) =>
  call('DELETE', `/api/trash/${document}`, { cookie })

/** One person's document in which another may write, with a version and a comment. */
async function createSharedDocument() {
  const [owner, editor, stranger] = await Promise.all([1, 2, 3].map(() => fixture.createPerson()))
  const document = await createDocument(owner!.cookie, 'Budget')
  const { token } = await fixture.access.createShareLink(document, 'editor', owner!.principal)
  await fixture.access.redeemShareLink(editor!.principal, document, token)
  const comment = { document, part: 'comments', update: Uint8Array.of(0, 0) } as const
  await fixture.store.append([
    { ...comment, principal: owner!.principal.id, session: '', number: 1, clients: [] },
  ])
  const version = { cookie: owner!.cookie, body: { name: 'Draft' } }
  expect((await call('POST', `/api/documents/${document}/versions`, version)).status).toBe(201)
  return { document, token, owner: owner!.cookie, editor: editor!.cookie, stranger: stranger!.cookie }
}

describe('the trash', () => {
  test('restores a document with its text, links, people, comments and versions', async () => {
    const { document, token, owner, editor } = await createSharedDocument()
    const path = `/api/documents/${document}`
    const visibleState = async () => [
      (await call('GET', path, { cookie: owner })).json['title'],
      (await call('GET', path, { cookie: editor })).json['role'],
      (await call('GET', path, { token, origin: null })).json['role'],
      (await call('GET', `${path}/links`, { cookie: owner })).json,
      (await call('GET', `${path}/versions`, { cookie: owner })).json,
      (await fixture.loadDocument(document)).getText('title').toJSON(),
      (await fixture.store.load(document, 'comments')).sequence,
    ]
    const before = await visibleState()
    await moveToTrash(owner, document)
    expect(await titles(owner, '/api/trash')).toEqual(['Budget'])
    expect(await titles(owner, '/api/documents')).toEqual([])
    const changedDocuments: string[] = []
    fixture.access.onChanged((id) => changedDocuments.push(id))
    expect((await restoreDocument(owner, document)).status).toBe(204)
    expect(changedDocuments).toEqual([document])
    expect(await visibleState()).toEqual(before)
    expect(await titles(editor, '/api/documents')).toEqual(['Budget'])
    expect(await titles(owner, '/api/trash')).toEqual([])
  })

  test('shows when a document was deleted, and when it will be removed', async () => {
    const { cookie } = await fixture.createPerson()
    const document = await createDocument(cookie, 'Budget')
    await moveToTrash(cookie, document)
    const deletedAt = Date.UTC(2027, 0, 1)
    await fixture.db
      .updateTable('documents')
      .set({ deleted_at: deletedAt })
      .where('id', '=', document)
      .execute()
    const entry = {
      id: document,
      title: 'Budget',
      deletedAt: '2027-01-01T00:00:00.000Z',
      purgedAt: '2027-01-31T00:00:00.000Z',
    }
    expect(await listEntries(cookie, '/api/trash')).toEqual([entry])
    expect((await getTrashed(cookie, document)).json).toEqual(entry)
  })

  test('shows no time of removal if documents stay for good', async () => {
    await using unlimitedFixture = await openApiFixture({ environment: { DELETED_KEPT_DAYS: 'off' } })
    const { cookie, principal } = await unlimitedFixture.createPerson()
    await unlimitedFixture.call(
      'DELETE',
      `/api/documents/${await unlimitedFixture.createDocument(principal)}`,
      { cookie },
    )
    const { json } = await unlimitedFixture.call('GET', '/api/trash', { cookie })
    expect(json['documents']).toMatchObject([{ purgedAt: null }])
  })

  test('a document deleted for good is neither listed nor restored', async () => {
    const { document, owner } = await createSharedDocument()
    await moveToTrash(owner, document)
    expect((await purgeDocument(owner, document)).status).toBe(204)
    expect(await titles(owner, '/api/trash')).toEqual([])
    expect((await getTrashed(owner, document)).status).toBe(404)
    expect((await restoreDocument(owner, document)).status).toBe(404)
    expect((await purgeDocument(owner, document)).status).toBe(404)
  })

  test('[A6] is listed in pages, the latest deleted first, each document once', async () => {
    const { cookie, principal } = await fixture.createPerson()
    for (let n = 0; n < 25; n++) {
      const id = await fixture.createDocument(principal)
      await fixture.db
        .updateTable('documents')
        .set({ deleted_at: 1000 + Math.floor(n / 10), title: String(1000 + Math.floor(n / 10)) })
        .where('id', '=', id)
        .execute()
    }
    const pages: TrashEntry[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor && `&cursor=${cursor}`
      const { json } = await call('GET', `/api/trash?limit=10${after}`, { cookie })
      pages.push(json['documents'] as unknown as TrashEntry[])
      cursor = json['next'] as unknown as string | null
    }
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5])
    const found = pages.flat()
    expect(new Set(found.map(({ id }) => id)).size).toBe(25)
    expect(found.map(({ title }) => title)).toEqual(
      found
        .map(({ title }) => title)
        .toSorted()
        .reverse(),
    )
  })

  test.each(['limit=0', 'limit=201', 'cursor=x', 'cursor=1.'])('[A6] ?%s is refused', async (query) => {
    const { cookie } = await fixture.createPerson()
    expect((await call('GET', `/api/trash?${query}`, { cookie })).status).toBe(400)
  })
})

describe('rights', () => {
  test('[A4] nobody but the owner sees, restores or purges it; others get the answer for a missing one', async () => {
    const { document, token, owner, editor, stranger } = await createSharedDocument()
    await moveToTrash(owner, document)
    const missing = await restoreDocument(stranger, newDocumentId())
    expect(missing.status).toBe(404)
    for (const cookie of [editor, stranger]) {
      expect(await titles(cookie, '/api/trash')).toEqual([])
      for (const request of [getTrashed, restoreDocument, purgeDocument]) {
        const { status, text } = await request(cookie, document)
        expect([status, text]).toEqual([404, missing.text])
      }
    }
    for (const [method, path] of [
      ['POST', `${document}/restore`],
      ['DELETE', document],
      ['GET', document],
    ] as const)
      expect((await call(method, `/api/trash/${path}`, { token, origin: null })).status).toBe(404)
    expect(await titles(owner, '/api/trash')).toEqual(['Budget'])
  })

  test('[A4] a document in the trash is opened, copied, shared, redeemed and found by nobody', async () => {
    const { document, token, owner, editor } = await createSharedDocument()
    await moveToTrash(owner, document)
    for (const cookie of [owner, editor]) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { title: 'x' }],
        ['POST', '/copies', undefined],
        ['POST', '/links', { role: 'viewer' }],
        ['GET', '/links', undefined],
        ['GET', '/versions', undefined],
        ['POST', '/redeem', { token }],
      ] as const)
        expect((await call(method, `/api/documents/${document}${path}`, { cookie, body })).status).toBe(404)
      for (const filter of ['all', 'owned', 'shared'])
        expect(await titles(cookie, `/api/documents?filter=${filter}&query=budget`)).toEqual([])
    }
    expect((await call('GET', '/api/documents', { token, origin: null })).json['documents']).toEqual([])
  })

  test('[A4] a document that is not in the trash is neither restored nor purged', async () => {
    const { document, owner } = await createSharedDocument()
    expect((await getTrashed(owner, document)).status).toBe(404)
    expect((await restoreDocument(owner, document)).status).toBe(404)
    expect((await purgeDocument(owner, document)).status).toBe(404)
    expect(await titles(owner, '/api/documents')).toEqual(['Budget'])
  })

  test('[A6] ids cannot be guessed faster here than elsewhere', async () => {
    await using limitedFixture = await openApiFixture({ environment: { LIMIT_GUESSES: '3/1' } })
    const { cookie } = await limitedFixture.createPerson()
    const statuses: number[] = []
    for (let n = 0; n < 4; n++)
      statuses.push((await limitedFixture.call('DELETE', `/api/trash/${newDocumentId()}`, { cookie })).status)
    expect(statuses).toEqual([404, 404, 404, 429])
  })

  test.each([
    ['GET', '/api/trash'],
    ['POST', '/api/trash/{id}/restore'],
    ['DELETE', '/api/trash/{id}'],
  ])('[A1] %s %s', async (method, path) => {
    const { cookie } = await fixture.createPerson()
    const requestPath = path.replace('{id}', newDocumentId())
    expect((await call(method, requestPath, { cookie, origin: 'https://evil.example' })).status).toBe(403)
    expect((await call(method, requestPath)).status).toBe(401)
  })
})
