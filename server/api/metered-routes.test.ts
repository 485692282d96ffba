/** What one person's requests may cost, counted, while another person at the same address goes on. No time passes for the meter. */
import { afterEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { Meter } from '../metering/meter.ts'
import { apiUnits, PRICES } from '../metering/prices.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'
import { triesAll } from '../../lib/fixtures/runs.ts'

const UNITS_AT_ONCE = 200_000
/** For requests that cost little: thousands of them would show nothing more. */
const FEW_REQUESTS = 20

let fixture: ApiFixture
afterEach(() => fixture[Symbol.asyncDispose]())

async function openMetered(atOnce = UNITS_AT_ONCE, members = 0) {
  const rate = { atOnce, perSecond: 1_000 }
  const meter = new Meter({ rate, clock: { now: () => 0, after: () => () => {} } })
  fixture = await openApiFixture({ meter, members })
  const [eve, ada] = [await fixture.createPerson(), await fixture.createPerson()]
  return { eve, ada, document: await fixture.createDocument(eve.principal) }
}

type RequestLine = readonly [method: string, path: string, body?: object]

const callAs = (cookie: string, [method, path, body]: RequestLine) =>
  fixture.call(method, path, { cookie, ...(body && { body }) })

/** Returns how many requests were answered before one was refused. */
async function countAnswers(cookie: string, requestOf: (index: number) => RequestLine): Promise<number> {
  for (let index = 0; ; index++) {
    const { status, headers, json } = await callAs(cookie, requestOf(index))
    if (status === 429) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(json['error']).toMatchObject({
        code: 'too-many',
        message: expect.stringContaining('LIMIT_WORK'),
      })
      return index
    }
    expect(status).toBeLessThan(500)
  }
}

/** Requests are answered while 1,000 units are left. */
const mostOf = (units: number, atOnce = UNITS_AT_ONCE): number => 1 + Math.floor((atOnce - 1_000) / units)

const unitsOfFew = (units: number): number => Math.min(UNITS_AT_ONCE, FEW_REQUESTS * units + 1_000)

