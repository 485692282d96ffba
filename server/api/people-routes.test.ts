/** The people who came by links, as their document's owner lists and removes them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'
import { DocumentsByApi } from './fixtures/documents-by-api.ts'

let fixture: ApiFixture
let documents: DocumentsByApi

beforeAll(async () => {
  fixture = await openApiFixture()
  documents = new DocumentsByApi(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

interface ListedPerson {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly joinedAt: string
}

async function listPeople(document: string, cookie: string, query = '') {
  const { status, json } = await fixture.call('GET', `/api/documents/${document}/access${query}`, { cookie })
  expect(status).toBe(200)
  return json as unknown as { people: ListedPerson[]; next: string | null }
}

async function createDocumentWithGuests(count: number) {
  const { cookie: owner } = await fixture.createPerson()
  const document = await documents.create(owner)
  const link = await documents.createShareLink(owner, document, 'editor')
  const guests = []
  for (let n = 0; n < count; n++) {
    const guest = await fixture.createPerson()
    await documents.redeem(guest.cookie, document, link.token)
    guests.push(guest)
  }
  return { owner, document, link, guests }
}

test('each person is listed once, by name, with the stronger role of two links, and on some page', async () => {
  const { owner, document, guests } = await createDocumentWithGuests(5)
  const viewing = await documents.createShareLink(owner, document, 'viewer')
  await documents.redeem(guests[0]!.cookie, document, viewing.token)
  const listed: ListedPerson[] = []
  for (let cursor: string | null = '', pages = 0; cursor !== null; pages++) {
    expect(pages).toBeLessThan(3)
    const page: Awaited<ReturnType<typeof listPeople>> = await listPeople(
      document,
      owner,
      `?limit=2${cursor && `&cursor=${cursor}`}`,
    )
    listed.push(...page.people)
    cursor = page.next
  }
  expect(listed.map(({ id, name, role }) => ({ id, name, role })).toSorted(byId)).toEqual(
    guests.map(({ principal: { id, name } }) => ({ id, name, role: 'editor' })).toSorted(byId),
  )
  const times = listed.map(({ joinedAt }) => Date.parse(joinedAt))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
})

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

test('[A4] a removed person is refused at the next request, has nothing in their list, and is removed once', async () => {
  const { owner, document, link, guests } = await createDocumentWithGuests(2)
  const [bob, eve] = guests as [(typeof guests)[0], (typeof guests)[0]]
  const remove = () =>
    fixture.call('DELETE', `/api/documents/${document}/access/${eve.principal.id}`, { cookie: owner })
  expect((await remove()).status).toBe(204)
  expect((await fixture.call('GET', `/api/documents/${document}`, { cookie: eve.cookie })).status).toBe(404)
  expect((await documents.redeem(eve.cookie, document, link.token)).status).toBe(404)
  expect(await documents.listTitles(eve.cookie)).toEqual([])
  expect(await documents.listTitles(bob.cookie)).toHaveLength(1)
  expect((await listPeople(document, owner)).people.map(({ id }) => id)).toEqual([bob.principal.id])
  expect((await remove()).status).toBe(404)
})

test('[A4] a link whose new joins were stopped is listed as closed, and opens again', async () => {
  const { owner, document, link, guests } = await createDocumentWithGuests(1)
  const setOpen = (open: unknown) =>
    fixture.call('PATCH', `/api/documents/${document}/links/${link.id}`, { cookie: owner, body: { open } })
  const { cookie: late } = await fixture.createPerson()
  expect((await setOpen(false)).status).toBe(204)
  expect((await documents.redeem(late, document, link.token)).status).toBe(404)
  expect((await documents.redeem(guests[0]!.cookie, document, link.token)).status).toBe(200)
  const { json } = await fixture.call('GET', `/api/documents/${document}/links`, { cookie: owner })
  expect(json).toMatchObject({ links: [{ open: false, people: 1 }] })
  expect((await setOpen(true)).status).toBe(204)
  expect((await documents.redeem(late, document, link.token)).status).toBe(200)
  expect((await setOpen('no')).status).toBe(400)
})

test('a cursor that no list gave is refused', async () => {
  const { owner, document } = await createDocumentWithGuests(0)
  const { status } = await fixture.call('GET', `/api/documents/${document}/access?cursor=x`, {
    cookie: owner,
  })
  expect(status).toBe(400)
})
