import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture

beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const changeProfile = (cookie: string, body: unknown) => fixture.call('PATCH', '/api/me', { cookie, body })

test('a person chooses a name and a colour, each without the other', async () => {
  const { principal, cookie } = await fixture.createPerson()
  const { id, name } = principal
  const first = { id, name, colour: null, asked: false }
  expect((await fixture.call('GET', '/api/me', { cookie })).json).toEqual({ ...first, isNearlyFull: false })
  const named = await changeProfile(cookie, { name: '  Zoe\u0308 Wren ' })
  expect([named.status, named.json]).toEqual([200, { ...first, name: 'Zoë Wren', asked: true }])
  const both = { id, name: 'Zoë Wren', colour: 'teal', asked: true }
  expect((await changeProfile(cookie, { colour: 'teal' })).json).toEqual(both)
  expect((await fixture.call('GET', '/api/me', { cookie })).json).toEqual({ ...both, isNearlyFull: false })
  expect((await fixture.access.admit(accessRequestWith(cookie))) as object).toMatchObject({
    id,
    name: 'Zoë Wren',
    formerNames: [name],
  })
})

const accessRequestWith = (cookie: string) => ({
  method: 'GET',
  headers: { cookie, origin: 'http://localhost:3000', host: 'localhost:3000' },
  secure: false,
  peer: '127.0.0.1',
})

test('a person who was asked and chose nothing is not asked again, and no change is logged', async () => {
  const { principal, cookie } = await fixture.createPerson()
  const { id, name } = principal
  using logged = vi.spyOn(silentLogger, 'info')
  expect((await changeProfile(cookie, {})).json).toEqual({ id, name, colour: null, asked: true })
  expect(logged).not.toHaveBeenCalledWith(expect.anything(), 'profile changed')
  await changeProfile(cookie, { colour: 'teal' })
  expect(logged).toHaveBeenCalledWith({ principal: id, fields: ['colour'] }, 'profile changed')
})

test.each([
  { name: '' },
  { name: ' \u3164 ' },
  { name: 'x'.repeat(41) },
  { name: 'Ada\nWren' },
  { name: '\u202eadA' },
  { name: 'A\u200bda' },
  { name: 7 },
  { name: null },
  { colour: 'black' },
  { colour: '#c2353f' },
  { colour: '__proto__' },
  { name: 'Ada', id: 'user:bob' },
  { welcomed: 'x' },
  'Ada',
])('[A6] %j changes nothing', async (body) => {
  const { principal, cookie } = await fixture.createPerson()
  const { status, json } = await changeProfile(cookie, body)
  expect([status, json['error']]).toMatchObject([400, { code: 'bad-request' }])
  expect((await fixture.call('GET', '/api/me', { cookie })).json).toMatchObject({
    name: principal.name,
    colour: null,
    asked: false,
  })
})

test('[A1] from another page, without a cookie, or with a link’s token alone nothing is changed', async () => {
  const { principal, cookie } = await fixture.createPerson()
  const document = await fixture.createDocument(principal)
  const { token } = await fixture.access.createShareLink(document, 'editor', principal)
  const body = { name: 'Mallory' }
  const statusOf = async (options: object) =>
    (await fixture.call('PATCH', '/api/me', { ...options, body })).status
  expect(await statusOf({ cookie, origin: 'https://evil.example' })).toBe(403)
  expect(await statusOf({ cookie, origin: null })).toBe(403)
  expect(await statusOf({})).toBe(401)
  expect(await statusOf({ token, origin: null })).toBe(403)
  expect((await fixture.call('GET', '/api/me', { cookie })).json['name']).toBe(principal.name)
})

test('[A6] a flood of names is refused for a while; other people are not affected', async () => {
  const [busyPerson, other] = [await fixture.createPerson(), await fixture.createPerson()]
  const flood = await Promise.all(
    Array.from({ length: 140 }, (_, n) => changeProfile(busyPerson.cookie, { name: `Ada ${n}` })),
  )
  const refused = flood.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(41)
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await changeProfile(other.cookie, { name: 'Ada 7' })).status).toBe(200)
})

