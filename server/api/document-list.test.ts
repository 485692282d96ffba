import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Principal } from '../access/principal.ts'
import { isTestedOnPostgres } from '../store/fixtures/test-store.ts'
import { titleKey } from '../store/title-key.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'
import { DocumentsByApi } from './fixtures/documents-by-api.ts'

let fixture: ApiFixture
let documents: DocumentsByApi
let me: { principal: Principal; cookie: string }
let other: typeof me

/** My documents and, by links, another person's: created in this order, edited in the reverse one. */
const ownTitles = ['pear', 'Äpfel', 'Zebra', 'apple 2', '🍋 lemon', '']
const sharedTitles = ['Éclair', 'banana', 'ｆｕｌｌ width']

beforeAll(async () => {
  fixture = await openApiFixture()
  documents = new DocumentsByApi(fixture)
  ;[me, other] = await Promise.all([fixture.createPerson(), fixture.createPerson()])
  for (const [at, title] of [...ownTitles, ...sharedTitles].entries()) {
    const isMine = at < ownTitles.length
    const owner = (isMine ? me : other).principal
    const id = await fixture.createDocument(owner)
    await fixture.db
      .updateTable('documents')
      .set({ title, title_key: titleKey(title), created_at: 1000 + at, updated_at: 2000 - at })
      .where('id', '=', id)
      .execute()
    if (isMine) continue
    for (const role of ['viewer', 'editor'] as const) {
      const { token } = await fixture.access.createShareLink(id, role, owner)
      await documents.redeem(me.cookie, id, token)
    }
  }
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** Returns all pages of the list. */
async function list(query: string, limit = 2) {
  const listed: { title: string; role: string; owner: { id: string; name: string } }[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor && `&cursor=${cursor}`
    const path = `/api/documents?limit=${limit}&${query}${after}`
    const { json, status } = await fixture.call('GET', path, { cookie: me.cookie })
    expect(status).toBe(200)
    listed.push(...(json['documents'] as unknown as typeof listed))
    cursor = json['next'] as unknown as string | null
  }
  return listed
}

const titles = async (query: string, limit?: number) => (await list(query, limit)).map(({ title }) => title)

const inTitleOrder = [
  'Äpfel',
  'apple 2',
  'banana',
  'Éclair',
  'ｆｕｌｌ width',
  'pear',
  'Zebra',
  '🍋 lemon',
  '',
]

describe('the list', () => {
  test('has my documents and those shared with me, the latest changed first', async () => {
    const { document, owner, viewer } = await documents.createWithPeople()
    await documents.create(viewer, 'My own')
    expect(await documents.listTitles(viewer)).toEqual(['My own', 'Budget'])
    await fixture.call('PATCH', `/api/documents/${document}`, {
      cookie: owner,
      body: { title: 'Budget plan' },
    })
    const { json } = await fixture.call('GET', '/api/documents', { cookie: viewer })
    expect(json['documents']).toMatchObject([
      { title: 'Budget plan', role: 'viewer' },
      { title: 'My own', role: 'owner' },
    ])
  })

  test('is searched by title in any case, with and without accents', async () => {
    const { cookie } = await fixture.createPerson()
    for (const title of ['Über uns', '100 % sure', 'Other', 'Élan', 'elan 2'])
      await documents.create(cookie, title)
    expect(await documents.listTitles(cookie, `?query=${encodeURIComponent('ÜBER')}`)).toEqual(['Über uns'])
    expect(await documents.listTitles(cookie, '?query=%25')).toEqual(['100 % sure'])
    for (const words of ['elan', 'Élan', 'E\u0301LAN'])
      expect(await documents.listTitles(cookie, `?sort=title&query=${encodeURIComponent(words)}`)).toEqual([
        'Élan',
        'elan 2',
      ])
    expect(await documents.listTitles(cookie, '?query=')).toHaveLength(5)
    expect(await documents.listTitles(cookie, '?query=nothing')).toEqual([])
  })

  test('has one entry for several links to one document, with the strongest role', async () => {
    const { document, owner, viewer } = await documents.createWithPeople()
    const { token } = await documents.createShareLink(owner, document, 'editor')
    await documents.redeem(viewer, document, token)
    const { json } = await fixture.call('GET', '/api/documents', { cookie: viewer })
    expect(json['documents']).toMatchObject([{ id: document, role: 'editor' }])
  })

  test('[A6] comes in pages, each document once, also at equal times', async () => {
    const { cookie, principal } = await fixture.createPerson()
    const ids: string[] = []
    for (let n = 0; n < 25; n++) ids.push(await fixture.createDocument(principal))
    for (const [at, id] of ids.entries())
      await fixture.db
        .updateTable('documents')
        .set({ updated_at: 1000 - Math.floor(at / 10), created_at: 1 })
        .where('id', '=', id)
        .execute()
    const { document, owner } = await documents.createWithPeople()
    const { token } = await documents.createShareLink(owner, document, 'editor')
    await documents.redeem(cookie, document, token)
    const pages: string[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor && `&cursor=${cursor}`
      const { json, status } = await fixture.call('GET', `/api/documents?limit=10${after}`, { cookie })
      expect(status).toBe(200)
      pages.push((json['documents'] as unknown as { id: string }[]).map(({ id }) => id))
      cursor = json['next'] as unknown as string | null
    }
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 6])
    expect(pages.flat()[0]).toBe(document)
    expect(new Set(pages.flat())).toEqual(new Set([document, ...ids]))
    expect(pages.flat().slice(1, 11).toSorted()).toEqual(ids.slice(0, 10).toSorted())
  })

  test('[A6] a page has 100 documents by default, and a search has pages, too', async () => {
    const { cookie, principal } = await fixture.createPerson()
    for (let n = 0; n < 105; n++) {
      const id = await fixture.createDocument(principal)
      await fixture.db
        .updateTable('documents')
        .set({ title: `Plan ${n}` })
        .where('id', '=', id)
        .execute()
    }
    expect(await documents.listTitles(cookie)).toHaveLength(100)
    const found = await fixture.call('GET', '/api/documents?query=PLAN%201&limit=10', { cookie })
    expect(found.json['documents']).toHaveLength(10)
    const next = String(found.json['next'])
    expect(await documents.listTitles(cookie, `?query=PLAN%201&limit=10&cursor=${next}`)).toHaveLength(6)
  })

  test.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor=1.2.', `query=${'x'.repeat(301)}`])(
    '[A6] ?%s is refused',
    async (query) => {
      const { cookie } = await fixture.createPerson()
      const { status, json } = await fixture.call('GET', `/api/documents?${query}`, { cookie })
      expect([status, json['error']]).toMatchObject([400, { code: 'bad-request' }])
    },
  )

  test('is sorted by title without regard to case and accents, over pages of any length', async () => {
    for (const limit of [1, 2, 5, 100]) expect(await titles('sort=title', limit)).toEqual(inTitleOrder)
  })

  test('has "Doc 2" before "Doc 10", over pages of any length', async () => {
    const { cookie } = await fixture.createPerson()
    const titles = ['Doc 1', 'Doc 2', 'Doc 10', 'Doc 20', 'Doc 100', '']
    for (const title of titles.toReversed()) await documents.create(cookie, title)
    for (const limit of [1, 4]) {
      const listed: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const path: string = `/api/documents?sort=title&limit=${limit}${cursor && `&cursor=${cursor}`}`
        const { json } = await fixture.call('GET', path, { cookie })
        listed.push(...(json['documents'] as unknown as { title: string }[]).map(({ title }) => title))
        cursor = json['next'] as unknown as string | null
      }
      expect(listed).toEqual(titles)
    }
  })

  test('is sorted by the last edit, and by creation, the latest first', async () => {
    expect(await titles('sort=edited')).toEqual([...ownTitles, ...sharedTitles])
    expect(await titles('')).toEqual([...ownTitles, ...sharedTitles])
    expect(await titles('sort=created')).toEqual([...ownTitles, ...sharedTitles].reverse())
  })

  test('shows what I own or what others share with me, each once with the strongest role', async () => {
    expect(await titles('filter=owned&sort=edited')).toEqual(ownTitles)
    const shared = await list('filter=shared&sort=edited')
    expect(shared.map(({ title }) => title)).toEqual(sharedTitles)
    expect(new Set(shared.map(({ role }) => role))).toEqual(new Set(['editor']))
    expect(await titles('filter=all&sort=title')).toEqual(inTitleOrder)
  })

  test('shows the owner of each document', async () => {
    const { json } = await fixture.call('GET', '/api/me', { cookie: other.cookie })
    const [first] = await list('filter=shared')
    expect(first!.owner).toEqual({ id: other.principal.id, name: json['name'] })
    const [own] = await list('filter=owned')
    expect(own!.owner.id).toBe(me.principal.id)
  })

  test('can be searched in each order', async () => {
    expect(await titles('query=P&sort=title')).toEqual(['Äpfel', 'apple 2', 'pear'])
    expect(await titles('query=P&sort=created')).toEqual(['apple 2', 'Äpfel', 'pear'])
    expect(await titles('query=an&filter=shared')).toEqual(['banana'])
  })

  test('accepts control characters and long titles in its cursors', async () => {
    const { cookie } = await fixture.createPerson()
    for (const title of ['\u0001'.repeat(300), '文'.repeat(300), 'ﷺ'.repeat(300)])
      await fixture.call('POST', '/api/documents', { cookie, body: { title } })
    const listed = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor && `&cursor=${cursor}`
      const { json } = await fixture.call('GET', `/api/documents?limit=1&sort=title${after}`, { cookie })
      for (const { id } of json['documents'] as unknown as { id: string }[]) listed.add(id)
      cursor = json['next'] as unknown as string | null
    }
    expect(listed.size).toBe(3)
  })

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  test.each([
    'sort=owner',
    'filter=mine',
    `sort=title&cursor=${encoded(['edited', 1, 'x'])}`,
    `sort=edited&cursor=${encoded(['edited', 'x', 'x'])}`,
    `sort=title&cursor=${encoded(['title', 1, 'x'])}`,
    `sort=title&cursor=${encoded(['title', null, 'x'])}`,
    `cursor=${encoded({ sort: 'edited' })}`,
  ])('[A6] ?%s is refused', async (query) => {
    const { status, json } = await fixture.call('GET', `/api/documents?${query}`, { cookie: me.cookie })
    expect([status, json['error']]).toMatchObject([400, { code: 'bad-request' }])
  })

  // The plan is SQLite's; PostgreSQL chooses by the number of rows, and has the same indexes.
  test.skipIf(isTestedOnPostgres).each(['edited', 'title', 'created'] as const)(
    '[A6] sorted by %s, a page reads no more owned documents than it shows',
    async (sort) => {
      const column = { edited: 'updated_at', title: 'title_key', created: 'created_at' }[sort]
      const direction = sort === 'title' ? 'asc' : 'desc'
      const order = sql.raw(`${column} ${direction}, id ${direction}`)
      const { rows } = await sql<{ detail: string }>`
      explain query plan select id from documents
      where deleted_at is null and owner = 'user:x' order by ${order} limit 100
    `.execute(fixture.db)
      expect(rows.map(({ detail }) => detail).join('; ')).toMatch(
        /^SEARCH documents USING (COVERING )?INDEX documents_\w+ \(owner=\?\)$/,
      )
    },
  )
})

test('[A4] of documents asked for by id, the list has those that I may open', async () => {
  const [mine, shared] = await Promise.all([list('filter=owned', 1), list('filter=shared', 1)])
  const ids = [mine, shared].map(([first]) => (first as unknown as { readonly id: string }).id)
  const hidden = await fixture.createDocument(other.principal)
  const found = await list(`ids=${[...ids, hidden, 'AAAAAAAAAAAAAAAAAAAAAA'].join(',')}`, 10)
  expect(found.map((each) => (each as unknown as { readonly id: string }).id).sort()).toEqual(ids.sort())
})

test.each(['', 'x', 'AAAAAAAAAAAAAAAAAAAAAA,', Array(51).fill('AAAAAAAAAAAAAAAAAAAAAA').join(',')])(
  '[A6] %j are no ids',
  async (ids) => {
    const answer = await fixture.call('GET', `/api/documents?ids=${ids}`, { cookie: me.cookie })
    expect(answer.status).toBe(400)
  },
)
