import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { type DoorRequest, isRefusal } from './access.ts'
import { createAccess } from './create-access.ts'
import { door, type Fixture, log, openFixture, ORIGIN } from './fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const withCookie = (cookie: string, more: Record<string, string | boolean> = {}) =>
  door({ origin: ORIGIN, cookie, ...more })

async function status(request: DoorRequest): Promise<number> {
  const answer = await fixture.access.admit(request)
  return isRefusal(answer) ? answer.status : 200
}

describe('guests', () => {
  test('the first page makes one, with a friendly name and a cookie no script can read', async () => {
    const guest = await fixture.access.guest(door({ method: 'GET' }))
    expect(guest?.isNew).toBe(true)
    expect(guest?.principal.id).toMatch(/^user:\w{20,}$/)
    expect(guest?.principal.name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
    expect(guest?.setCookies).toHaveLength(1)
    const [pair, ...attributes] = guest!.setCookies[0]!.split('; ')
    expect(pair).toBe(guest!.cookie)
    expect(attributes).toEqual(
      expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=34560000']),
    )
    expect(attributes).not.toContain('Secure')
  })

  test('[A10] on TLS the cookie is this host’s alone, and http and https have different guests', async () => {
    const guest = await fixture.access.guest(door({ method: 'GET', secure: true }))
    expect(guest!.setCookies[0]).toMatch(/^__Host-.*; Path=\/.*; Secure/)
    expect(guest!.setCookies[0]).not.toMatch(/Domain/i)
    const value = guest!.cookie.slice(guest!.cookie.indexOf('=') + 1)
    expect(
      await status(door({ origin: 'https://localhost:3000', secure: true, cookie: guest!.cookie })),
    ).toBe(200)
    expect(await status(withCookie(guest!.cookie))).toBe(401)
    expect(await status(withCookie(`diptych.session_token=${value}`))).toBe(401)
    const plain = (await fixture.person()).cookie
    expect(await status(withCookie(plain))).toBe(200)
    const asSecure = door({ origin: 'https://localhost:3000', secure: true, cookie: `__Host-${plain}` })
    expect(await status(asSecure)).toBe(401)
  })

  test('[A10] a cookie of the former name is the same person, and is moved to the new one', async () => {
    const { access, db } = fixture
    const { principal, cookie } = await fixture.person(true)
    const former = cookie.replace(/^__Host-/, '__Secure-')
    const request = door({ origin: 'https://localhost:3000', secure: true, cookie: `theme=dark; ${former}` })
    expect(await access.admit(request)).toEqual(principal)
    expect(access.credentialOf(request)).toBe(principal.credential)
    const moved = await access.guest(request)
    expect(moved).toMatchObject({ principal, isNew: false, cookie: `theme=dark; ${cookie}` })
    expect(moved!.setCookies).toEqual([
      `${cookie}; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax`,
      '__Secure-diptych.session_token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    const soon = new Date(Date.now() + 300 * 24 * 3600_000).toISOString()
    const user = principal.id.slice('user:'.length)
    await db.updateTable('session').set({ expiresAt: soon }).where('userId', '=', user).execute()
    const renewed = await access.guest(request)
    expect(renewed!.setCookies.map((line) => line.split('=', 1)[0])).toEqual([
      '__Host-diptych.session_token',
      '__Secure-diptych.session_token',
    ])
    expect(await access.guest(door({ secure: true, cookie: `${former}; ${cookie}` }))).toBeNull()
  })

  test('a valid cookie makes no second guest, and other cookies are carried on', async () => {
    const { cookie } = await fixture.person()
    expect(await fixture.access.guest(door({ cookie: `theme=dark; ${cookie}` }))).toBeNull()
    const fresh = await fixture.access.guest(door({ cookie: 'theme=dark; diptych.session_token=forged' }))
    expect(fresh?.cookie).toMatch(/^theme=dark; diptych\.session_token=(?!forged)/)
  })

  test('a day later the cookie is renewed for the same guest', async () => {
    const { principal, cookie } = await fixture.person()
    const user = principal.id.slice('user:'.length)
    const soon = new Date(Date.now() + 300 * 24 * 3600_000).toISOString()
    await fixture.db.updateTable('session').set({ expiresAt: soon }).where('userId', '=', user).execute()
    const renewed = await fixture.access.guest(door({ cookie }))
    expect(renewed?.isNew).toBe(false)
    expect(renewed?.principal).toEqual(principal)
    expect(renewed?.setCookies[0]).toContain('Max-Age=34560000')
    expect(await fixture.access.guest(door({ cookie }))).toBeNull()
  })

  test('an expired session is signed out', async () => {
    const { principal, cookie } = await fixture.person()
    const user = principal.id.slice('user:'.length)
    await fixture.db
      .updateTable('session')
      .set({ expiresAt: new Date(0).toISOString() })
      .where('userId', '=', user)
      .execute()
    expect(await status(withCookie(cookie))).toBe(401)
    expect((await fixture.access.guest(door({ cookie })))?.isNew).toBe(true)
  })

  test('cookies outlive a restart, and the secret is for its owner alone', async () => {
    const { cookie } = await fixture.person()
    const { dataDir, db, access } = fixture
    const again = await createAccess({ db, log, dataDir, arrivals: access.arrivals, allowedOrigins: [] })
    expect(isRefusal(await again.admit(withCookie(cookie)))).toBe(false)
    const file = join(dataDir, 'secret')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(Buffer.from(await readFile(file, 'utf8'), 'base64url').length).toBe(32)
  })

  test('a known cookie is not looked up again at once', async () => {
    const { principal, cookie } = await fixture.person()
    expect(await status(withCookie(cookie))).toBe(200)
    await fixture.db.deleteFrom('session').where('userId', '=', principal.id.slice('user:'.length)).execute()
    expect(await status(withCookie(cookie))).toBe(200)
  })
})

describe('admit', () => {
  test.each<[string, () => Promise<DoorRequest> | DoorRequest, number]>([
    ['own Origin, cookie', async () => withCookie((await fixture.person()).cookie), 200],
    ['own Origin, nothing', () => door({ origin: ORIGIN }), 401],
    ['own Origin, forged cookie', () => withCookie('diptych.session_token=abc.def'), 401],
    ['own Origin, cookie of another session with this signature', async () => forged(), 401],
    ['own Origin, unknown token', () => door({ origin: ORIGIN, authorization: 'Bearer nope' }), 401],
    [
      'foreign Origin, cookie',
      async () => withCookie((await fixture.person()).cookie, { origin: 'https://evil.example' }),
      403,
    ],
    ['no Origin, cookie', async () => door({ cookie: (await fixture.person()).cookie }), 403],
    ['no Origin, unknown token', () => door({ authorization: 'Bearer nope' }), 401],
    ['no Origin, nothing', () => door({}), 403],
    [
      'no Origin, a link’s token',
      async () => door({ authorization: `Bearer ${(await shared('viewer')).token}` }),
      200,
    ],
    [
      'a token in another scheme',
      async () => door({ origin: ORIGIN, authorization: `Basic ${(await shared('viewer')).token}` }),
      401,
    ],
  ])('[A1] %s', async (_title, request, expected) => {
    expect(await status(await request())).toBe(expected)
  })

  async function forged(): Promise<DoorRequest> {
    const [mine, other] = [await fixture.person(), await fixture.person()]
    const signature = mine.cookie.slice(mine.cookie.indexOf('.', 25))
    return withCookie(other.cookie.slice(0, other.cookie.indexOf('.', 25)) + signature)
  }

  test('[A2] the same proof has the same credential, known without the database', async () => {
    const { access } = fixture
    const { principal, cookie } = await fixture.person()
    expect(access.credentialOf(door({ cookie: `a=b; ${cookie}` }))).toBe(principal.credential)
    expect(access.credentialOf(door({ cookie: (await fixture.person()).cookie }))).not.toBe(
      principal.credential,
    )
    expect(access.credentialOf(door({}))).toBe('')
    const { token } = await shared('editor')
    const linked = await fixture.linkPrincipal(token)
    expect(access.credentialOf(door({ authorization: `Bearer ${token}` }))).toBe(linked.credential)
    expect(cookie).not.toContain(principal.credential)
  })

  test('who comes with a token alone is the link, not a person', async () => {
    const { token, link } = await shared('editor')
    const principal = await fixture.linkPrincipal(token)
    expect(principal).toMatchObject({ id: `link:${link}`, token })
  })
})

describe('admitOrGreet', () => {
  const greet = async (request: DoorRequest) => {
    const answer = await fixture.access.admitOrGreet(request)
    return isRefusal(answer) ? answer.status : answer.setCookies.length
  }

  test('makes a guest of who has no valid cookie, and of nobody from elsewhere', async () => {
    const { cookie } = await fixture.person()
    expect(await greet(door({}))).toBe(1)
    expect(await greet(door({ origin: ORIGIN }))).toBe(1)
    expect(await greet(withCookie('diptych.session_token=stale'))).toBe(1)
    expect(await greet(withCookie(cookie))).toBe(0)
    expect(await greet(door({ cookie }))).toBe(403)
    expect(await greet(door({ origin: 'https://evil.example' }))).toBe(403)
    expect(await greet(door({ origin: 'null' }))).toBe(403)
    expect(await greet(door({ 'sec-fetch-site': 'cross-site' }))).toBe(403)
  })
})

/** A document of somebody's with a link to it. */
async function shared(role: 'viewer' | 'editor') {
  const owner = await fixture.person()
  const document = await fixture.document(owner.principal)
  const { id: link, token } = await fixture.access.createLink(document, role, owner.principal)
  return { owner: owner.principal, document, link, token }
}

describe('roles', () => {
  test('[A4] the strongest of owner, grant and token counts', async () => {
    const { access } = fixture
    const { owner, document, token: reading } = await shared('viewer')
    const { token: writing } = await access.createLink(document, 'editor', owner)
    const { principal: other } = await fixture.person()
    const roleOf = (token?: string) => access.roleOf(other, document, token)

    expect(await access.roleOf(owner, document)).toBe('owner')
    expect(await access.roleOf(owner, document, reading)).toBe('owner')
    expect(await roleOf()).toBeNull()
    expect(await roleOf('')).toBeNull()
    expect(await roleOf(reading)).toBe('viewer')
    expect(await access.redeem(other, document, reading)).toBe('viewer')
    expect(await roleOf()).toBe('viewer')
    expect(await roleOf(writing)).toBe('editor')
    expect(await access.redeem(other, document, writing)).toBe('editor')
    expect(await roleOf(reading)).toBe('editor')
    expect(await access.roleOf(await fixture.linkPrincipal(reading), document)).toBe('viewer')
    expect(await access.roleOf(await fixture.linkPrincipal(reading), document, writing)).toBe('editor')
  })

  test('a token opens its own document alone', async () => {
    const { token } = await shared('editor')
    const { document: elsewhere } = await shared('editor')
    const { principal } = await fixture.person()
    expect(await fixture.access.roleOf(principal, elsewhere, token)).toBeNull()
    expect(await fixture.access.redeem(principal, elsewhere, token)).toBeNull()
    expect(await fixture.access.roleOf(await fixture.linkPrincipal(token), elsewhere)).toBeNull()
  })

  test('missing, malformed, deleted and forbidden are one answer', async () => {
    const { owner, document, token } = await shared('editor')
    const { principal: other } = await fixture.person()
    await fixture.access.redeem(other, document, token)
    await fixture.db.updateTable('documents').set({ deleted_at: 1 }).where('id', '=', document).execute()
    for (const [who, id] of [
      [owner, document],
      [other, document],
      [owner, newDocumentId()],
      [owner, 'not an id'],
      [owner, "' or 1=1 --"],
      [owner, (await shared('viewer')).document],
    ] as const) {
      expect(await fixture.access.roleOf(who, id, token)).toBeNull()
      expect(await fixture.access.redeem(who, id, token)).toBeNull()
    }
  })

  test('[A4] a revoked link takes its token and its grants along, but no other link’s', async () => {
    const { access } = fixture
    const { owner, document, link, token } = await shared('editor')
    const { token: reading } = await access.createLink(document, 'viewer', owner)
    const [{ principal: redeemed }, { principal: twice }] = [await fixture.person(), await fixture.person()]
    await access.redeem(redeemed, document, token)
    await access.redeem(twice, document, token)
    await access.redeem(twice, document, reading)
    const linked = await fixture.linkPrincipal(token)

    expect(await access.revokeLink(document, link, owner)).toBe(true)
    expect(await access.roleOf(redeemed, document)).toBeNull()
    expect(await access.roleOf(redeemed, document, token)).toBeNull()
    expect(await access.roleOf(twice, document)).toBe('viewer')
    expect(await access.roleOf(linked, document)).toBeNull()
    expect(await access.redeem(redeemed, document, token)).toBeNull()
    expect(await status(door({ authorization: `Bearer ${token}` }))).toBe(401)
    expect(await access.revokeLink(document, link, owner)).toBe(false)
  })

  test('a grant is a person’s: what one bearer of a link redeems, the others do not get', async () => {
    const { access } = fixture
    const { owner, document, token: reading } = await shared('viewer')
    const { token: writing } = await access.createLink(document, 'editor', owner)
    const linked = await fixture.linkPrincipal(reading)
    expect(await access.redeem(linked, document, writing)).toBe('editor')
    expect(await access.roleOf(linked, document)).toBe('viewer')
  })

  test('a link of another document is not revoked', async () => {
    const { owner, link } = await shared('viewer')
    const { document: elsewhere } = await shared('viewer')
    expect(await fixture.access.revokeLink(elsewhere, link, owner)).toBe(false)
  })
})

test('onChanged tells of links made, redeemed and revoked, until undone', async () => {
  const { access } = fixture
  const { owner, document, link, token } = await shared('viewer')
  const heard: string[] = []
  const undo = access.onChanged((id) => heard.push(id))
  await access.createLink(document, 'viewer', owner)
  expect(heard.splice(0)).toEqual([document])
  await access.redeem((await fixture.person()).principal, document, token)
  expect(heard.splice(0)).toEqual([document])
  await access.redeem((await fixture.person()).principal, document, 'wrong')
  expect(heard.splice(0)).toEqual([])
  await access.revokeLink(document, link, owner)
  expect(heard.splice(0)).toEqual([document])
  await access.revokeLink(document, link, owner)
  expect(heard).toEqual([])
  access.changed(document)
  expect(heard.splice(0)).toEqual([document])
  undo()
  access.changed(document)
  expect(heard).toEqual([])
})

test('[A3] no file of the data folder holds a link’s token', async () => {
  const { access, dataDir } = fixture
  const tokens: string[] = []
  for (let round = 0; round < 20; round++) {
    const { owner, document, token } = await shared(round % 2 ? 'viewer' : 'editor')
    await access.redeem((await fixture.person()).principal, document, token)
    await access.roleOf(owner, document, token)
    tokens.push(token)
  }
  expect(new Set(tokens).size).toBe(20)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(16)
  const files = await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name))))
  const stored = Buffer.concat(files)
  const { id } = (await fixture.person()).principal
  expect(stored.includes(randomBytes(16).toString('base64url'))).toBe(false)
  expect(stored.includes('token_hash')).toBe(true)
  expect(id).toBeTruthy()
  for (const token of tokens) {
    expect(stored.includes(token)).toBe(false)
    expect(stored.includes(Buffer.from(token, 'base64url'))).toBe(false)
  }
})
