import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ApiFixture, type Call, openApiFixture } from './fixture.ts'

let fixture: ApiFixture
const call = (method: string, path: string, options?: Call) => fixture.call(method, path, options)

beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

async function newTicket(secure = false) {
  const person = await fixture.person(secure)
  const made = await call('POST', '/api/me/tickets', { cookie: person.cookie, secure })
  expect(made.status).toBe(201)
  return { ...person, made: made.json, ticket: String(made.json['ticket']) }
}

const redeem = (ticket: string, options: Call = {}) =>
  call('POST', '/api/tickets/redeem', { body: { ticket }, ...options })

const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]!.split(';')[0]!

const sessionsOf = ({ principal }: { principal: { id: string } }) =>
  fixture.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', principal.id.slice('user:'.length))
    .execute()

test('a ticket says whom it signs in, signs in that person with a session of its own, and is used up', async () => {
  const { principal, cookie, made, ticket } = await newTicket()
  expect(Buffer.from(ticket, 'base64url')).toHaveLength(16)
  expect(made).toMatchObject({ expiresInMs: 60_000, addresses: ['http://elsewhere.example:3000'] })

  const who = { id: principal.id, name: principal.name }
  for (let twice = 0; twice < 2; twice++) {
    const looked = await call('POST', '/api/tickets/look', { body: { ticket } })
    expect([looked.status, looked.json, looked.headers.getSetCookie()]).toEqual([200, who, []])
  }
  const other = await fixture.person()
  const redeemed = await redeem(ticket, { cookie: other.cookie })
  expect([redeemed.status, redeemed.json]).toEqual([200, who])
  expect(redeemed.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax/)
  const further = cookieOf(redeemed.headers)
  expect(further).not.toBe(cookie)
  for (const each of [cookie, further])
    expect((await call('GET', '/api/me', from(each))).json).toMatchObject(who)
  expect((await call('GET', '/api/me', from(other.cookie))).json['id']).toBe(other.principal.id)
  expect(await sessionsOf({ principal })).toHaveLength(2)

  expect((await redeem(ticket)).status).toBe(404)
  expect((await call('POST', '/api/tickets/look', { body: { ticket } })).status).toBe(404)
})

const from = (cookie: string): Call => ({ cookie })

test('of two devices that show one ticket at the same moment one is signed in', async () => {
  for (let round = 0; round < 10; round++) {
    const { ticket, principal } = await newTicket()
    const answers = await Promise.all(Array.from({ length: 4 }, () => redeem(ticket)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404])
    expect(await sessionsOf({ principal })).toHaveLength(2)
  }
})

test('on TLS the session is a Secure one, and a ticket of http is none there, nor the other way round', async () => {
  const [plain, secure] = [await newTicket(), await newTicket(true)]
  expect((await redeem(plain.ticket, { secure: true })).status).toBe(404)
  expect((await redeem(secure.ticket)).status).toBe(404)
  const { status, headers } = await redeem(secure.ticket, { secure: true })
  expect([status, headers.getSetCookie()[0]]).toEqual([200, expect.stringMatching(/^__Host-.*; Secure/)])
  expect((await redeem(plain.ticket)).status).toBe(200)
})

test('a ticket is good for a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const [{ ticket }, { ticket: late }] = [await newTicket(), await newTicket()]
    vi.setSystemTime(Date.now() + 59_000)
    expect((await redeem(ticket)).status).toBe(200)
    vi.setSystemTime(Date.now() + 1_001)
    expect((await call('POST', '/api/tickets/look', { body: { ticket: late } })).status).toBe(404)
    expect((await redeem(late)).status).toBe(404)
    const { db } = fixture
    await newTicket()
    expect(await db.selectFrom('verification').select('id').execute()).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

describe('bad input', () => {
  test.each<[string, Call, number]>([
    ['a ticket that never was', { body: { ticket: 'A'.repeat(22) } }, 404],
    ['something else', { body: { ticket: "' or 1=1 --" } }, 404],
    ['no ticket', { body: {} }, 400],
    ['an empty one', { body: { ticket: '' } }, 400],
    ['a number', { body: { ticket: 7 } }, 400],
    ['a long one', { body: { ticket: 'A'.repeat(101) } }, 400],
    ['no JSON', { raw: 'ticket', type: 'application/json' }, 400],
    ['a form', { raw: 'ticket=A', type: 'application/x-www-form-urlencoded' }, 415],
    ['nothing', {}, 400],
  ])('%s', async (_title, given, expected) => {
    for (const path of ['/api/tickets/redeem', '/api/tickets/look']) {
      const { status, headers, json } = await call('POST', path, given)
      expect(status).toBe(expected)
      expect(headers.getSetCookie()).toEqual([])
      expect(json['error']).toMatchObject({ message: expect.any(String) })
    }
  })

  test('[A1] a ticket is taken from our own pages alone, and one that was refused there is still good', async () => {
    const { ticket, cookie } = await newTicket()
    const origins = [null, 'https://evil.example', 'null', 'http://localhost:3001']
    for (const origin of origins) {
      for (const path of ['/api/tickets/redeem', '/api/tickets/look'])
        expect((await call('POST', path, { origin, body: { ticket } })).status).toBe(403)
      expect((await call('POST', '/api/me/tickets', { origin, cookie })).status).toBe(403)
    }
    expect((await redeem(ticket)).status).toBe(200)
  })

  test('[A2] tickets are made for a session cookie alone: a link is nobody in particular', async () => {
    const owner = await fixture.person()
    const document = await fixture.document(owner.principal)
    const { token } = await fixture.access.createLink(document, 'editor', owner.principal)
    expect((await call('POST', '/api/me/tickets', { token })).status).toBe(403)
    expect((await call('POST', '/api/me/tickets', { token, origin: null })).status).toBe(403)
    expect((await call('POST', '/api/me/tickets')).status).toBe(401)
    expect((await call('POST', '/api/me/tickets', { cookie: 'diptych.session_token=a.b' })).status).toBe(401)
    expect((await redeem(token)).status).toBe(404)
  })

  test('[A6] a person makes at most 12 a minute, whoever else makes some', async () => {
    const [one, other] = [await fixture.person(), await fixture.person()]
    const make = (cookie: string) => call('POST', '/api/me/tickets', { cookie })
    for (let made = 0; made < 12; made++) expect((await make(one.cookie)).status).toBe(201)
    const refused = await make(one.cookie)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await make(other.cookie)).status).toBe(201)
  })
})

test('[A3] no file of the data folder holds a ticket', async () => {
  const { ticket } = await newTicket()
  const { dataDir } = fixture
  const stored = Buffer.concat(
    await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name)))),
  )
  expect(stored.includes('device-ticket:')).toBe(true)
  expect(stored.includes(ticket)).toBe(false)
})