describe('[A6] a person who asks without end is refused by 429, and somebody else at the address is not', () => {
  test.each<[what: string, units: number, requestOf: (id: string, index: number) => RequestLine]>([
    ['who they are', PRICES.request, () => ['GET', '/api/me']],
    ['for names', PRICES.request + apiUnits.profile, (_, n) => ['PATCH', '/api/me', { name: `Eve ${n}` }]],
    ['for a document', PRICES.request, (id) => ['GET', `/api/documents/${id}`]],
    ['for documents', PRICES.request + PRICES.row, () => ['GET', '/api/documents']],
    ['for words', PRICES.request + apiUnits.search(1, 20), () => ['GET', '/api/search?q=zebra']],
    ['for what is not theirs', PRICES.request, () => ['GET', '/api/documents/AAAAAAAAAAAAAAAAAAAAAA']],
    ['for titles', PRICES.request + PRICES.row, () => ['GET', '/api/documents?query=e']],
    [
      'for another title',
      PRICES.request + apiUnits.serverEdit,
      (id, n) => ['PATCH', `/api/documents/${id}`, { title: `${n}` }],
    ],
    ['for new documents', PRICES.request + apiUnits.serverEdit, () => ['POST', '/api/documents', {}]],
    ['for copies', PRICES.request + apiUnits.copy(0), (id) => ['POST', `/api/documents/${id}/copies`]],
    ['for imports', PRICES.request + apiUnits.imported(0), () => ['POST', '/api/documents/import?name=a.md']],
    [
      'for another format',
      PRICES.request + apiUnits.exported(0),
      (id) => ['GET', `/api/documents/${id}/export?format=json`],
    ],
    ['for versions', PRICES.request, (id) => ['GET', `/api/documents/${id}/versions`]],
    [
      'for a new version',
      PRICES.request + apiUnits.storedText(0),
      (id) => ['POST', `/api/documents/${id}/versions`, { name: 'kept' }],
    ],
    ['who may read', PRICES.request + PRICES.row, (id) => ['GET', `/api/documents/${id}/readers`]],
    ['who wrote', PRICES.request, (id) => ['GET', `/api/documents/${id}/people`]],
    [
      'for links',
      PRICES.request + apiUnits.recheck(0),
      (id) => ['POST', `/api/documents/${id}/links`, { role: 'viewer' }],
    ],
    ['which links there are', PRICES.request, (id) => ['GET', `/api/documents/${id}/links`]],
    ['for the link they came by', PRICES.request, (id) => ['GET', `/api/documents/${id}/redeemed-link`]],
    ['for the trash', PRICES.request, () => ['GET', '/api/trash']],
  ])('%s', async (_what, units, requestOf) => {
    const atOnce = unitsOfFew(units)
    const { eve, ada, document } = await openMetered(atOnce)
    const answered = await countAnswers(eve.cookie, (index) => requestOf(document, index))
    expect(answered).toBeGreaterThan(0)
    expect(answered).toBeLessThanOrEqual(mostOf(units, atOnce))
    expect((await callAs(ada.cookie, ['GET', '/api/documents'])).status).toBe(200)
  })

  test('an export is paid for by its comments, too', async () => {
    const { eve, document } = await openMetered()
    const comments = new Y.Doc()
    comments.getMap('old').set('letters', 'x'.repeat(200_000))
    const update = Y.encodeStateAsUpdate(comments)
    const clients = [comments.clientID]
    await fixture.store.append([
      { document, part: 'comments', update, principal: eve.principal.id, session: 's', number: 1, clients },
    ])
    const answered = await countAnswers(eve.cookie, () => [
      'GET',
      `/api/documents/${document}/export?format=json`,
    ])
    expect(answered).toBeLessThanOrEqual(mostOf(PRICES.request + apiUnits.exported(200_000)))
  })

  test('an export is paid for by its pictures, since the storage is asked for each', async () => {
    const { eve, document } = await openMetered()
    const pictures = Array.from({ length: 500 }, (_, index) => ({
      document,
      id: `picture-${index}`,
      sha256: 'a'.repeat(64),
      bytes: 1,
      type: 'image/png',
      width: 1,
      height: 1,
      name: 'a.png',
      uploaded_by: eve.principal.id,
      uploaded_at: 1,
    }))
    await fixture.db.insertInto('files').values(pictures).execute()
    const answered = await countAnswers(eve.cookie, () => [
      'GET',
      `/api/documents/${document}/export?format=html`,
    ])
    const units = PRICES.request + apiUnits.exported(0) + apiUnits.lookedForFiles(pictures.length)
    expect(answered).toBeLessThanOrEqual(mostOf(units))
  })

  test('a stranger who asks whose a ticket is, by their address', async () => {
    const { ada, eve } = await openMetered(20_000)
    const { ticket } = (await callAs(eve.cookie, ['POST', '/api/me/tickets'])).json
    const look = () => fixture.call('POST', '/api/tickets/look', { body: { ticket } })
    let looked = 0
    while ((await look()).status === 200) looked += 1
    expect(looked).toBeGreaterThan(0)
    expect(looked).toBeLessThan((10 * 20_000) / PRICES.request)
    const error = { code: 'too-many', message: expect.stringContaining('LIMIT_WORK') }
    expect((await look()).json).toMatchObject({ error })
    expect((await callAs(ada.cookie, ['GET', '/api/documents'])).status).toBe(200)
  })

  test('a link made and revoked costs a look at the rights of everybody in the document', async () => {
    const { eve, document } = await openMetered(UNITS_AT_ONCE, 50)
    const links = `/api/documents/${document}/links`
    let revoked = 0
    for (; revoked < 1_000; revoked++) {
      const made = await callAs(eve.cookie, ['POST', links, { role: 'viewer' }])
      if (made.status === 429) break
      if ((await callAs(eve.cookie, ['DELETE', `${links}/${made.json['id']}`])).status === 429) break
    }
    expect(revoked).toBeLessThanOrEqual(
      mostOf(2 * PRICES.request + apiUnits.recheck(0) + apiUnits.recheck(50)),
    )
    expect(revoked).toBeGreaterThan(5)
  })

  test('a link redeemed again and again costs the same', async () => {
    const { eve, ada, document } = await openMetered(UNITS_AT_ONCE, 50)
    const { token } = await fixture.access.createShareLink(document, 'viewer', eve.principal)
    const redeem = (): RequestLine => ['POST', `/api/documents/${document}/redeem`, { token }]
    const answered = await countAnswers(ada.cookie, redeem)
    expect(answered).toBeLessThanOrEqual(mostOf(PRICES.request + apiUnits.recheck(50)))
    expect(answered).toBeGreaterThan(5)
  })

  test('a wrong link costs as much as any request, however many people are in the document', async () => {
    const atOnce = unitsOfFew(PRICES.request)
    const { ada, document } = await openMetered(atOnce, 1_000)
    const guess = (): RequestLine => ['POST', `/api/documents/${document}/redeem`, { token: 'x'.repeat(22) }]
    expect(await countAnswers(ada.cookie, guess)).toBe(mostOf(PRICES.request, atOnce))
  })
})

test.runIf(triesAll)('[A6] a page that asks a hundred times as much as usual meets no limit', async () => {
  const meter = new Meter({ clock: { now: () => 0, after: () => () => {} } })
  fixture = await openApiFixture({ meter, members: 50 })
  const { principal, cookie } = await fixture.createPerson()
  const document = await fixture.createDocument(principal)
  const path = `/api/documents/${document}`
  const typed = ['q', 'qu', 'qua', 'quar', 'quart', 'quarte', 'quarter'].map(
    (text) => `/api/documents?query=${text}`,
  )
  const usual = [
    '/api/me',
    '/api/documents',
    path,
    `${path}/people`,
    `${path}/versions`,
    `${path}/links`,
    ...typed,
  ]
  for (let time = 0; time < 100; time++)
    for (const each of usual) expect((await fixture.call('GET', each, { cookie })).status).toBe(200)
})

test('[A6] making a link, and redeeming one again, has nobody’s rights read again', async () => {
  fixture = await openApiFixture()
  const [owner, reader] = [await fixture.createPerson(), await fixture.createPerson()]
  const document = await fixture.createDocument(owner.principal)
  const changed: string[] = []
  fixture.access.onChanged((id) => void changed.push(id))
  const { token } = await fixture.access.createShareLink(document, 'viewer', owner.principal)
  expect(changed).toEqual([])
  for (let time = 0; time < 3; time++)
    expect(await fixture.access.redeemShareLink(reader.principal, document, token)).toBe('viewer')
  expect(changed).toEqual([document])
})
