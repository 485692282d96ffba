import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { type AccessRequest, isAccessRefusal } from './access.ts'
import { createAccess } from './create-access.ts'
import { readInstallationSecret } from './installation-secret.ts'
import { accessRequest, type AccessFixture, openAccessFixture, ORIGIN } from '../fixtures/access-fixture.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'

let fixture: AccessFixture

beforeAll(async () => {
  fixture = await openAccessFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const withCookie = (cookie: string, headers: Record<string, string | boolean> = {}) =>
  accessRequest({ origin: ORIGIN, cookie, ...headers })

async function status(request: AccessRequest): Promise<number> {
  const answer = await fixture.access.admit(request)
  return isAccessRefusal(answer) ? answer.status : 200
}

describe('guests', () => {
  test('the first page creates one, with a friendly name and a cookie that no script can read', async () => {
    const guest = await fixture.access.issueOrRenewGuest(accessRequest({ method: 'GET' }))
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

  test('[A10] on TLS the cookie belongs to this host alone, and http and https have different guests', async () => {
    const guest = await fixture.access.issueOrRenewGuest(accessRequest({ method: 'GET', secure: true }))
    expect(guest!.setCookies[0]).toMatch(/^__Host-.*; Path=\/.*; Secure/)
    expect(guest!.setCookies[0]).not.toMatch(/Domain/i)
    const value = guest!.cookie.slice(guest!.cookie.indexOf('=') + 1)
    expect(
      await status(accessRequest({ origin: 'https://localhost:3000', secure: true, cookie: guest!.cookie })),
    ).toBe(200)
    expect(await status(withCookie(guest!.cookie))).toBe(401)
    expect(await status(withCookie(`diptych.session_token=${value}`))).toBe(401)
    const plainCookie = (await fixture.createPerson()).cookie
    expect(await status(withCookie(plainCookie))).toBe(200)
    const asSecure = accessRequest({
      origin: 'https://localhost:3000',
      secure: true,
      cookie: `__Host-${plainCookie}`,
    })
    expect(await status(asSecure)).toBe(401)
  })

  test('[A10] a cookie of the former name identifies the same person, and is renamed', async () => {
    const { access, db } = fixture
    const { principal, cookie } = await fixture.createPerson(true)
    const former = cookie.replace(/^__Host-/, '__Secure-')
    const request = accessRequest({
      origin: 'https://localhost:3000',
      secure: true,
      cookie: `theme=dark; ${former}`,
    })
    expect(await access.admit(request)).toEqual({ ...principal, address: '127.0.0.1' })
    expect(access.credentialOf(request)).toBe(principal.credential)
    const moved = await access.issueOrRenewGuest(request)
    expect(moved).toMatchObject({ principal, isNew: false, cookie: `theme=dark; ${cookie}` })
    expect(moved!.setCookies).toEqual([
      `${cookie}; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax`,
      '__Secure-diptych.session_token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    const soon = new Date(Date.now() + 300 * 24 * 3600_000).toISOString()
    const user = principal.id.slice('user:'.length)
    await db.updateTable('session').set({ expiresAt: soon }).where('userId', '=', user).execute()
    const renewed = await access.issueOrRenewGuest(request)
    expect(renewed!.setCookies.map((line) => line.split('=', 1)[0])).toEqual([
      '__Host-diptych.session_token',
      '__Secure-diptych.session_token',
    ])
    expect(
      await access.issueOrRenewGuest(accessRequest({ secure: true, cookie: `${former}; ${cookie}` })),
    ).toBeNull()
  })

  test('a valid cookie creates no second guest, and other cookies are forwarded', async () => {
    const { cookie } = await fixture.createPerson()
    expect(
      await fixture.access.issueOrRenewGuest(accessRequest({ cookie: `theme=dark; ${cookie}` })),
    ).toBeNull()
    const fresh = await fixture.access.issueOrRenewGuest(
      accessRequest({ cookie: 'theme=dark; diptych.session_token=forged' }),
    )
    expect(fresh?.cookie).toMatch(/^theme=dark; diptych\.session_token=(?!forged)/)
  })

  test('a day later the cookie is renewed for the same guest', async () => {
    const { principal, cookie } = await fixture.createPerson()
    const user = principal.id.slice('user:'.length)
    const soon = new Date(Date.now() + 300 * 24 * 3600_000).toISOString()
    await fixture.db.updateTable('session').set({ expiresAt: soon }).where('userId', '=', user).execute()
    const renewed = await fixture.access.issueOrRenewGuest(accessRequest({ cookie }))
    expect(renewed?.isNew).toBe(false)
    expect(renewed?.principal).toEqual(principal)
    expect(renewed?.setCookies[0]).toContain('Max-Age=34560000')
    expect(await fixture.access.issueOrRenewGuest(accessRequest({ cookie }))).toBeNull()
  })

  test('an expired session identifies nobody', async () => {
    const { principal, cookie } = await fixture.createPerson()
    const user = principal.id.slice('user:'.length)
    await fixture.db
      .updateTable('session')
      .set({ expiresAt: new Date(0).toISOString() })
      .where('userId', '=', user)
      .execute()
    expect(await status(withCookie(cookie))).toBe(401)
    expect((await fixture.access.issueOrRenewGuest(accessRequest({ cookie })))?.isNew).toBe(true)
  })

  test('cookies outlive a restart, and only its owner can read the secret', async () => {
    const { cookie } = await fixture.createPerson()
    const { dataDir, db, access } = fixture
    const again = await createAccess({
      db,
      log: silentLogger,
      secret: await readInstallationSecret(dataDir),
      rateLimits: access.rateLimits,
      allowedOrigins: [],
    })
    expect(isAccessRefusal(await again.admit(withCookie(cookie)))).toBe(false)
    const file = join(dataDir, 'secret')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(Buffer.from(await readFile(file, 'utf8'), 'base64url').length).toBe(32)
  })

  test('a cached cookie is not looked up again at once', async () => {
    const { principal, cookie } = await fixture.createPerson()
    expect(await status(withCookie(cookie))).toBe(200)
    await fixture.db.deleteFrom('session').where('userId', '=', principal.id.slice('user:'.length)).execute()
    expect(await status(withCookie(cookie))).toBe(200)
  })
})

describe('admit', () => {
  test.each<[string, () => Promise<AccessRequest> | AccessRequest, number]>([
    ['own Origin, cookie', async () => withCookie((await fixture.createPerson()).cookie), 200],
    ['own Origin, nothing', () => accessRequest({ origin: ORIGIN }), 401],
    ['own Origin, forged cookie', () => withCookie('diptych.session_token=abc.def'), 401],
    ['own Origin, cookie of another session with this signature', async () => forged(), 401],
    ['own Origin, unknown token', () => accessRequest({ origin: ORIGIN, authorization: 'Bearer nope' }), 401],
    [
      'foreign Origin, cookie',
      async () => withCookie((await fixture.createPerson()).cookie, { origin: 'https://evil.example' }),
      403,
    ],
    ['no Origin, cookie', async () => accessRequest({ cookie: (await fixture.createPerson()).cookie }), 403],
    ['no Origin, unknown token', () => accessRequest({ authorization: 'Bearer nope' }), 401],
    ['no Origin, nothing', () => accessRequest({}), 403],
    [
      'no Origin, a link’s token',
      async () => accessRequest({ authorization: `Bearer ${(await createSharedDocument('viewer')).token}` }),
      200,
    ],
    [
      'a token in another scheme',
      async () =>
        accessRequest({
          origin: ORIGIN,
          authorization: `Basic ${(await createSharedDocument('viewer')).token}`,
        }),
      401,
    ],
  ])('[A1] %s', async (_title, request, expected) => {
    expect(await status(await request())).toBe(expected)
  })

  async function forged(): Promise<AccessRequest> {
    const [own, other] = [await fixture.createPerson(), await fixture.createPerson()]
    const signature = own.cookie.slice(own.cookie.indexOf('.', 25))
    return withCookie(other.cookie.slice(0, other.cookie.indexOf('.', 25)) + signature)
  }

  test('[A2] the same proof has the same credential, without a database query', async () => {
    const { access } = fixture
    const { principal, cookie } = await fixture.createPerson()
    expect(access.credentialOf(accessRequest({ cookie: `a=b; ${cookie}` }))).toBe(principal.credential)
    expect(access.credentialOf(accessRequest({ cookie: (await fixture.createPerson()).cookie }))).not.toBe(
      principal.credential,
    )
    expect(access.credentialOf(accessRequest({}))).toBe('')
    const { token } = await createSharedDocument('editor')
    const linked = await fixture.admitLinkToken(token)
    expect(access.credentialOf(accessRequest({ authorization: `Bearer ${token}` }))).toBe(linked.credential)
    expect(cookie).not.toContain(principal.credential)
  })

  test('a request with a token alone is the share link, not a person', async () => {
    const { token, link } = await createSharedDocument('editor')
    const principal = await fixture.admitLinkToken(token)
    expect(principal).toMatchObject({ id: `link:${link}`, token })
  })
})

describe('admitOrCreateGuest', () => {
  const admitOrCreate = async (request: AccessRequest) => {
    const answer = await fixture.access.admitOrCreateGuest(request)
    return isAccessRefusal(answer) ? answer.status : answer.setCookies.length
  }

  test('creates a guest for a request without a valid cookie, and none for another site', async () => {
    const { cookie } = await fixture.createPerson()
    expect(await admitOrCreate(accessRequest({}))).toBe(1)
    expect(await admitOrCreate(accessRequest({ origin: ORIGIN }))).toBe(1)
    expect(await admitOrCreate(withCookie('diptych.session_token=stale'))).toBe(1)
    expect(await admitOrCreate(withCookie(cookie))).toBe(0)
    expect(await admitOrCreate(accessRequest({ cookie }))).toBe(403)
    expect(await admitOrCreate(accessRequest({ origin: 'https://evil.example' }))).toBe(403)
    expect(await admitOrCreate(accessRequest({ origin: 'null' }))).toBe(403)
    expect(await admitOrCreate(accessRequest({ 'sec-fetch-site': 'cross-site' }))).toBe(403)
  })
})

/** A document with a link to it. */
async function createSharedDocument(role: 'viewer' | 'editor') {
  const owner = await fixture.createPerson()
  const document = await fixture.createDocument(owner.principal)
  const { id: link, token } = await fixture.access.createShareLink(document, role, owner.principal)
  return { owner: owner.principal, document, link, token }
}

describe('roles', () => {
  test('[A4] the strongest of owner, grant and token counts', async () => {
    const { access } = fixture
    const { owner, document, token: viewerToken } = await createSharedDocument('viewer')
    const { token: editorToken } = await access.createShareLink(document, 'editor', owner)
    const { principal: other } = await fixture.createPerson()
    const roleOf = (token?: string) => access.roleOf(other, document, token)

    expect(await access.roleOf(owner, document)).toBe('owner')
    expect(await access.roleOf(owner, document, viewerToken)).toBe('owner')
    expect(await roleOf()).toBeNull()
    expect(await roleOf('')).toBeNull()
    expect(await roleOf(viewerToken)).toBe('viewer')
    expect(await access.redeemShareLink(other, document, viewerToken)).toBe('viewer')
    expect(await roleOf()).toBe('viewer')
    expect(await roleOf(editorToken)).toBe('editor')
    expect(await access.redeemShareLink(other, document, editorToken)).toBe('editor')
    expect(await roleOf(viewerToken)).toBe('editor')
    expect(await access.roleOf(await fixture.admitLinkToken(viewerToken), document)).toBe('viewer')
    expect(await access.roleOf(await fixture.admitLinkToken(viewerToken), document, editorToken)).toBe(
      'editor',
    )
  })

  test('a token opens its own document alone', async () => {
    const { token } = await createSharedDocument('editor')
    const { document: elsewhere } = await createSharedDocument('editor')
    const { principal } = await fixture.createPerson()
    expect(await fixture.access.roleOf(principal, elsewhere, token)).toBeNull()
    expect(await fixture.access.redeemShareLink(principal, elsewhere, token)).toBeNull()
    expect(await fixture.access.roleOf(await fixture.admitLinkToken(token), elsewhere)).toBeNull()
  })

  test('missing, malformed, deleted and forbidden get one answer', async () => {
    const { owner, document, token } = await createSharedDocument('editor')
    const { principal: other } = await fixture.createPerson()
    await fixture.access.redeemShareLink(other, document, token)
    await fixture.db.updateTable('documents').set({ deleted_at: 1 }).where('id', '=', document).execute()
    for (const [who, id] of [
      [owner, document],
      [other, document],
      [owner, newDocumentId()],
      [owner, 'not an id'],
      [owner, "' or 1=1 --"],
      [owner, (await createSharedDocument('viewer')).document],
    ] as const) {
      expect(await fixture.access.roleOf(who, id, token)).toBeNull()
      expect(await fixture.access.redeemShareLink(who, id, token)).toBeNull()
    }
  })

  test('[A4] a revoked link ends its token and its grants, but no other link’s', async () => {
    const { access } = fixture
    const { owner, document, link, token } = await createSharedDocument('editor')
    const { token: viewerToken } = await access.createShareLink(document, 'viewer', owner)
    const [{ principal: redeemed }, { principal: redeemedTwice }] = [
      await fixture.createPerson(),
      await fixture.createPerson(),
    ]
    await access.redeemShareLink(redeemed, document, token)
    await access.redeemShareLink(redeemedTwice, document, token)
    await access.redeemShareLink(redeemedTwice, document, viewerToken)
    const linked = await fixture.admitLinkToken(token)

    expect(await access.revokeShareLink(document, link, owner)).toBe(true)
    expect(await access.roleOf(redeemed, document)).toBeNull()
    expect(await access.roleOf(redeemed, document, token)).toBeNull()
    expect(await access.roleOf(redeemedTwice, document)).toBe('viewer')
    expect(await access.roleOf(linked, document)).toBeNull()
    expect(await access.redeemShareLink(redeemed, document, token)).toBeNull()
    expect(await status(accessRequest({ authorization: `Bearer ${token}` }))).toBe(401)
    expect(await access.revokeShareLink(document, link, owner)).toBe(false)
  })

  test('[A4] a link without new joins keeps who came by it, and lets in nobody else', async () => {
    const { access } = fixture
    const { owner, document, link, token } = await createSharedDocument('editor')
    const [{ principal: joined }, { principal: late }] = [
      await fixture.createPerson(),
      await fixture.createPerson(),
    ]
    await access.redeemShareLink(joined, document, token)
    const linked = await fixture.admitLinkToken(token)

    expect(await access.setShareLinkOpen(document, link, false, owner)).toBe(true)
    expect(await access.listShareLinks(document)).toMatchObject([{ id: link, isOpen: false, people: 1 }])
    expect(await access.roleOf(joined, document)).toBe('editor')
    // Whose browser still has the address.
    expect(await access.redeemShareLink(joined, document, token)).toBe('editor')
    expect(await access.findRedeemedEditToken(document, joined)).toBeNull()
    expect(await access.redeemShareLink(late, document, token)).toBeNull()
    expect(await access.roleOf(late, document, token)).toBeNull()
    // A program that has nothing but the token did not come as a person.
    expect(await access.roleOf(linked, document)).toBeNull()
    expect(await status(accessRequest({ authorization: `Bearer ${token}` }))).toBe(401)

    expect(await access.setShareLinkOpen(document, link, true, owner)).toBe(true)
    expect(await access.redeemShareLink(late, document, token)).toBe('editor')
    expect(await status(accessRequest({ authorization: `Bearer ${token}` }))).toBe(200)
    await access.setShareLinkOpen(document, link, false, owner)
    await access.revokeShareLink(document, link, owner)
    expect(await access.roleOf(joined, document)).toBeNull()
    expect(await access.setShareLinkOpen(document, link, true, owner)).toBe(false)
    const elsewhere = await createSharedDocument('viewer')
    expect(await access.setShareLinkOpen(document, elsewhere.link, false, owner)).toBe(false)
  })

  test('[A4] a removed person comes back by a later link alone; the others stay', async () => {
    const { access } = fixture
    const { owner, document, token } = await createSharedDocument('editor')
    const { token: neverUsed } = await access.createShareLink(document, 'viewer', owner)
    const [{ principal: removed }, { principal: other }] = [
      await fixture.createPerson(),
      await fixture.createPerson(),
    ]
    await access.redeemShareLink(removed, document, token)
    await access.redeemShareLink(other, document, token)
    const elsewhere = await createSharedDocument('viewer')
    await access.redeemShareLink(removed, elsewhere.document, elsewhere.token)

    expect(await access.removePerson(document, removed.id, owner)).toBe(true)
    for (const held of [undefined, token, neverUsed])
      expect(await access.roleOf(removed, document, held)).toBeNull()
    for (const held of [token, neverUsed])
      expect(await access.redeemShareLink(removed, document, held)).toBeNull()
    expect(await access.roleOf(other, document)).toBe('editor')
    expect(await access.roleOf(removed, elsewhere.document)).toBe('viewer')
    expect(await access.listPeopleWithAccess(document, 10)).toMatchObject([{ id: other.id, role: 'editor' }])
    expect(await access.listShareLinks(document)).toMatchObject([{ people: 1 }, { people: 0 }])

    expect(await access.removePerson(document, removed.id, owner)).toBe(false)
    expect(await access.removePerson(document, owner.id, owner)).toBe(false)
    expect(await access.removePerson(document, 'user:nobody', owner)).toBe(false)

    const later = await access.createShareLink(document, 'viewer', owner)
    expect(await access.redeemShareLink(removed, document, later.token)).toBe('viewer')
    expect(await access.roleOf(removed, document, token)).toBe('viewer')
  })

  test('a grant belongs to a person: the link’s other holders do not get it', async () => {
    const { access } = fixture
    const { owner, document, token: viewerToken } = await createSharedDocument('viewer')
    const { token: editorToken } = await access.createShareLink(document, 'editor', owner)
    const linked = await fixture.admitLinkToken(viewerToken)
    expect(await access.redeemShareLink(linked, document, editorToken)).toBe('editor')
    expect(await access.roleOf(linked, document)).toBe('viewer')
  })

  test('a link of another document is not revoked', async () => {
    const { owner, link } = await createSharedDocument('viewer')
    const { document: elsewhere } = await createSharedDocument('viewer')
    expect(await fixture.access.revokeShareLink(elsewhere, link, owner)).toBe(false)
  })
})

test('onChanged reports what may change a right: links redeemed, closed and revoked, people removed, until undone', async () => {
  const { access } = fixture
  const { owner, document, link, token } = await createSharedDocument('viewer')
  const changedDocuments: string[] = []
  const unsubscribe = access.onChanged((id) => changedDocuments.push(id))
  await access.createShareLink(document, 'viewer', owner)
  expect(changedDocuments.splice(0)).toEqual([])
  const { principal: person } = await fixture.createPerson()
  await access.redeemShareLink(person, document, token)
  expect(changedDocuments.splice(0)).toEqual([document])
  await access.setShareLinkOpen(document, link, false, owner)
  expect(changedDocuments.splice(0)).toEqual([document])
  await access.removePerson(document, person.id, owner)
  expect(changedDocuments.splice(0)).toEqual([document])
  await access.removePerson(document, person.id, owner)
  await access.redeemShareLink((await fixture.createPerson()).principal, document, 'wrong')
  expect(changedDocuments.splice(0)).toEqual([])
  await access.revokeShareLink(document, link, owner)
  expect(changedDocuments.splice(0)).toEqual([document])
  await access.revokeShareLink(document, link, owner)
  expect(changedDocuments).toEqual([])
  access.notifyChanged(document)
  expect(changedDocuments.splice(0)).toEqual([document])
  unsubscribe()
  access.notifyChanged(document)
  expect(changedDocuments).toEqual([])
})

test('[A3] neither a file of the data folder nor a table contains a link’s token', async () => {
  const { access } = fixture
  const tokens: string[] = []
  for (let round = 0; round < 20; round++) {
    const { owner, document, token } = await createSharedDocument(round % 2 ? 'viewer' : 'editor')
    await access.redeemShareLink((await fixture.createPerson()).principal, document, token)
    await access.roleOf(owner, document, token)
    tokens.push(token)
  }
  expect(new Set(tokens).size).toBe(20)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(16)
  const stored = await fixture.readStored()
  const { id } = (await fixture.createPerson()).principal
  expect(stored.includes(randomBytes(16).toString('base64url'))).toBe(false)
  expect(stored.includes('token_hash')).toBe(true)
  expect(id).toBeTruthy()
  for (const token of tokens) {
    expect(stored.includes(token)).toBe(false)
    expect(stored.includes(Buffer.from(token, 'base64url'))).toBe(false)
  }
})