test('two people may have one name: an id tells them apart', async () => {
  const [one, two] = [await fixture.createPerson(), await fixture.createPerson()]
  const answers = await Promise.all([one, two].map(({ cookie }) => changeProfile(cookie, { name: 'Ada' })))
  expect(new Set(answers.map(({ json }) => json['id'])).size).toBe(2)
})

test('whoever redeems a link learns the present name of the person who shared it', async () => {
  const [owner, guest, stranger] = [
    await fixture.createPerson(),
    await fixture.createPerson(),
    await fixture.createPerson(),
  ]
  const document = await fixture.createDocument(owner.principal)
  const { token } = await fixture.access.createShareLink(document, 'viewer', owner.principal)
  await changeProfile(owner.cookie, { name: 'Ada' })
  const redeemShareLink = (body: object) =>
    fixture.call('POST', `/api/documents/${document}/redeem`, { cookie: guest.cookie, body })
  const { json } = await redeemShareLink({ token })
  expect(json).toEqual({ role: 'viewer', sharedBy: { id: owner.principal.id, name: 'Ada' } })
  expect((await redeemShareLink({ token: 'wrong' })).json).not.toHaveProperty('sharedBy')

  const people = (cookie: string) => fixture.call('GET', `/api/documents/${document}/people`, { cookie })
  expect((await people(guest.cookie)).json).toEqual({ people: [] })
  expect((await people(stranger.cookie)).status).toBe(404)
  const writtenBy = (principal: string, client: number) => ({
    document,
    part: 'comments' as const,
    client,
    principal,
  })
  await fixture.db
    .insertInto('clients')
    .values([
      writtenBy(owner.principal.id, 1),
      writtenBy(owner.principal.id, 2),
      writtenBy('link:x', 3),
      writtenBy('server', 4),
    ])
    .execute()
  expect((await people(guest.cookie)).json).toEqual({
    people: [{ id: owner.principal.id, name: 'Ada', colour: null }],
  })
})

test('[A4] who may open a document is told to those who may write in it: its owner and whoever came by a valid link', async () => {
  const [owner, editor, viewer, stranger] = await Promise.all(
    Array.from({ length: 4 }, () => fixture.createPerson()),
  )
  const document = await fixture.createDocument(owner!.principal)
  const join = async (person: typeof owner, role: 'viewer' | 'editor') => {
    const link = await fixture.access.createShareLink(document, role, owner!.principal)
    const body = { token: link.token }
    await fixture.call('POST', `/api/documents/${document}/redeem`, { cookie: person!.cookie, body })
    return link
  }
  const [, viewLink] = [await join(editor, 'editor'), await join(viewer, 'viewer')]
  const readers = (person: typeof owner) =>
    fixture.call('GET', `/api/documents/${document}/readers`, { cookie: person!.cookie })
  const idsFor = async (person: typeof owner) =>
    ((await readers(person)).json['people'] as unknown as { id: string }[]).map(({ id }) => id).sort()
  const idsOf = (...people: (typeof owner)[]) => people.map((person) => person!.principal.id).sort()

  expect(await idsFor(owner)).toEqual(idsOf(owner, editor, viewer))
  expect(await idsFor(editor)).toEqual(idsOf(owner, editor, viewer))
  expect((await readers(viewer)).status).toBe(403)
  expect((await readers(stranger)).status).toBe(404)
  await fixture.call('DELETE', `/api/documents/${document}/links/${viewLink.id}`, { cookie: owner!.cookie })
  expect(await idsFor(owner)).toEqual(idsOf(owner, editor))
  const access = `/api/documents/${document}/access/${editor!.principal.id}`
  await fixture.call('DELETE', access, { cookie: owner!.cookie })
  expect(await idsFor(owner)).toEqual(idsOf(owner))
})
