import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { type ApiFixture, type Call, openApiFixture } from './fixture.ts'

let fixture: ApiFixture
const call = (method: string, path: string, options?: Call) => fixture.call(method, path, options)

beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

interface Entry {
  readonly id: string
  readonly title: string
}

const entries = async (cookie: string, path: string): Promise<Entry[]> =>
  (await call('GET', path, { cookie })).json['documents'] as unknown as Entry[]

const titles = async (cookie: string, path: string) => (await entries(cookie, path)).map(({ title }) => title)

async function makeDocument(cookie: string, title: string): Promise<string> {
  return (await call('POST', '/api/documents', { cookie, body: { title } })).json['id']!
}

const remove = (cookie: string, document: string) => call('DELETE', `/api/documents/${document}`, { cookie })
const restore = (cookie: string, document: string) =>
  call('POST', `/api/trash/${document}/restore`, { cookie })
const purge = (cookie: string, document: string) => call('DELETE', `/api/trash/${document}`, { cookie })

/** A document of one person in which another may write, with a version and a comment. */
async function shared() {
  const [owner, editor, stranger] = await Promise.all([1, 2, 3].map(() => fixture.person()))
  const document = await makeDocument(owner!.cookie, 'Budget')
  const { token } = await fixture.access.createLink(document, 'editor', owner!.principal)
  await fixture.access.redeem(editor!.principal, document, token)
  const comment = { document, part: 'comments', update: Uint8Array.of(0, 0) } as const
  await fixture.store.append([
    { ...comment, principal: owner!.principal.id, session: '', number: 1, clients: [] },
  ])
  const version = { cookie: owner!.cookie, body: { name: 'Draft' } }
  expect((await call('POST', `/api/documents/${document}/versions`, version)).status).toBe(201)
  return { document, token, owner: owner!.cookie, editor: editor!.cookie, stranger: stranger!.cookie }
}

describe('the trash', () => {
  test('gives back a document with its text, links, people, comments and versions', async () => {
    const { document, token, owner, editor } = await shared()
    const path = `/api/documents/${document}`
    const look = async () => [
      (await call('GET', path, { cookie: owner })).json['title'],
      (await call('GET', path, { cookie: editor })).json['role'],
      (await call('GET', path, { token, origin: null })).json['role'],
      (await call('GET', `${path}/links`, { cookie: owner })).json,
      (await call('GET', `${path}/versions`, { cookie: owner })).json,
      (await fixture.load(document)).getText('title').toJSON(),
      (await fixture.store.load(document, 'comments')).sequence,
    ]
    const before = await look()
    await remove(owner, document)
    expect(await titles(owner, '/api/trash')).toEqual(['Budget'])
    expect(await titles(owner, '/api/documents')).toEqual([])
    const heard: string[] = []
    fixture.access.onChanged((id) => heard.push(id))
    expect((await restore(owner, document)).status).toBe(204)
    expect(heard).toEqual([document])
    expect(await look()).toEqual(before)
    expect(await titles(editor, '/api/documents')).toEqual(['Budget'])
    expect(await titles(owner, '/api/trash')).toEqual([])
  })

  test('says since when a document is in it, and when it leaves', async () => {
    const { cookie } = await fixture.person()
    const document = await makeDocument(cookie, 'Budget')
    await remove(cookie, document)
    const deletedAt = Date.UTC(2027, 0, 1)
    await fixture.db
      .updateTable('documents')
      .set({ deleted_at: deletedAt })
      .where('id', '=', document)
      .execute()
    expect(await entries(cookie, '/api/trash')).toEqual([
      {
        id: document,
        title: 'Budget',
        deletedAt: '2027-01-01T00:00:00.000Z',
        purgedAt: '2027-01-31T00:00:00.000Z',
      },
    ])
  })

  test('where documents stay in it for good, none has a time to leave', async () => {
    await using kept = await openApiFixture({ environment: { DELETED_KEPT_DAYS: 'off' } })
    const { cookie, principal } = await kept.person()
    await kept.call('DELETE', `/api/documents/${await kept.document(principal)}`, { cookie })
    const { json } = await kept.call('GET', '/api/trash', { cookie })
    expect(json['documents']).toMatchObject([{ purgedAt: null }])
  })

  test('deleted for good, a document is neither in it nor restored', async () => {
    const { document, owner } = await shared()
    await remove(owner, document)
    expect((await purge(owner, document)).status).toBe(204)
    expect(await titles(owner, '/api/trash')).toEqual([])
    expect((await restore(owner, document)).status).toBe(404)
    expect((await purge(owner, document)).status).toBe(404)
  })

  test('[A6] comes in pages, the latest deleted first, each document once', async () => {
    const { cookie, principal } = await fixture.person()
    for (let n = 0; n < 25; n++) {
      const id = await fixture.document(principal)
      await fixture.db
        .updateTable('documents')
        .set({ deleted_at: 1000 + Math.floor(n / 10), title: String(1000 + Math.floor(n / 10)) })
        .where('id', '=', id)
        .execute()
    }
    const pages: Entry[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor && `&cursor=${cursor}`
      const { json } = await call('GET', `/api/trash?limit=10${after}`, { cookie })
      pages.push(json['documents'] as unknown as Entry[])
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
    const { cookie } = await fixture.person()
    expect((await call('GET', `/api/trash?${query}`, { cookie })).status).toBe(400)
  })
})

describe('rights', () => {
  test('[A4] nobody but the owner sees, restores or purges it, and is answered as of a missing one', async () => {
    const { document, token, owner, editor, stranger } = await shared()
    await remove(owner, document)
    const missing = await restore(stranger, newDocumentId())
    expect(missing.status).toBe(404)
    for (const cookie of [editor, stranger]) {
      expect(await titles(cookie, '/api/trash')).toEqual([])
      for (const change of [restore, purge]) {
        const { status, text } = await change(cookie, document)
        expect([status, text]).toEqual([404, missing.text])
      }
    }
    for (const [method, path] of [
      ['POST', `${document}/restore`],
      ['DELETE', document],
    ] as const)
      expect((await call(method, `/api/trash/${path}`, { token, origin: null })).status).toBe(404)
    expect(await titles(owner, '/api/trash')).toEqual(['Budget'])
  })

  test('[A4] a document in the trash is opened, copied, shared, redeemed and found by nobody', async () => {
    const { document, token, owner, editor } = await shared()
    await remove(owner, document)
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
    const { document, owner } = await shared()
    expect((await restore(owner, document)).status).toBe(404)
    expect((await purge(owner, document)).status).toBe(404)
    expect(await titles(owner, '/api/documents')).toEqual(['Budget'])
  })

  test('[A6] ids are guessed no faster here than elsewhere', async () => {
    await using limited = await openApiFixture({ environment: { LIMIT_GUESSES: '3/1' } })
    const { cookie } = await limited.person()
    const statuses: number[] = []
    for (let n = 0; n < 4; n++)
      statuses.push((await limited.call('DELETE', `/api/trash/${newDocumentId()}`, { cookie })).status)
    expect(statuses).toEqual([404, 404, 404, 429])
  })

  test.each([
    ['GET', '/api/trash'],
    ['POST', '/api/trash/{id}/restore'],
    ['DELETE', '/api/trash/{id}'],
  ])('[A1] %s %s', async (method, path) => {
    const { cookie } = await fixture.person()
    const asked = path.replace('{id}', newDocumentId())
    expect((await call(method, asked, { cookie, origin: 'https://evil.example' })).status).toBe(403)
    expect((await call(method, asked)).status).toBe(401)
  })
})
