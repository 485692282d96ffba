/** Limits on strangers who fill the disk: what one address gets for free is bounded, and people with a session are not affected. */
import { statSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { isAccessRefusal } from '../access/access.ts'
import { accessRequest } from '../fixtures/access-fixture.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture
afterEach(() => fixture[Symbol.asyncDispose]())

const countRows = async (table: 'user' | 'documents'): Promise<number> =>
  (await fixture.db.selectFrom(table).select('id').execute()).length

test('[A6] 400 documents and guests in a moment from one address: a few are created, the rest are told when to retry', async () => {
  fixture = await openApiFixture({ environment: { LIMIT_NEW_GUESTS: '20/5', LIMIT_NEW_DOCUMENTS: '10/5' } })
  const flood = Array.from({ length: 400 }, () => fixture.call('POST', '/api/documents', { origin: null }))
  const answers = await Promise.all(flood)
  expect(Object.groupBy(answers, ({ status }) => status)[201]).toHaveLength(10)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(390)
  for (const { headers, json } of refused) {
    expect(headers.get('retry-after')).toBe('1')
    expect(json['error']).toMatchObject({ code: 'too-many', message: expect.stringMatching(/LIMIT_NEW_/) })
  }
  expect([await countRows('user'), await countRows('documents')]).toEqual([20, 10])
  expect(statSync(fixture.database).size + statSync(`${fixture.database}-wal`).size).toBeLessThan(4e6)

  const otherAddress = await fixture.call('POST', '/api/documents', { origin: null, peer: '203.0.113.8' })
  expect(otherAddress.status).toBe(201)
  fixture.clock.at += 1000
  const afterRefill = await Promise.all(
    Array.from({ length: 9 }, () => fixture.call('POST', '/api/documents', { origin: null })),
  )
  expect(afterRefill.filter(({ status }) => status === 201)).toHaveLength(5)
})

test('[A6] a burst of new guests passes, and then they are refused; people with a session continue', async () => {
  fixture = await openApiFixture({ environment: { LIMIT_NEW_GUESTS: '20/5' } })
  const knownPerson = await fixture.createPerson() // counts among the 20, too
  const cookies: string[] = []
  for (let n = 0; n < 22; n++) cookies.push((await fixture.issueUnstoredGuest()).cookie)
  const statuses: number[] = []
  for (const cookie of cookies) statuses.push((await fixture.call('GET', '/api/me', { cookie })).status)
  expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 429, 429, 429])
  for (const cookie of [knownPerson.cookie, cookies[0]!, cookies[18]!]) {
    expect((await fixture.call('GET', '/api/documents', { cookie })).status).toBe(200)
    expect((await fixture.call('POST', '/api/documents', { cookie })).status).toBe(201)
  }
  fixture.clock.at += 1000
  expect((await fixture.call('GET', '/api/me', { cookie: cookies[21]! })).status).toBe(200)
})

test('[A6] concurrent requests of a page’s script count as one new guest', async () => {
  fixture = await openApiFixture({ environment: { LIMIT_NEW_GUESTS: '1/0.001' } })
  const { cookie } = await fixture.issueUnstoredGuest()
  const requests = Array.from({ length: 8 }, () => fixture.call('GET', '/api/me', { cookie }))
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array.from(requests, () => 200))
  expect(await countRows('user')).toBe(1)
})

test('[A6] a deleted guest does not come back by the cookie, and gets another one with the next page', async () => {
  fixture = await openApiFixture()
  const { cookie } = await fixture.issueUnstoredGuest()
  expect((await fixture.call('GET', '/api/me', { cookie })).status).toBe(200)
  await fixture.db.deleteFrom('session').execute()
  expect((await fixture.access.issueOrRenewGuest(accessRequest({ cookie })))?.isNew).toBe(true)
})

test('[A6] a person may create 200 documents at once, and one a second after that', async () => {
  fixture = await openApiFixture({ environment: { LIMIT_DOCUMENTS_OF_PERSON: '5/1' } })
  const [one, other] = [await fixture.createPerson(), await fixture.createPerson()]
  const createStatus = async (cookie: string, peer: string) =>
    (await fixture.call('POST', '/api/documents', { cookie, peer })).status
  const statuses: number[] = []
  for (let n = 0; n < 7; n++) statuses.push(await createStatus(one.cookie, `203.0.113.${n}`))
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429])
  expect(await createStatus(other.cookie, '203.0.113.1')).toBe(201)
  fixture.clock.at += 1000
  expect(await createStatus(one.cookie, '203.0.113.1')).toBe(201)
})

test('[A6] guessing links, tickets and documents ends with 429, also for a right guess; a person with a session has their own count', async () => {
  fixture = await openApiFixture({ environment: { LIMIT_GUESSES: '4/0.1' } })
  const owner = await fixture.createPerson()
  const document = await fixture.createDocument(owner.principal)
  const { token } = await fixture.access.createShareLink(document, 'viewer', owner.principal)
  const tokenStatus = async (guess: string) => {
    const answer = await fixture.access.admit(accessRequest({ authorization: `Bearer ${guess}` }))
    return isAccessRefusal(answer) ? answer.status : 200
  }
  const ticket = async () =>
    (await fixture.call('POST', '/api/tickets/look', { body: { ticket: 'x' } })).status
  expect([await tokenStatus(token), await tokenStatus('a'), await tokenStatus('b')]).toEqual([200, 401, 401])
  expect([await ticket(), await ticket(), await ticket()]).toEqual([404, 404, 429])
  expect(await tokenStatus(token)).toBe(429)

  const openStatus = async (id: string) =>
    (await fixture.call('GET', `/api/documents/${id}`, { cookie: owner.cookie })).status
  expect(await openStatus(document)).toBe(200)
  for (let n = 0; n < 4; n++) expect(await openStatus(newDocumentId())).toBe(404)
  expect([await openStatus(newDocumentId()), await openStatus(document)]).toEqual([429, 429])
  fixture.clock.at += 10_000
  expect(await openStatus(document)).toBe(200)
})
