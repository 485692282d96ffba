import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ApiFixture, type ApiCallOptions, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture
const call = (method: string, path: string, options?: ApiCallOptions) => fixture.call(method, path, options)

beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

async function createTicket(secure = false) {
  const person = await fixture.createPerson(secure)
  const createdTicket = await call('POST', '/api/me/tickets', { cookie: person.cookie, secure })
  expect(createdTicket.status).toBe(201)
  return { ...person, createdTicket: createdTicket.json, ticket: String(createdTicket.json['ticket']) }
}

const redeem = (ticket: string, options: ApiCallOptions = {}) =>
  call('POST', '/api/tickets/redeem', { body: { ticket }, ...options })

const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]!.split(';')[0]!

const sessionsOf = ({ principal }: { principal: { id: string } }) =>
  fixture.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', principal.id.slice('user:'.length))
    .execute()

test('a ticket shows its person, signs that person in with a new session, and is used up', async () => {
  const { principal, cookie, createdTicket, ticket } = await createTicket()
  expect(Buffer.from(ticket, 'base64url')).toHaveLength(16)
  expect(createdTicket).toMatchObject({ expiresInMs: 60_000, addresses: ['http://elsewhere.example:3000'] })

  const ticketOwner = { id: principal.id, name: principal.name }
  for (let twice = 0; twice < 2; twice++) {
    const ownerResponse = await call('POST', '/api/tickets/look', { body: { ticket } })
    expect([ownerResponse.status, ownerResponse.json, ownerResponse.headers.getSetCookie()]).toEqual([
      200,
      ticketOwner,
      [],
    ])
  }
  const other = await fixture.createPerson()
  const redeemed = await redeem(ticket, { cookie: other.cookie })
  expect([redeemed.status, redeemed.json]).toEqual([200, ticketOwner])
  expect(redeemed.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax/)
  const additionalCookie = cookieOf(redeemed.headers)
  expect(additionalCookie).not.toBe(cookie)
  for (const each of [cookie, additionalCookie])
    expect((await call('GET', '/api/me', optionsWith(each))).json).toMatchObject(ticketOwner)
  expect((await call('GET', '/api/me', optionsWith(other.cookie))).json['id']).toBe(other.principal.id)
  expect(await sessionsOf({ principal })).toHaveLength(2)

  expect((await redeem(ticket)).status).toBe(404)
  expect((await call('POST', '/api/tickets/look', { body: { ticket } })).status).toBe(404)
})

const optionsWith = (cookie: string): ApiCallOptions => ({ cookie })

test('only one of two devices that present a ticket at the same moment is signed in', async () => {
  for (let round = 0; round < 10; round++) {
    const { ticket, principal } = await createTicket()
    const answers = await Promise.all(Array.from({ length: 4 }, () => redeem(ticket)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404])
    expect(await sessionsOf({ principal })).toHaveLength(2)
  }
})

test('on TLS the session is Secure; a ticket of http is invalid on TLS, and one of TLS on http', async () => {
  const [plain, secure] = [await createTicket(), await createTicket(true)]
  expect((await redeem(plain.ticket, { secure: true })).status).toBe(404)
  expect((await redeem(secure.ticket)).status).toBe(404)
  const { status, headers } = await redeem(secure.ticket, { secure: true })
  expect([status, headers.getSetCookie()[0]]).toEqual([200, expect.stringMatching(/^__Host-.*; Secure/)])
  expect((await redeem(plain.ticket)).status).toBe(200)
})

test('a ticket is valid for a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const [{ ticket }, { ticket: expiredTicket }] = [await createTicket(), await createTicket()]
    vi.setSystemTime(Date.now() + 59_000)
    expect((await redeem(ticket)).status).toBe(200)
    vi.setSystemTime(Date.now() + 1_001)
    expect((await call('POST', '/api/tickets/look', { body: { ticket: expiredTicket } })).status).toBe(404)
    expect((await redeem(expiredTicket)).status).toBe(404)
    const { db } = fixture
    await createTicket()
    expect(await db.selectFrom('verification').select('id').execute()).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

describe('bad input', () => {
  test.each<[string, ApiCallOptions, number]>([
    ['a ticket that never existed', { body: { ticket: 'A'.repeat(22) } }, 404],
    ['something else', { body: { ticket: "' or 1=1 --" } }, 404],
    ['no ticket', { body: {} }, 400],
    ['an empty one', { body: { ticket: '' } }, 400],
    ['a number', { body: { ticket: 7 } }, 400],
    ['a long one', { body: { ticket: 'A'.repeat(101) } }, 400],
    ['no JSON', { rawBody: 'ticket', contentType: 'application/json' }, 400],
    ['a form', { rawBody: 'ticket=A', contentType: 'application/x-www-form-urlencoded' }, 415],
    ['nothing', {}, 400],
  ])('%s', async (_title, given, expected) => {
    for (const path of ['/api/tickets/redeem', '/api/tickets/look']) {
      const { status, headers, json } = await call('POST', path, given)
      expect(status).toBe(expected)
      expect(headers.getSetCookie()).toEqual([])
      expect(json['error']).toMatchObject({ message: expect.any(String) })
    }
  })

  test('[A1] a ticket is accepted from our own pages alone, and one that was refused elsewhere stays valid', async () => {
    const { ticket, cookie } = await createTicket()
    const origins = [null, 'https://evil.example', 'null', 'http://localhost:3001']
    for (const origin of origins) {
      for (const path of ['/api/tickets/redeem', '/api/tickets/look'])
        expect((await call('POST', path, { origin, body: { ticket } })).status).toBe(403)
      expect((await call('POST', '/api/me/tickets', { origin, cookie })).status).toBe(403)
    }
    expect((await redeem(ticket)).status).toBe(200)
  })

  test('[A2] tickets are issued for a session cookie alone: a share link is nobody in particular', async () => {
    const owner = await fixture.createPerson()
    const document = await fixture.createDocument(owner.principal)
    const { token } = await fixture.access.createShareLink(document, 'editor', owner.principal)
    expect((await call('POST', '/api/me/tickets', { token })).status).toBe(403)
    expect((await call('POST', '/api/me/tickets', { token, origin: null })).status).toBe(403)
    expect((await call('POST', '/api/me/tickets')).status).toBe(401)
    expect((await call('POST', '/api/me/tickets', { cookie: 'diptych.session_token=a.b' })).status).toBe(401)
    expect((await redeem(token)).status).toBe(404)
  })

  test('[A6] a person gets at most 12 tickets a minute, whatever others get', async () => {
    const [busyPerson, other] = [await fixture.createPerson(), await fixture.createPerson()]
    const requestTicket = (cookie: string) => call('POST', '/api/me/tickets', { cookie })
    for (let createdTicket = 0; createdTicket < 12; createdTicket++)
      expect((await requestTicket(busyPerson.cookie)).status).toBe(201)
    const refused = await requestTicket(busyPerson.cookie)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await requestTicket(other.cookie)).status).toBe(201)
  })
})

test('[A3] neither a file of the data folder nor a table contains a ticket', async () => {
  const { ticket } = await createTicket()
  const stored = await fixture.readStored()
  expect(stored.includes('device-ticket:')).toBe(true)
  expect(stored.includes(ticket)).toBe(false)
})
