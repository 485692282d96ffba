import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { SERVER_OWNER, StoreError } from '../store/store.ts'
import { type ApiFixture, type ApiCallOptions, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture
const call = (method: string, path: string, options?: ApiCallOptions) => fixture.call(method, path, options)
const requestCopy = (document: string, options: ApiCallOptions) =>
  call('POST', `/api/documents/${document}/copies`, options)

beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** A document with a paragraph by its own client. */
async function createWrittenDocument(title = 'Budget', text = 'Numbers to come.') {
  const { cookie, principal } = await fixture.createPerson()
  const document = (await call('POST', '/api/documents', { cookie, body: { title } })).json['id']! as string
  const doc = await fixture.loadDocument(document)
  const before = Y.encodeStateVector(doc)
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText(text)])
  doc.getXmlFragment('default').push([paragraph])
  const edit = { document, update: Y.encodeStateAsUpdate(doc, before), principal: principal.id, session: 's' }
  await fixture.store.append([
    { ...edit, part: 'body', number: 1, clients: [doc.clientID] },
    { ...edit, part: 'comments', number: 2, clients: [] },
  ])
  return { cookie, principal, document, client: doc.clientID }
}

const textOf = async (document: string) => {
  const doc = await fixture.loadDocument(document)
  return [doc.getText('title').toJSON(), doc.getXmlFragment('default').toJSON()]
}

const documentRows = (document: string) =>
  fixture.db.selectFrom('documents').selectAll().where('id', '=', document).execute()

