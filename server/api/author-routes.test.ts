import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DocumentEdit } from '../store/store.ts'
import { MAX_ASKED_CLIENTS } from './api-schemas.ts'
import { openApiFixture } from './fixtures/api-fixture.ts'

let fixture: Awaited<ReturnType<typeof openApiFixture>>

beforeEach(async () => {
  fixture = await openApiFixture()
})
afterEach(() => fixture[Symbol.asyncDispose]())

/** An edit whose writer uses this client id first. */
const editAs = (document: string, client: number, principal: string): DocumentEdit => ({
  document,
  part: 'body',
  update: Uint8Array.of(0, 0),
  principal,
  session: 's',
  number: 1,
  clients: [client],
  claims: [{ client, principal }],
})

const ask = (document: string, clients: string, cookie?: string) =>
  fixture.call('GET', `/api/documents/${document}/authors?clients=${clients}`, { cookie })

test('whoever may read learns who wrote under a client id, and since when', async () => {
  const [ada, ben, stranger] = [
    await fixture.createPerson(),
    await fixture.createPerson(),
    await fixture.createPerson(),
  ]
  const document = await fixture.createDocument(ada.principal)
  const other = await fixture.createDocument(ben.principal)
  const before = Date.now()
  await fixture.store.append([
    editAs(document, 7, ada.principal.id),
    editAs(document, 2 ** 53 - 1, 'server'),
    editAs(other, 8, ben.principal.id),
  ])
  await fixture.call('PATCH', '/api/me', { cookie: ada.cookie, body: { name: 'Ada' } })
  const { token } = await fixture.access.createShareLink(document, 'viewer', ada.principal)
  await fixture.access.redeemShareLink(ben.principal, document, token)

  const clients = `7,8,9,${2 ** 53 - 1}`
  const { status, json } = await ask(document, clients, ben.cookie)
  expect(status).toBe(200)
  const authors = json['authors'] as unknown as { client: number; since: string }[]
  expect(authors.toSorted((a, b) => a.client - b.client)).toEqual([
    { client: 7, author: { id: ada.principal.id, name: 'Ada' }, since: expect.any(String) },
    { client: 2 ** 53 - 1, author: { id: 'server', name: 'Someone' }, since: expect.any(String) },
  ])
  for (const { since } of authors) expect(Date.parse(since)).toBeGreaterThanOrEqual(before)
  expect((await ask(document, clients, stranger.cookie)).status).toBe(404)
  expect((await ask(other, clients, ada.cookie)).status).toBe(404)
})

test('what a proposal has from its original is by whom it is there', async () => {
  const { principal, cookie } = await fixture.createPerson()
  const document = await fixture.createDocument(principal)
  await fixture.store.append([editAs(document, 7, principal.id)])
  const { json } = await fixture.call('POST', `/api/documents/${document}/proposals`, { cookie, body: {} })
  const proposal = json['id'] as unknown as string
  expect((await ask(proposal, '7', cookie)).json['authors']).toMatchObject([
    { client: 7, author: { id: principal.id }, since: expect.any(String) },
  ])
})

test('what an id has written before its time was stored has no time', async () => {
  const { principal, cookie } = await fixture.createPerson()
  const document = await fixture.createDocument(principal)
  await fixture.db
    .insertInto('clients')
    .values({ document, part: 'body', client: 7, principal: principal.id })
    .execute()
  expect((await ask(document, '7', cookie)).json['authors']).toMatchObject([{ client: 7, since: null }])
})

test.each([
  '',
  'x',
  '1,,2',
  '-1',
  '1.5',
  '1'.repeat(17),
  Array.from({ length: MAX_ASKED_CLIENTS + 1 }, (_, client) => client).join(),
])('[A6] %j is refused', async (clients) => {
  const { principal, cookie } = await fixture.createPerson()
  const document = await fixture.createDocument(principal)
  expect((await ask(document, clients, cookie)).status).toBe(400)
})
