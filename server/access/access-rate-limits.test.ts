import { expect, test } from 'vitest'
import { type Environment, readConfig } from '../config.ts'
import { type AccessRateLimits, createAccessRateLimits } from './access-rate-limits.ts'
import { accessRequest } from '../fixtures/access-fixture.ts'
import type { Principal } from './principal.ts'

function createLimits(environment: Environment = {}) {
  const clock = { at: 0, now: () => clock.at }
  return { clock, rateLimits: createAccessRateLimits(readConfig(environment), clock) }
}

const requestFrom = (peer: string, headers: Record<string, string> = {}) =>
  accessRequest({ peer, ...headers })

const person = (n: number): Principal => ({ id: `user:${n}`, name: 'Quiet Otter', credential: `c${n}` })
const linkPrincipal = (n: number): Principal => ({ ...person(n), id: 'link:1', token: 'token' })

const countAllowed = (tries: number, attempt: () => unknown): number =>
  Array.from({ length: tries }, attempt).filter((refusal) => refusal === null).length

test('[A6] 500 people behind one address arrive at once with a document each; the 501st is told when to retry', () => {
  const { rateLimits, clock } = createLimits()
  const sharedAddress = requestFrom('203.0.113.7')
  expect(countAllowed(500, () => rateLimits.takeNewGuest(sharedAddress))).toBe(500)
  let n = 0
  expect(countAllowed(500, () => rateLimits.takeNewDocument(sharedAddress, person(n++)))).toBe(500)
  expect(countAllowed(500 * 5, () => rateLimits.takeLink(sharedAddress))).toBe(2500)
  expect(rateLimits.takeNewGuest(sharedAddress)).toEqual({
    status: 429,
    code: 'too-many',
    message: 'Too many new guests from your address (LIMIT_NEW_GUESTS). Try again in 1 s.',
    retryAfterS: 1,
  })
  clock.at += 1000
  expect(countAllowed(10, () => rateLimits.takeNewGuest(sharedAddress))).toBe(5)
})

const limits: Record<
  string,
  { environment: Environment; count: (rateLimits: AccessRateLimits, peer: string) => unknown }
> = {
  'new guests': {
    environment: { LIMIT_NEW_GUESTS: '3/0.1' },
    count: (rateLimits, peer) => rateLimits.takeNewGuest(requestFrom(peer)),
  },
  'new documents': {
    environment: { LIMIT_NEW_DOCUMENTS: '3/0.1' },
    count: (rateLimits, peer) => rateLimits.takeNewDocument(requestFrom(peer), person(Math.random())),
  },
  links: {
    environment: { LIMIT_CONNECTIONS: '3/0.1' },
    count: (rateLimits, peer) => rateLimits.takeLink(requestFrom(peer)),
  },
  guesses: {
    environment: { LIMIT_GUESSES: '3/0.1' },
    count(rateLimits, peer) {
      const refusal = rateLimits.checkGuessLimit(requestFrom(peer))
      if (!refusal) rateLimits.countWrongGuess(requestFrom(peer))
      return refusal
    },
  },
}

test.each(Object.entries(limits))(
  '[A6] %s of one address are limited, and no other address’s',
  (_what, limit) => {
    const { rateLimits, clock } = createLimits(limit.environment)
    expect(countAllowed(9, () => limit.count(rateLimits, '203.0.113.7'))).toBe(3)
    expect(limit.count(rateLimits, '203.0.113.7')).toMatchObject({ status: 429, retryAfterS: 10 })
    expect(limit.count(rateLimits, '203.0.113.8')).toBeNull()
    expect(countAllowed(9, () => limit.count(rateLimits, '2001:db8:1:2::1'))).toBe(3)
    expect(limit.count(rateLimits, '2001:db8:1:2:ffff::1')).not.toBeNull()
    expect(limit.count(rateLimits, '2001:db8:1:3::1')).toBeNull()
    clock.at += 20_000
    expect(countAllowed(9, () => limit.count(rateLimits, '203.0.113.7'))).toBe(2)
  },
)

test('[A6] a person’s documents are limited at any address', () => {
  const { rateLimits } = createLimits({ LIMIT_DOCUMENTS_OF_PERSON: '3/0.1' })
  let n = 0
  expect(countAllowed(9, () => rateLimits.takeNewDocument(requestFrom(`203.0.113.${n++}`), person(1)))).toBe(
    3,
  )
  expect(rateLimits.takeNewDocument(requestFrom('203.0.113.1'), person(1))?.message).toContain(
    'LIMIT_DOCUMENTS_OF_PERSON',
  )
  expect(rateLimits.takeNewDocument(requestFrom('203.0.113.1'), person(2))).toBeNull()
})

test('[A6] a stranger’s wrong guesses do not count for people at the same address; holders of one link count by address', () => {
  const { rateLimits } = createLimits({ LIMIT_GUESSES: '3/0.1' })
  const strangerRequest = requestFrom('203.0.113.7')
  for (let n = 0; n < 3; n++) rateLimits.countWrongGuess(strangerRequest)
  expect(rateLimits.checkGuessLimit(strangerRequest)).not.toBeNull()
  expect(rateLimits.checkGuessLimit(strangerRequest, linkPrincipal(1))).not.toBeNull()
  expect(rateLimits.checkGuessLimit(strangerRequest, person(1))).toBeNull()
  for (let n = 0; n < 3; n++) rateLimits.countWrongGuess(strangerRequest, person(1))
  expect(rateLimits.checkGuessLimit(requestFrom('203.0.113.8'), person(1))).not.toBeNull()
})

test('[A6] what a client claims as its address counts only behind a trusted proxy', () => {
  const limit = { LIMIT_NEW_GUESTS: '1/0.1' }
  let n = 0
  const forgeAddress = (rateLimits: AccessRateLimits) => () =>
    rateLimits.takeNewGuest(requestFrom('10.0.0.1', { 'x-forwarded-for': `203.0.113.${n++}` }))
  expect(countAllowed(9, forgeAddress(createLimits(limit).rateLimits))).toBe(1)
  expect(
    countAllowed(9, forgeAddress(createLimits({ ...limit, TRUSTED_PROXIES: '10.0.0.1' }).rateLimits)),
  ).toBe(9)
})

test('off is no limit', () => {
  const { rateLimits } = createLimits({ LIMIT_NEW_GUESTS: 'off' })
  expect(countAllowed(5000, () => rateLimits.takeNewGuest(requestFrom('203.0.113.7')))).toBe(5000)
})