describe('a copy', () => {
  test('has the text under a new title, and neither comments nor versions nor links', async () => {
    const { cookie, principal, document } = await createWrittenDocument()
    await fixture.access.createShareLink(document, 'viewer', principal)
    await call('POST', `/api/documents/${document}/versions`, { cookie, body: { name: 'Draft' } })
    const { status, json } = await requestCopy(document, { cookie })
    const { id, name } = principal
    expect([status, json]).toMatchObject([
      201,
      { title: 'Copy of Budget', role: 'owner', owner: { id, name } },
    ])
    const copyId = json['id']! as string
    const [, text] = await textOf(document)
    expect(await textOf(copyId)).toEqual(['Copy of Budget', text])
    expect(text).toContain('Numbers to come.')
    expect((await fixture.store.load(copyId, 'comments')).sequence).toBe(0)
    for (const path of ['links', 'versions'])
      expect((await call('GET', `/api/documents/${copyId}/${path}`, { cookie })).json).toMatchObject({
        [path]: [],
      })
    expect(await textOf(document)).toEqual(['Budget', text])
  })

  test('belongs to the person who made it, also if they may only read the source', async () => {
    const { document, principal } = await createWrittenDocument()
    const viewer = await fixture.createPerson()
    const { token } = await fixture.access.createShareLink(document, 'viewer', principal)
    await fixture.access.redeemShareLink(viewer.principal, document, token)
    const { status, json } = await requestCopy(document, { cookie: viewer.cookie })
    expect([status, json]).toMatchObject([201, { role: 'owner', owner: { id: viewer.principal.id } }])
    const { json: list } = await call('GET', '/api/documents?filter=owned', { cookie: viewer.cookie })
    expect(list['documents']).toMatchObject([{ title: 'Copy of Budget' }])
  })

  test('[A4] cannot be made by a stranger, nor by a link’s token, which owns nothing', async () => {
    const { document, principal } = await createWrittenDocument()
    const { cookie } = await fixture.createPerson()
    expect((await requestCopy(document, { cookie })).status).toBe(404)
    const { token } = await fixture.access.createShareLink(document, 'editor', principal)
    const { status, json } = await requestCopy(document, { token, origin: null })
    expect([status, json['error']]).toMatchObject([403, { code: 'forbidden' }])
  })

  test('[A5] cannot be edited under the client ids of those who wrote the text', async () => {
    const { cookie, document, client } = await createWrittenDocument()
    const copyId = (await requestCopy(document, { cookie })).json['id']! as string
    const { owners } = await fixture.store.load(copyId, 'body')
    expect(owners?.get(client)).toBe(SERVER_OWNER)
    const { updates } = await fixture.store.load(document, 'body')
    const stateVector = Y.decodeStateVector(Y.encodeStateVectorFromUpdate(Y.mergeUpdates([...updates])))
    for (const id of stateVector.keys()) expect(owners?.get(id)).toBe(SERVER_OWNER)
    const titleWriter = [
      ...Y.decodeStateVector(Y.encodeStateVector(await fixture.loadDocument(copyId))).keys(),
    ].filter((id) => !stateVector.has(id))
    expect(titleWriter.map((id) => owners?.get(id))).toEqual([SERVER_OWNER])
  })

  test('opens no room: its title is written where its text is merged', async () => {
    const { cookie, document } = await createWrittenDocument()
    fixture.failRoomsWith(new Error('a room was opened'))
    const { status, json } = await requestCopy(document, { cookie })
    fixture.failRoomsWith(null)
    expect(status).toBe(201)
    const { updates, logLength, stateVector } = await fixture.store.load(json['id']!, 'body')
    expect(logLength).toBe(0)
    expect(stateVector).toEqual(Y.encodeStateVectorFromUpdate(updates[0]!))
  })

  test('of a text by more clients than one append can claim is complete', async () => {
    const { cookie, principal, document } = await createWrittenDocument()
    const updates = Array.from({ length: 1200 }, (_, n) => {
      const doc = new Y.Doc()
      doc.clientID = 1000 + n
      doc.getMap('from').set(`${n}`, n)
      return Y.encodeStateAsUpdate(doc)
    })
    const edit = { document, part: 'body', principal: principal.id, session: 's', number: 1 } as const
    await fixture.store.append([{ ...edit, update: Y.mergeUpdates(updates), clients: [] }])
    const copyId = (await requestCopy(document, { cookie })).json['id']! as string
    expect((await fixture.loadDocument(copyId)).getMap('from').size).toBe(1200)
    const { owners } = await fixture.store.load(copyId, 'body')
    expect(owners!.size).toBeGreaterThan(1200)
  })

  test('has a title also where the source has none or a long one', async () => {
    const untitled = await createWrittenDocument('')
    expect((await requestCopy(untitled.document, untitled)).json['title']).toBe('Copy of Untitled')
    const long = await createWrittenDocument('x'.repeat(300))
    expect((await requestCopy(long.document, long)).json['title']).toBe(`Copy of ${'x'.repeat(292)}`)
  })

  test('that cannot be finished leaves nothing behind, neither in the list nor in the trash', async () => {
    const { cookie, document } = await createWrittenDocument()
    const countLoggedDocuments = async () =>
      (await fixture.db.selectFrom('log').select('document').distinct().execute()).length
    const before = await countLoggedDocuments()
    vi.spyOn(fixture.store, 'compact').mockRejectedValueOnce(new StoreError('disk full'))
    const { status } = await requestCopy(document, { cookie })
    expect([status, await countLoggedDocuments()]).toEqual([503, before])
    for (const path of ['/api/trash', '/api/documents?query=copy'])
      expect((await call('GET', path, { cookie })).json['documents']).toEqual([])
  })

  test('is seen by nobody before it is complete', async () => {
    const { cookie, document } = await createWrittenDocument()
    const hold = Promise.withResolvers<void>()
    const { compact } = fixture.store
    vi.spyOn(fixture.store, 'compact').mockImplementationOnce(async (...snapshot) => {
      await hold.promise
      return compact(...snapshot)
    })
    const copyId = requestCopy(document, { cookie })
    await expect
      .poll(() =>
        fixture.db
          .selectFrom('documents')
          .select('id')
          .where('title', '=', 'Copy of Budget')
          .where('deleted_at', '=', 0)
          .execute(),
      )
      .toHaveLength(1)
    for (const path of ['/api/trash', '/api/documents?query=copy'])
      expect((await call('GET', path, { cookie })).json['documents']).toEqual([])
    hold.resolve()
    const { status, json } = await copyId
    expect(status).toBe(201)
    expect(await documentRows(json['id']!)).toMatchObject([{ deleted_at: null }])
  })

  test('[A6] counts as a new document, and one more for each MiB of its text', async () => {
    await using limitedFixture = await openApiFixture({ environment: { LIMIT_DOCUMENTS_OF_PERSON: '6/0.1' } })
    const { cookie, principal } = await limitedFixture.createPerson()
    const document = await limitedFixture.createDocument(principal)
    const doc = new Y.Doc()
    doc.getText('title').insert(0, 'x'.repeat(3 * 2 ** 20))
    const update = Y.encodeStateAsUpdate(doc)
    await limitedFixture.store.append([
      { document, part: 'body', update, principal: principal.id, session: 's', number: 1, clients: [] },
    ])
    const ask = async () =>
      (await limitedFixture.call('POST', `/api/documents/${document}/copies`, { cookie })).status
    expect([await ask(), await ask(), await ask()]).toEqual([201, 201, 429])
  })
})
