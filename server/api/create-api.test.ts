import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDocumentId, newDocumentId } from '../../lib/protocol/ids.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import { StoreError } from '../store/store.ts'
import { type ApiFixture, type ApiCallOptions, openApiFixture } from './fixtures/api-fixture.ts'
import { DocumentsByApi } from './fixtures/documents-by-api.ts'

let fixture: ApiFixture
let documents: DocumentsByApi
const call = (method: string, path: string, options?: ApiCallOptions) => fixture.call(method, path, options)

beforeAll(async () => {
  fixture = await openApiFixture()
  documents = new DocumentsByApi(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

describe('documents', () => {
  test('POST without a cookie creates a guest, who owns the document and stays signed in', async () => {
    const created = await call('POST', '/api/documents', { body: { title: 'First' } })
    expect(created.status).toBe(201)
    expect(created.json).toEqual({
      id: expect.any(String),
      title: 'First',
      role: 'owner',
      owner: { id: expect.stringMatching(/^user:/), name: expect.any(String) },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updatedAt: expect.any(String),
    })
    expect(isDocumentId(created.json['id']!)).toBe(true)
    expect(created.headers.get('cache-control')).toBe('no-store')
    const [setCookie] = created.headers.getSetCookie()
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Lax/)
    const cookie = setCookie!.split(';')[0]!
    expect(await documents.listTitles(cookie)).toEqual(['First'])
    const again = await call('POST', '/api/documents', { cookie })
    expect([again.status, again.json['title'], again.headers.getSetCookie()]).toEqual([201, '', []])
    expect(await documents.listTitles(cookie)).toHaveLength(2)
  })

  test('a program’s first POST needs no Origin', async () => {
    const created = await call('POST', '/api/documents', { origin: null })
    expect([created.status, created.headers.getSetCookie().length]).toEqual([201, 1])
  })

  test('the title is in the text, too', async () => {
    const { cookie } = await fixture.createPerson()
    const id = await documents.create(cookie, 'In both')
    expect((await fixture.loadDocument(id)).getText('title').toJSON()).toBe('In both')
    const renamed = await call('PATCH', `/api/documents/${id}`, { cookie, body: { title: 'Anew' } })
    expect([renamed.status, renamed.json['title']]).toEqual([200, 'Anew'])
    expect((await fixture.loadDocument(id)).getText('title').toJSON()).toBe('Anew')
    expect((await call('GET', `/api/documents/${id}`, { cookie })).json).toMatchObject(renamed.json)
  })

  test('a share link’s principal sees that document alone', async () => {
    const { document, owner } = await documents.createWithPeople()
    const { token } = await documents.createShareLink(owner, document, 'viewer')
    await documents.create(owner, 'Private')
    const { json } = await call('GET', '/api/documents', { origin: null, token })
    expect(json['documents']).toMatchObject([{ id: document, role: 'viewer' }])
    expect((await call('GET', `/api/documents/${document}`, { origin: null, token })).status).toBe(200)
  })

  test('a document in the trash is gone for everybody, and open windows are notified', async () => {
    const { document, owner, editor } = await documents.createWithPeople()
    const changedDocuments: string[] = []
    fixture.access.onChanged((id) => changedDocuments.push(id))
    expect((await call('DELETE', `/api/documents/${document}`, { cookie: owner })).status).toBe(204)
    expect(changedDocuments).toEqual([document])
    expect(fixture.evicted).toContainEqual({
      document,
      reason: expect.objectContaining({ code: 'forbidden' }),
    })
    for (const cookie of [owner, editor]) {
      expect((await call('GET', `/api/documents/${document}`, { cookie })).status).toBe(404)
      expect(await documents.listTitles(cookie)).toEqual([])
    }
    expect((await call('DELETE', `/api/documents/${document}`, { cookie: owner })).status).toBe(404)
  })

  test('a document whose title cannot be written does not exist', async () => {
    const { cookie } = await fixture.createPerson()
    fixture.failRoomsWith(new RoomRefusal({ code: 'overloaded' }))
    const { status, json } = await call('POST', '/api/documents', { cookie, body: { title: 'Never' } })
    fixture.failRoomsWith(null)
    expect([status, json['error']]).toMatchObject([503, { code: 'unavailable' }])
    expect(await documents.listTitles(cookie)).toEqual([])
  })
})

describe('links', () => {
  test('the url has the token in its fragment, and the owner can see it again', async () => {
    const { cookie } = await fixture.createPerson()
    const document = await documents.create(cookie)
    const { status, json } = await call('POST', `/api/documents/${document}/links`, {
      cookie,
      body: { role: 'viewer' },
    })
    const token = json['token']!
    expect([status, json]).toEqual([
      201,
      { id: expect.any(String), role: 'viewer', token, url: `/d/${document}#token=${String(token)}` },
    ])
    const listed = await call('GET', `/api/documents/${document}/links`, { cookie })
    expect(listed.json).toEqual({
      links: [
        {
          id: json['id'],
          role: 'viewer',
          createdAt: expect.any(String),
          url: json['url'],
          open: true,
          people: 0,
        },
      ],
    })
    const other = await documents.createShareLink(cookie, document, 'editor')
    const both = await call('GET', `/api/documents/${document}/links`, { cookie })
    expect(both.json['links']).toMatchObject([
      { id: json['id'], url: json['url'] },
      { id: other.id, url: `/d/${document}#token=${other.token}` },
    ])
  })

  test('the database has no token, and one that does not derive from the secret is not shown', async () => {
    const { cookie } = await fixture.createPerson()
    const document = await documents.create(cookie)
    const { id, token } = await documents.createShareLink(cookie, document, 'viewer')
    const rows = await fixture.db.selectFrom('links').selectAll().where('id', '=', id).execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    await fixture.db.updateTable('links').set({ token_hash: 'another' }).where('id', '=', id).execute()
    const listed = await call('GET', `/api/documents/${document}/links`, { cookie })
    expect(listed.json).toMatchObject({ links: [{ id, role: 'viewer', url: null }] })
    expect(listed.text).not.toContain(token)
  })

  test('whoever came by an edit link can pass it on while it is valid, and learns of no other', async () => {
    const { cookie: owner } = await fixture.createPerson()
    const { cookie: other } = await fixture.createPerson()
    const document = await documents.create(owner)
    const { id, token } = await documents.createShareLink(owner, document, 'editor')
    await documents.createShareLink(owner, document, 'editor')
    const viewer = await documents.createShareLink(owner, document, 'viewer')
    await documents.redeem(other, document, viewer.token)
    const find = (cookie: string) => call('GET', `/api/documents/${document}/redeemed-link`, { cookie })
    expect((await find(other)).status).toBe(403)
    await documents.redeem(other, document, token)
    expect((await find(other)).json).toEqual({ url: `/d/${document}#token=${token}` })
    expect((await find(owner)).json).toEqual({ url: null })
    await call('DELETE', `/api/documents/${document}/links/${id}`, { cookie: owner })
    expect((await find(other)).status).toBe(403)
  })

  test('[A4] after revocation the role is gone at the next request', async () => {
    const { cookie: owner } = await fixture.createPerson()
    const { cookie: other } = await fixture.createPerson()
    const document = await documents.create(owner)
    const { id, token } = await documents.createShareLink(owner, document, 'editor')
    await documents.redeem(other, document, token)
    expect((await call('GET', `/api/documents/${document}`, { cookie: other })).status).toBe(200)
    const revoke = () => call('DELETE', `/api/documents/${document}/links/${id}`, { cookie: owner })
    expect((await revoke()).status).toBe(204)
    expect((await call('GET', `/api/documents/${document}`, { cookie: other })).status).toBe(404)
    expect(await documents.listTitles(other)).toEqual([])
    expect((await call('GET', `/api/documents/${document}`, { origin: null, token })).status).toBe(401)
    expect((await revoke()).status).toBe(404)
    expect((await call('GET', `/api/documents/${document}/links`, { cookie: owner })).json).toEqual({
      links: [],
    })
  })
})

describe('limits', () => {
  test('[A6] a document has at most 200 links, and revoked ones do not pile up', async () => {
    const { cookie } = await fixture.createPerson()
    const document = await documents.create(cookie)
    for (let n = 0; n < 150; n++) {
      const { id } = await documents.createShareLink(cookie, document, 'viewer')
      await call('DELETE', `/api/documents/${document}/links/${id}`, { cookie })
    }
    for (let n = 0; n < 200; n++) await documents.createShareLink(cookie, document, 'viewer')
    const more = await call('POST', `/api/documents/${document}/links`, { cookie, body: { role: 'viewer' } })
    expect([more.status, more.json['error']]).toMatchObject([409, { code: 'full' }])
    const rows = await fixture.db.selectFrom('links').select('id').where('document', '=', document).execute()
    expect(rows).toHaveLength(300)
  })
})

/** Every route of a document, with the right it needs. */
const routes = [
  ['GET', '', undefined, 'read'],
  ['PATCH', '', { title: 'x' }, 'write'],
  ['POST', '/copies', undefined, 'read'],
  ['POST', '/links', { role: 'viewer' }, 'share'],
  ['GET', '/links', undefined, 'share'],
  ['PATCH', '/links/nothing', { open: false }, 'share'],
  ['DELETE', '/links/nothing', undefined, 'share'],
  ['GET', '/access', undefined, 'share'],
  ['DELETE', '/access/nobody', undefined, 'share'],
  ['GET', '/redeemed-link', undefined, 'write'],
  ['DELETE', '', undefined, 'delete'],
] as const

describe('rights', () => {
  test.each(routes)('[A4] %s …%s needs %3$s', async (method, path, body, right) => {
    const { document, ...people } = await documents.createWithPeople()
    const request = (cookie: string) => call(method, `/api/documents/${document}${path}`, { cookie, body })
    const viewerResponse = await request(people.viewer)
    const done = method === 'POST' ? 201 : 200
    expect(viewerResponse.status).toBe(right === 'read' ? done : 403)
    expect((await request(people.editor)).status).toBe(right === 'read' || right === 'write' ? done : 403)
    const namesNothing = /\/(nothing|nobody)$/.test(path)
    expect((await request(people.owner)).status).toBeLessThan(namesNothing ? 405 : 300)
    if (right !== 'read') expect(viewerResponse.json['error']).toMatchObject({ code: 'forbidden' })
  })

  test.each([...routes, ['POST', '/redeem', { token: newDocumentId() }, 'read'] as const])(
    '%s …%s answers missing, malformed, deleted and forbidden byte for byte alike',
    async (method, path, body) => {
      const { document, stranger, owner } = await documents.createWithPeople()
      const deleted = await documents.create(owner)
      await call('DELETE', `/api/documents/${deleted}`, { cookie: owner })
      const answers = await Promise.all(
        [document, newDocumentId(), 'not-an-id', deleted, encodeURIComponent('../..')].map(async (id) => {
          const { status, text, headers } = await call(method, `/api/documents/${id}${path}`, {
            cookie: stranger,
            body,
          })
          return { status, text, headers: [...headers] }
        }),
      )
      for (const answer of answers) expect(answer).toEqual(answers[0])
      expect(answers[0]!.status).toBe(404)
    },
  )

  test('a token of another document redeems nothing', async () => {
    const { owner, document, stranger } = await documents.createWithPeople()
    const { token } = await documents.createShareLink(owner, await documents.create(owner), 'editor')
    const answer = await documents.redeem(stranger, document, token)
    expect(answer.status).toBe(404)
  })
})

describe('admission', () => {
  const endpoints = [
    ['POST', '/api/documents'],
    ['GET', '/api/documents'],
    ['GET', '/api/me'],
    ['PATCH', '/api/me'],
    ...routes.map(([method, path]) => [method, `/api/documents/{id}${path}`] as const),
    ['POST', '/api/documents/{id}/redeem'],
  ] as const

  test.each(endpoints)('[A1] %s %s', async (method, path) => {
    const { cookie } = await fixture.createPerson()
    const document = await documents.create(cookie)
    const { token } = await documents.createShareLink(cookie, document, 'viewer')
    const body =
      method === 'GET' || method === 'DELETE' ? undefined : { title: 'x', role: 'viewer', token: 'x' }
    const request = async (options: ApiCallOptions) => {
      const { status, json } = await call(method, path.replace('{id}', document), { ...options, body })
      return [status, (json['error'] as { code?: string } | undefined)?.code]
    }
    const refused = [403, 'origin']
    expect(await request({ cookie, origin: 'https://evil.example' })).toEqual(refused)
    expect(await request({ cookie, origin: 'null' })).toEqual(refused)
    expect(await request({ cookie, origin: null })).toEqual(refused)
    expect(await request({ cookie, token, origin: null })).toEqual(refused)
    expect(await request({ token, origin: 'https://evil.example' })).toEqual(refused)
    const createsGuests = method === 'POST' && path === '/api/documents'
    expect(await request({})).toEqual(createsGuests ? [201, undefined] : [401, 'sign-in'])
    expect(await request({ origin: null })).toEqual(createsGuests ? [201, undefined] : refused)
    expect(['origin', 'sign-in']).not.toContain((await request({ cookie }))[1])
  })

  test('me is the person of the cookie', async () => {
    const { principal, cookie } = await fixture.createPerson()
    const { id, name } = principal
    expect((await call('GET', '/api/me', { cookie })).json).toMatchObject({ id, name })
  })
})

describe('bad input', () => {
  const largeBody = JSON.stringify({ title: 'x'.repeat(70_000) })
  test.each<[string, string, string, ApiCallOptions, number, string, RegExp]>([
    [
      'a title that is a number',
      'POST',
      '/api/documents',
      { body: { title: 7 } },
      400,
      'bad-request',
      /title: .*string.*given 7/,
    ],
    [
      'a title too long',
      'POST',
      '/api/documents',
      { body: { title: 'x'.repeat(301) } },
      400,
      'bad-request',
      /title: .*300/,
    ],
    [
      'a body that is not an object',
      'POST',
      '/api/documents',
      { body: [1] },
      400,
      'bad-request',
      /body: .*object.*given \[1\]/,
    ],
    [
      'a body that is not JSON',
      'POST',
      '/api/documents',
      { rawBody: '{"title":' },
      400,
      'bad-request',
      /JSON/,
    ],
    [
      'another type',
      'POST',
      '/api/documents',
      { rawBody: 'title=x', contentType: 'text/plain' },
      415,
      'unsupported-type',
      /application\/json/,
    ],
    ['too much', 'POST', '/api/documents', { rawBody: largeBody }, 413, 'too-large', /65536 bytes/],
    [
      'no title',
      'PATCH',
      '/api/documents/{id}',
      { body: {} },
      400,
      'bad-request',
      /body: Nothing to change, given/,
    ],
    ['no body', 'PATCH', '/api/documents/{id}', {}, 400, 'bad-request', /body: Nothing to change, given/],
    [
      'an unknown role',
      'POST',
      '/api/documents/{id}/links',
      { body: { role: 'owner' } },
      400,
      'bad-request',
      /role: .*"viewer"\|"editor", given "owner"/,
    ],
    [
      'an invalid token',
      'POST',
      '/api/documents/{id}/redeem',
      { body: { token: { $ne: 1 } } },
      400,
      'bad-request',
      /token: .*string/,
    ],
    ['another method', 'PUT', '/api/documents', { body: {} }, 405, 'method-not-allowed', /PUT.*POST, GET/],
    [
      'another method on a document',
      'POST',
      '/api/documents/{id}',
      { body: {} },
      405,
      'method-not-allowed',
      /GET, PATCH, DELETE/,
    ],
    ['an unknown route', 'GET', '/api/nothing', {}, 404, 'not-found', /\/api\/nothing/],
  ])('%s', async (_title, method, path, options, status, code, message) => {
    const { cookie } = await fixture.createPerson()
    const id = await documents.create(cookie)
    const answer = await call(method, path.replace('{id}', id), { cookie, ...options })
    expect(answer.json).toEqual({ error: { code, message: expect.stringMatching(message) } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  })

  const cursor = Buffer.from('["title","\\u0000","\\u0000"]').toString('base64url')

  test.each([
    ['GET', '/api/documents/%ff', 404],
    ['GET', '/api/documents/%00', 404],
    ['GET', '/api/documents/{id}/versions/%00/state', 404],
    ['GET', '/api/documents/{id}/versions/%ff/state', 404],
    ['DELETE', '/api/documents/{id}/versions/%00', 404],
    ['DELETE', '/api/documents/{id}/links/%00', 404],
    ['GET', '/api/documents?query=%00', 200],
    ['GET', `/api/documents?sort=title&cursor=${cursor}`, 200],
  ])('[A6] the malformed %s %s is answered %d', async (method, path, status) => {
    const { cookie } = await fixture.createPerson()
    const id = await documents.create(cookie)
    expect((await call(method, path.replace('{id}', id), { cookie })).status).toBe(status)
  })

  test('[A6] a title with a NUL is taken', async () => {
    const { cookie } = await fixture.createPerson()
    const created = await call('POST', '/api/documents', { cookie, body: { title: 'a\0b' } })
    expect([created.status, created.json['title']]).toEqual([201, 'a\0b'])
    expect((await documents.listTitles(cookie)).map((title) => title.length)).toEqual([3])
  })

  test('405 names the allowed methods', async () => {
    const { headers } = await call('PUT', '/api/me')
    expect(headers.get('allow')).toBe('GET, PATCH')
  })

  test('half a surrogate pair does not reach the text', async () => {
    const { cookie } = await fixture.createPerson()
    const { json } = await call('POST', '/api/documents', {
      cookie,
      rawBody: String.raw`{"title":"a\ud800"}`,
    })
    expect(json['title']).toBe('a\ufffd')
  })

  test.each([
    [new Error('secret path /var/x'), 500, 'internal'],
    [new StoreError('disk'), 503, 'unavailable'],
    [new RoomRefusal({ code: 'forbidden' }), 404, 'not-found'],
  ])('an internal failure is answered without its details: %s', async (error, status, code) => {
    const { cookie } = await fixture.createPerson()
    const id = await documents.create(cookie)
    fixture.failRoomsWith(error)
    const answer = await call('PATCH', `/api/documents/${id}`, { cookie, body: { title: 'x' } })
    fixture.failRoomsWith(null)
    expect([answer.status, answer.json['error']]).toMatchObject([status, { code }])
    expect(answer.text).not.toMatch(/secret|disk/)
  })
})

test('OpenAPI lists every route', async () => {
  const { status, json } = await call('GET', '/api/openapi.json')
  expect(status).toBe(200)
  expect(Object.keys(json['paths']!).sort()).toEqual([
    '/api/documents',
    '/api/documents/import',
    '/api/documents/{id}',
    '/api/documents/{id}/access',
    '/api/documents/{id}/access/{person}',
    '/api/documents/{id}/authors',
    '/api/documents/{id}/backlinks',
    '/api/documents/{id}/copies',
    '/api/documents/{id}/export',
    '/api/documents/{id}/files',
    '/api/documents/{id}/files/copies',
    '/api/documents/{id}/files/{file}',
    '/api/documents/{id}/links',
    '/api/documents/{id}/links/{link}',
    '/api/documents/{id}/people',
    '/api/documents/{id}/placement',
    '/api/documents/{id}/proposals',
    '/api/documents/{id}/proposals/{proposal}',
    '/api/documents/{id}/proposals/{proposal}/accept',
    '/api/documents/{id}/proposals/{proposal}/decisions',
    '/api/documents/{id}/proposals/{proposal}/reject',
    '/api/documents/{id}/proposals/{proposal}/reopen',
    '/api/documents/{id}/proposals/{proposal}/withdraw',
    '/api/documents/{id}/readers',
    '/api/documents/{id}/redeem',
    '/api/documents/{id}/redeemed-link',
    '/api/documents/{id}/versions',
    '/api/documents/{id}/versions/{version}',
    '/api/documents/{id}/versions/{version}/state',
    '/api/export',
    '/api/folders',
    '/api/folders/{id}',
    '/api/folders/{id}/restore',
    '/api/lab/figures/{chart}',
    '/api/me',
    '/api/me/tickets',
    '/api/search',
    '/api/storage',
    '/api/tickets/look',
    '/api/tickets/redeem',
    '/api/trash',
    '/api/trash/{id}',
    '/api/trash/{id}/restore',
  ])
})
