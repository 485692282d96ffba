import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { type ApiFixture, type ApiCallOptions, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture
const call = (method: string, path: string, options?: ApiCallOptions) => fixture.call(method, path, options)

beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** A document with one named version, and a person for each role. */
async function createVersionedDocument() {
  const [owner, editor, viewer, stranger] = (await Promise.all(
    [1, 2, 3, 4].map(() => fixture.createPerson()),
  )) as [Person, Person, Person, Person]
  const createdDocument = await call('POST', '/api/documents', {
    cookie: owner.cookie,
    body: { title: 'Budget' },
  })
  const document: string = createdDocument.json['id']!
  for (const [{ principal }, role] of [
    [editor, 'editor'],
    [viewer, 'viewer'],
  ] as const) {
    const { token } = await fixture.access.createShareLink(document, role, owner.principal)
    await fixture.access.redeemShareLink(principal, document, token)
  }
  const path = `/api/documents/${document}/versions`
  const { status, json } = await call('POST', path, { cookie: owner.cookie, body: { name: ' First ' } })
  expect([status, json]).toEqual([
    201,
    {
      id: expect.any(String),
      name: 'First',
      createdAt: expect.any(String),
      authors: [],
      bytes: expect.any(Number),
    },
  ])
  return {
    document,
    path,
    version: json['id']! as string,
    versionBody: json,
    owner,
    editor,
    viewer,
    stranger,
  }
}

type Person = Awaited<ReturnType<ApiFixture['createPerson']>>

const titleIn = (state: Uint8Array): string => {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  return doc.getText('title').toJSON()
}

test('versions are listed newest first, to everybody who may read', async () => {
  const { document, path, owner, viewer, versionBody } = await createVersionedDocument()
  await call('PATCH', `/api/documents/${document}`, { cookie: owner.cookie, body: { title: 'Budget plan' } })
  const second = await call('POST', path, { cookie: owner.cookie, body: { name: 'Second' } })
  const { status, json } = await call('GET', path, { cookie: viewer.cookie })
  expect([status, json]).toEqual([200, { versions: [second.json, versionBody], hasRoom: true }])
})

test('a version’s text is sent compressed to clients that accept it, and plain to others', async () => {
  const { path, version, viewer } = await createVersionedDocument()
  const request = (acceptEncoding?: string) =>
    call('GET', `${path}/${version}/state`, {
      cookie: viewer.cookie,
      ...(acceptEncoding && { acceptEncoding }),
    })
  const compressed = await request('br, gzip, deflate')
  expect([compressed.status, compressed.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  expect(compressed.headers.get('content-type')).toBe('application/octet-stream')
  expect(titleIn(gunzipSync(compressed.bytes))).toBe('Budget')
  const uncompressed = await request()
  expect([
    uncompressed.status,
    uncompressed.headers.get('content-encoding'),
    uncompressed.headers.get('vary'),
  ]).toEqual([200, null, 'Accept-Encoding'])
  expect(titleIn(uncompressed.bytes)).toBe('Budget')
})

test('a version without a name is stored once', async () => {
  const { document, path, owner, version } = await createVersionedDocument()
  const saveVersion = () => call('POST', path, { cookie: owner.cookie, body: {} })
  expect((await saveVersion()).json).toMatchObject({ id: version, name: 'First' })
  await call('PATCH', `/api/documents/${document}`, { cookie: owner.cookie, body: { title: 'Other' } })
  const { status, json } = await saveVersion()
  expect([status, json]).toMatchObject([201, { name: null }])
  expect((await saveVersion()).json).toEqual(json)
})

test('a version is renamed, loses its name, is deleted', async () => {
  const { path, version, owner, editor, versionBody } = await createVersionedDocument()
  const list = async () => (await call('GET', path, { cookie: owner.cookie })).json['versions']
  const rename = (name: string | null) =>
    call('PATCH', `${path}/${version}`, { cookie: editor.cookie, body: { name } })
  expect((await rename('Draft')).status).toBe(204)
  expect(await list()).toEqual([{ ...versionBody, name: 'Draft' }])
  expect((await rename(null)).status).toBe(204)
  expect(await list()).toEqual([{ ...versionBody, name: null }])
  expect((await call('DELETE', `${path}/${version}`, { cookie: owner.cookie })).status).toBe(204)
  expect(await list()).toEqual([])
})

test('[D9] versions stay with a document in the trash, and end when it is deleted for good', async () => {
  const { document, version, owner } = await createVersionedDocument()
  const { cookie } = owner
  expect((await call('DELETE', `/api/documents/${document}`, { cookie })).status).toBe(204)
  const rows = fixture.db.selectFrom('versions').select('id').where('id', '=', version)
  expect(await rows.execute()).toHaveLength(1)
  expect((await call('DELETE', `/api/trash/${document}`, { cookie })).status).toBe(204)
  expect(await rows.execute()).toEqual([])
})

/** Every route of versions, with the right it needs. The version is created first, so that requests for it succeed. */
const routes = [
  ['GET', '', undefined, 'read'],
  ['GET', '/{version}/state', undefined, 'read'],
  ['POST', '', { name: 'x' }, 'write'],
  ['PATCH', '/{version}', { name: 'x' }, 'write'],
  ['DELETE', '/{version}', undefined, 'delete'],
] as const

describe('rights', () => {
  test.each(routes)('[A4] %s …/versions%s requires the right', async (method, pathSuffix, body, right) => {
    const { path, version, ...people } = await createVersionedDocument()
    const request = async ({ cookie }: Person) =>
      (await call(method, path + pathSuffix.replace('{version}', version), { cookie, body })).status
    const allowed = expect.toSatisfy((status: number) => status < 300)
    expect(await request(people.viewer)).toEqual(right === 'read' ? allowed : 403)
    expect(await request(people.editor)).toEqual(right === 'delete' ? 403 : allowed)
    expect(await request(people.owner)).toEqual(allowed)
  })

  test.each(routes)(
    '%s …/versions%s answers the same for missing and forbidden',
    async (method, pathSuffix, body) => {
      const { document, version, stranger } = await createVersionedDocument()
      const answers = await Promise.all(
        [document, newDocumentId(), 'not-an-id'].map(async (id) => {
          const path = `/api/documents/${id}/versions${pathSuffix.replace('{version}', version)}`
          const { status, text } = await call(method, path, { cookie: stranger.cookie, body })
          return { status, text }
        }),
      )
      expect(answers[0]!.status).toBe(404)
      for (const answer of answers) expect(answer).toEqual(answers[0])
    },
  )

  test.each(routes)('[A1] %s …/versions%s requires a sign-in', async (method, pathSuffix, body) => {
    const { path, version, owner } = await createVersionedDocument()
    const request = async (options: ApiCallOptions) =>
      (await call(method, path + pathSuffix.replace('{version}', version), { ...options, body })).status
    expect(await request({ cookie: owner.cookie, origin: 'https://evil.example' })).toBe(403)
    expect(await request({ cookie: owner.cookie, origin: null })).toBe(403)
    expect(await request({})).toBe(401)
  })

  test.each(routes.slice(1).filter(([, pathSuffix]) => pathSuffix !== ''))(
    '%s …/versions%s of another document is missing',
    async (method, pathSuffix, body) => {
      const { path, owner } = await createVersionedDocument()
      const other = await createVersionedDocument()
      const { status, json } = await call(method, path + pathSuffix.replace('{version}', other.version), {
        cookie: owner.cookie,
        body,
      })
      expect([status, json['error']]).toMatchObject([404, { code: 'not-found' }])
    },
  )
})

test.each<[string, unknown, RegExp]>([
  ['a name that is a number', { name: 7 }, /name: .*given 7/],
  ['an empty name', { name: '  ' }, /name: .*given "  "/],
  ['a name too long', { name: 'x'.repeat(101) }, /name: .*100/],
])('bad input: %s', async (_title, body, message) => {
  const { path, owner } = await createVersionedDocument()
  const { status, json } = await call('POST', path, { cookie: owner.cookie, body })
  expect([status, json]).toEqual([
    400,
    { error: { code: 'bad-request', message: expect.stringMatching(message) } },
  ])
})

test('[A6] too many named versions are refused with the limit', async () => {
  const { document, path, owner } = await createVersionedDocument()
  const row = await fixture.db
    .selectFrom('versions')
    .selectAll()
    .where('document', '=', document)
    .executeTakeFirst()
  const more = Array.from({ length: 199 }, (_, n) => ({ ...row!, id: `${document} ${n}` }))
  await fixture.db.insertInto('versions').values(more).execute()
  const { status, json } = await call('POST', path, { cookie: owner.cookie, body: { name: 'One more' } })
  expect([status, json['error']]).toMatchObject([
    409,
    { code: 'full', message: expect.stringContaining('200 named versions') },
  ])
})
