import { afterAll, beforeAll, expect, test } from 'vitest'
import { soleNode } from '../nodes/nodes.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'

const TOKEN = 'correct-horse-battery'
const paths = { session: '/api/admin/session', figures: '/api/admin/figures' }

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture({ environment: { ADMIN_TOKEN: TOKEN } })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const signIn = (token: string, peer: string, options = {}) =>
  fixture.call('POST', paths.session, { body: { token }, peer, ...options })

test('without ADMIN_TOKEN there is nothing: 404 for every method', async () => {
  await using off = await openApiFixture()
  for (const [method, path] of [
    ['POST', paths.session],
    ['DELETE', paths.session],
    ['GET', paths.figures],
  ] as const)
    expect((await off.call(method, path, method === 'POST' ? { body: { token: '' } } : {})).status).toBe(404)
})

test.each([
  [false, 'diptych.admin'],
  [true, '__Secure-diptych.admin'],
])(
  'the token gives a cookie that no script reads and no other site brings (TLS: %s)',
  async (secure, name) => {
    const { status, headers } = await signIn(TOKEN, '10.0.0.1', { secure })
    expect(status).toBe(204)
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(
      new RegExp(`^${name}=[\\w.-]+; Max-Age=43200; Path=/api/admin; HttpOnly; SameSite=Strict`),
    )
    expect(cookie.endsWith('; Secure')).toBe(secure)
    expect(cookie).not.toContain(TOKEN)
    const pair = cookie.split(';')[0]!
    const figures = await fixture.call('GET', paths.figures, { cookie: `theme=dark; ${pair}`, secure })
    expect(figures.status).toBe(200)
    expect(figures.json).toMatchObject({ version: expect.any(String), store: 'sqlite', samples: [] })
    // A cookie of one scheme is none of the other.
    expect((await fixture.call('GET', paths.figures, { cookie: pair, secure: !secure })).status).toBe(401)
    const signedOut = await fixture.call('DELETE', paths.session, { cookie: pair, secure })
    expect(signedOut.headers.getSetCookie()[0]).toContain(`${name}=; Max-Age=0`)
  },
)

test('the figures say which node answered, and nothing of nodes where there can be only one', async () => {
  const others = [{ name: 'nbob', address: '' }]
  await using node = await openApiFixture({
    environment: { ADMIN_TOKEN: TOKEN },
    nodes: { ...soleNode('nada'), others },
  })
  const { headers } = await signIn(TOKEN, '10.0.0.6')
  const call = { cookie: headers.getSetCookie()[0]!.split(';')[0]! }
  expect((await node.call('GET', paths.figures, call)).json).toMatchObject({
    node: { name: 'nada', count: 2 },
  })
  expect((await fixture.call('GET', paths.figures, call)).json).toMatchObject({ node: null })
})

test('the figures say how much space there is, and who may have how much of it', async () => {
  await using limited = await openApiFixture({
    environment: { ADMIN_TOKEN: TOKEN, LIMIT_STORAGE: '100', LIMIT_STORAGE_OF_PERSON: '10' },
  })
  const { headers } = await limited.call('POST', paths.session, { body: { token: TOKEN }, peer: '10.0.0.7' })
  const call = { cookie: headers.getSetCookie()[0]!.split(';')[0]! }
  expect((await limited.call('GET', paths.figures, call)).json).toMatchObject({
    space: {
      usedBytes: expect.any(Number),
      limitBytes: 100 * 2 ** 20,
      personLimitBytes: 10 * 2 ** 20,
      freeBytes: null,
      reservedBytes: null,
    },
  })
})

test('a cookie that was changed, is past its end or signed with another token opens nothing', async () => {
  const { headers } = await signIn(TOKEN, '10.0.0.2')
  const [, end = '', signature = ''] = /=(\d+)\.([\w-]+)/.exec(headers.getSetCookie()[0]!) ?? []
  const later = String(Number(end) + 1)
  for (const value of ['', end, `${later}.${signature}`, `${end}.${signature}x`, `0.${signature}`])
    expect((await fixture.call('GET', paths.figures, { cookie: `diptych.admin=${value}` })).status).toBe(401)
  await using other = await openApiFixture({ environment: { ADMIN_TOKEN: `${TOKEN}-2` } })
  const cookie = `diptych.admin=${end}.${signature}`
  expect((await fixture.call('GET', paths.figures, { cookie })).status).toBe(200)
  expect((await other.call('GET', paths.figures, { cookie })).status).toBe(401)
})

test('after five wrong tokens an address waits, also with the right one; other addresses do not', async () => {
  for (const token of ['', 'correct', `${TOKEN} `, TOKEN.toUpperCase(), 'x'.repeat(256)])
    expect((await signIn(token, '10.0.0.3')).status).toBe(403)
  const refused = await signIn(TOKEN, '10.0.0.3')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await signIn(TOKEN, '10.0.0.4')).status).toBe(204)
  expect((await signIn('x'.repeat(257), '10.0.0.4')).status).toBe(400)
})

test('[A1] a page of another origin may neither sign in nor out', async () => {
  const origin = 'https://evil.example'
  expect((await signIn(TOKEN, '10.0.0.5', { origin })).status).toBe(403)
  expect((await fixture.call('DELETE', paths.session, { origin })).status).toBe(403)
  expect((await signIn(TOKEN, '10.0.0.5', { origin: null })).status).toBe(204)
})
